/* SPDX-License-Identifier: MIT */
/*
 * Their replies if we passed: the number that every move of ours would have, if it changed nothing. Kept as sets, not
 * only as a number, because the sets say what a move changes: our men that their sliders strike or their pawns would
 * take, the squares their pawns push to, and the pushes that our men are in the way of.
 *
 *      . . p . .        push1: where a pawn steps          block1: a man of ours where a pawn would step
 *      . . 1 . .        push2: where it steps twice        block2: one where a pawn would step twice
 *      . . 2 . .        take_east, take_west: what pawns hit; they move there only to take
 */
#pragma once
#include "eight.h"
#include "king_lines.h"

typedef struct {
    Pins pins;
    Bits pinned_squares; /* of both kinds of line, the pinned men among them */
    Eight sight;         /* what their sliders see, pins minded; their own men included */
    Bits knights;        /* those that may move */
    Bits free_pawns;     /* on no pin */
    Bits push1, push2, take_east, take_west;
    Bits struck; /* our men that their sliders see */
    Bits block1, block2;
    Bits sources;        /* our men whose leaving changes something of the above: see gain.h */
    bool near_promotion; /* a pawn of theirs on its seventh rank */
    int64_t replies;
} Pass;

/* What their sliders see, pins minded; `all` is what they see without, and right unless a slider is pinned. */
INLINE Eight mind_pins(const Scene *s, const Pass *v, Eight all) {
    const Army *a = &s->they;
    const Bits free = ~v->pinned_squares;
    if (LIKELY(!(v->pinned_squares & (a->orth | a->diag)))) return all;
    Eight sight = eight_see(a->orth & free, a->diag & free, s->empty);
    EACH (r, a->orth & v->pins.orth)
        sight = eight_or(sight, eight_and(eight_see(bit((int)r), 0, s->empty), line_through[a->king_at][r]));
    EACH (b, a->diag & v->pins.diag)
        sight = eight_or(sight, eight_and(eight_see(0, bit((int)b), s->empty), line_through[a->king_at][b]));
    return sight;
}

INLINE void find_pawn_moves(const Scene *s, Pass *v, Colour them) {
    const Bits pawns = s->they.pawn, orth = v->pins.orth, diag = v->pins.diag;
    const Bits push = pawns & ~diag, take = pawns & ~orth;
    v->push1 = (forward(push & ~orth, them) | (forward(push & orth, them) & orth)) & s->empty;
    v->push2 = forward(v->push1 & third_rank(them), them) & s->empty;
    v->take_east = take_east(take & ~diag, them) | (take_east(take & diag, them) & diag);
    v->take_west = take_west(take & ~diag, them) | (take_west(take & diag, them) & diag);

    /* Those that would push if our man were gone: pinned on a file, or not pinned. */
    const Bits file = FILE_A << square_file(s->they.king_at), pushers = pawns & ~(v->pinned_squares & ~(orth & file));
    v->block1 = forward(pushers, them) & s->we.men;
    v->block2 = forward(forward(pushers & pawn_start_rank(them), them) & s->empty, them) & s->we.men;
    v->free_pawns = pawns & ~v->pinned_squares;
    v->near_promotion = (forward(pawns, them) & last_rank(them)) != 0;
}

INLINE int64_t count_pawn_moves(const Scene *s, const Pass *v, Colour them) {
    const Bits east = v->take_east & s->we.men, west = v->take_west & s->we.men, end = last_rank(them);
    int64_t n = count(v->push1) + count(v->push2) + count(east) + count(west);
    if (UNLIKELY(v->near_promotion)) n += 3 * (count(v->push1 & end) + count(east & end) + count(west & end));
    return n;
}

/* `all_sight`: what their sliders see, pins or no pins. */
INLINE Pass find_pass(const Scene *s, Colour them, Eight all_sight, Pins pins, int king_moves) {
    Pass v = {.pins = pins, .pinned_squares = pins.orth | pins.diag};
    v.sight = mind_pins(s, &v, all_sight);
    const Eight reach = eight_and(v.sight, ~s->they.men);
    v.struck = eight_union(reach) & s->we.men;
    v.knights = s->they.knight & ~v.pinned_squares;
    find_pawn_moves(s, &v, them);
    v.sources = v.struck | ((v.take_east | v.take_west | v.block1 | v.block2) & s->we.men);
    v.replies = king_moves + (int64_t)eight_count(reach) + count_pawn_moves(s, &v, them);
    EACH (n, v.knights) v.replies += count(knight_attacks[n] & ~s->they.men);
    return v;
}
