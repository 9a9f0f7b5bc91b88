/* SPDX-License-Identifier: MIT */
/*
 * L(t): the change of their replies because one of our pieces comes to the empty square t.
 *
 *      r - - t x x x        a slider that reaches t may still capture there, but loses what is behind t    -
 *      p . t                a pawn that could push to t, or over it, cannot                                -
 *      p takes t            a pawn may capture on t                                                        +
 *
 * The number of squares lost behind t depends on t alone, for each direction: the rest of the ray. It is computed for
 * all squares at once: intersecting a ray with its own shift by one square gives the squares with at least one more
 * behind, and so on up to six. These six nested sets are added in binary, three bits for a square and lane. The two
 * groups of lanes and the pawns' pushes are then added. Three bits hold the sum too: of the seven other squares of a
 * line those behind t in one direction lie before it in the other, where one is the slider's, so at most six are lost in
 * both directions, and a push is one more. Then
 *
 *      sum over t of (moves to t) * (loss at t)  =  sum over i, j of 2^(i+j) * popcount(counter bit i & loss bit j)
 */
#pragma once
#include "destination_counts.h"
#include "null_move.h"

/* For each square of a ray, bit-sliced, how many squares of the ray are behind it: at most six. */
typedef struct {
    RayAttacks bit0, bit1, bit2;
} SquaresBehind;

INLINE SquaresBehind count_squares_behind(RayAttacks ray) {
    const RayAttacks n1 = ray_attacks_with_next(ray), n2 = ray_attacks_with_next(n1), n3 = ray_attacks_with_next(n2);
    const RayAttacks n4 = ray_attacks_with_next(n3), n5 = ray_attacks_with_next(n4), n6 = ray_attacks_with_next(n5);
    return (SquaresBehind){
        .bit0 = {n1.positive ^ n2.positive ^ n3.positive ^ n4.positive ^ n5.positive ^ n6.positive,
                 n1.negative ^ n2.negative ^ n3.negative ^ n4.negative ^ n5.negative ^ n6.negative},
        .bit1 = {(n2.positive & ~n4.positive) | n6.positive, (n2.negative & ~n4.negative) | n6.negative},
        .bit2 = n4,
    };
}

/* A full adder: a + b + c of each bit, the sum in place, the carry returned. */
INLINE Bits4 full_add(Bits4 *a, Bits4 b, Bits4 c) {
    const Bits4 half = *a ^ b, carry = (*a & b) | (half & c);
    *a = half ^ c;
    return carry;
}

INLINE SlicedNumbers destination_losses(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour them) {
    const SquaresBehind behind = count_squares_behind(ray_attacks_and(null_move->slider_attacks, ~ctx->theirs.all));
    const Bits4 pushes = {null_move->pushes, null_move->double_pushes,
                          shift_back(null_move->double_pushes, pawn_up(them)), 0};
    SlicedNumbers losses = {{behind.bit0.positive, behind.bit1.positive, behind.bit2.positive}};
    Bits4 carry = full_add(&losses.digit[0], behind.bit0.negative, pushes);
    carry = full_add(&losses.digit[1], behind.bit1.negative, carry);
    carry = full_add(&losses.digit[2], behind.bit2.negative, carry);
    assert(!union4(carry));
    return losses;
}

/* What their pawns gain by captures on squares of a set, less, on the last rank, the three other promotions there. */
INLINE int64_t pawn_captures_on(const NullMoveReplies *null_move, Colour them, Bits to) {
    int64_t n = popcount(null_move->east_attacks & to) + popcount(null_move->west_attacks & to);
    if (UNLIKELY(null_move->near_promotion)) {
        const Bits end = to & last_rank(them);
        n += 3 * (int64_t)(popcount(null_move->east_attacks & end) + popcount(null_move->west_attacks & end) -
                           popcount(null_move->pushes & end));
    }
    return n;
}

/* The sum of L(t), as a gain, over all counted moves that do not capture. */
INLINE int64_t sum_destination_deltas(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour them,
                                      const DestinationCounts *counts) {
    const SlicedNumbers losses = destination_losses(ctx, null_move, them);
    Bits4 lost = {0};
    int64_t gained = 0;
    for (int i = 0; i < 4; i++) {
        const Bits to = counts->digit[i] & ctx->empty;
        if (!to) continue;
        lost += sliced_sum(&losses, to) << i;
        gained += pawn_captures_on(null_move, them, to) * (1 << i);
    }
    return gained - (int64_t)sum4(lost);
}
