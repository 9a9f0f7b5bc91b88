/* SPDX-License-Identifier: MIT */
/*
 * L(t): what their replies lose and gain because one of ours comes to the empty square t.
 *
 *      r - - t x x x        a slider that sees t may still take there, but loses what lay behind     -
 *      p . t                a pawn that would push to t, or over it, stays                           -
 *      p takes t            a pawn may take on t                                                     +
 *
 * The squares lost behind t are a number that depends on t alone, for each direction: the rest of the ray. All of them
 * at once: x and its neighbour on the ray gives the squares with at least one more behind, and so on up to six. These
 * six nested sets are written in binary, three bits a square and lane; both groups of lanes and the pawns' pushes are
 * added up to four bits. Then
 *
 *      sum over t of (moves to t) * (loss at t)  =  sum over i, j of 2^(i+j) * count(tally digit i & loss bit j)
 */
#pragma once
#include "null_move.h"
#include "tally.h"

/* For each square of a ray, in binary, how many more of the ray lie behind it: at most six. */
typedef struct {
    Eight bit0, bit1, bit2;
} Behind;

INLINE Behind count_behind(Eight ray) {
    const Eight n1 = eight_with_next(ray), n2 = eight_with_next(n1), n3 = eight_with_next(n2);
    const Eight n4 = eight_with_next(n3), n5 = eight_with_next(n4), n6 = eight_with_next(n5);
    return (Behind){
        .bit0 = {n1.up ^ n2.up ^ n3.up ^ n4.up ^ n5.up ^ n6.up,
                 n1.down ^ n2.down ^ n3.down ^ n4.down ^ n5.down ^ n6.down},
        .bit1 = {(n2.up & ~n4.up) | n6.up, (n2.down & ~n4.down) | n6.down},
        .bit2 = n4,
    };
}

/* a + b + c of each bit: the sum in place, the carry returned. */
INLINE Four full_add(Four *a, Four b, Four c) {
    const Four half = *a ^ b, carry = (*a & b) | (half & c);
    *a = half ^ c;
    return carry;
}

INLINE Weights find_losses(const Scene *s, const Pass *v, Colour them) {
    const Behind n = count_behind(eight_and(v->sight, ~s->they.men));
    const Four pushes = {v->push1, v->push2, behind(v->push2, pawn_up(them)), 0};
    Weights w = {{n.bit0.up, n.bit1.up, n.bit2.up}};
    Four carry = full_add(&w.at[0], n.bit0.down, pushes);
    carry = full_add(&w.at[1], n.bit1.down, carry);
    w.at[3] = full_add(&w.at[2], n.bit2.down, carry);
    return w;
}

/* What their pawns gain by taking on squares of a set, less, on the last rank, the other three ways to push there. */
INLINE int64_t pawns_on(const Pass *v, Colour them, Bits to) {
    int64_t n = count(v->take_east & to) + count(v->take_west & to);
    if (UNLIKELY(v->near_promotion)) {
        const Bits end = to & last_rank(them);
        n += 3 * (int64_t)(count(v->take_east & end) + count(v->take_west & end) - count(v->push1 & end));
    }
    return n;
}

/* The sum of L(t), as a gain, over all quiet moves of the tally. */
INLINE int64_t sum_losses(const Scene *s, const Pass *v, Colour them, const Tally *c) {
    const Weights w = find_losses(s, v, them);
    Four lost = {0};
    int64_t gained = 0;
    for (int i = 0; i < 4; i++) {
        const Bits to = c->digit[i] & s->empty;
        if (!to) continue;
        lost += weights_on(&w, to) << i;
        gained += pawns_on(v, them, to) * (1 << i);
    }
    return gained - (int64_t)four_sum(lost);
}
