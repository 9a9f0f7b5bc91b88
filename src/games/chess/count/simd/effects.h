/* SPDX-License-Identifier: MIT */
/*
 * Soft children are not counted at all: what a man of A takes from B's replies, or gives to them, by leaving a square
 * or entering one, is a number that belongs to the square. All 64 are found at once, and
 *
 *      replies to f-t  =  replies to the pass  +  effect[f]  +  effect[t]
 *
 *      f, a man of A leaves     + the squares that B's sliders then see beyond it    r - - f + + .
 *                               + pushes that it blocked
 *                               - captures by pawns on it
 *      t, empty, is entered     - the squares that B's sliders no longer see         r - - t - - .
 *                               - pushes that are blocked now
 *                               + captures by pawns on it
 *      t, a man of B is taken   - its moves
 *                               + the men of B that guard it, which may take back
 *
 * These sets of squares are disjoint, so one board of bytes holds all. Checks, pins and B's king are not touched by a
 * soft child. Leaving and entering work together only where f and t share a line along which f is struck, blocks a pawn
 * or can be taken by one: those children are told apart (on_struck_line) and counted in full.
 *
 * Squares beyond a square are counted by a thermometer: ahead[n] holds the squares with at least n more ahead. A lane
 * for each direction; then eight lanes are turned into a byte for each square, and its bits are counted.
 */
#pragma once
#include "critical.h"

enum { EFFECT_KNIGHTS_MAX = 3 };

/* All is about B, pins applied. */
typedef struct {
    Bits push1, push2;    /* where pawns can push */
    Bits east, west;      /* where pawns take, or would if there were something */
    Bits block1, block2;  /* men of A that stop a push, or its second step only */
    Bits block1_twice;    /* of block1: the double push is open behind */
    Boards sight, beyond; /* by direction: what sliders see; what they would see beyond the first man, if it is A's */
    Boards sliders;
} Mobility;

INLINE Bits backward(Bits b, Colour c) {
    return forward(b, (Colour)!c);
}

INLINE void find_pawn_mobility(Mobility *m, const Shared *c, Bits pinned, Colour b) {
    const Bits rising = b == WHITE ? c->diagonal : c->antidiagonal,
               falling = b == WHITE ? c->antidiagonal : c->diagonal;
    const Bits pushers = c->b.pawn & ~(pinned & ~c->file), empty = ~c->occ;
    m->push1 = forward(pushers, b) & empty;
    m->push2 = forward(m->push1 & third_rank(b), b) & empty;
    m->block1 = forward(pushers, b) & c->a.all;
    m->block1_twice = m->block1 & third_rank(b) & backward(empty, b);
    m->block2 = forward(m->push1 & third_rank(b), b) & c->a.all;
    m->east = take_east(c->b.pawn & ~(pinned & ~rising), b);
    m->west = take_west(c->b.pawn & ~(pinned & ~falling), b);
}

/* A pinned slider looks along its pin only: the lane's line through the king. */
INLINE void find_slider_mobility(Mobility *m, const Shared *c, Bits pinned) {
    const Boards line = rays_of(c->king) | opposite(rays_of(c->king)), empty = all_lanes(~c->occ);
    m->sliders = straight_and_diagonal(c->b.orth, c->b.diag) & ~(pinned & ~line);
    m->sight = eight_ways(m->sliders, empty);
    m->beyond = eight_ways(m->sight & c->a.all, empty) & ~c->b.all;
}

INLINE Bytes bit_counts(Boards b) {
    return _mm512_popcnt_epi8(bits_by_square((Bytes)b));
}
INLINE Bytes doubled(Bytes b) {
    return _mm512_add_epi8(b, b);
}

/*
 * For each square of `from` in each lane, how many squares of `run` follow it without a gap, up to a square of `ends`
 * and with it; added up over the lanes.
 */
INLINE Bytes count_ahead(Boards from, Boards run, Boards ends) {
    const Boards back = opposite((Boards)_mm512_load_si512((const void *)step_by));
    const Boards n1 = turn_by(run, back), go = n1 & ~turn_by(ends, back);
    const Boards n2 = go & turn_by(n1, back), n3 = go & turn_by(n2, back), n4 = go & turn_by(n3, back);
    const Boards n5 = go & turn_by(n4, back), n6 = go & turn_by(n5, back), n7 = go & turn_by(n6, back);
    const Bytes ones = bit_counts((n1 ^ n2 ^ n3 ^ n4 ^ n5 ^ n6 ^ n7) & from);
    const Bytes twos = bit_counts(((n2 & ~n4) | n6) & from), fours = bit_counts(n4 & from);
    return _mm512_add_epi8(ones, doubled(_mm512_add_epi8(twos, doubled(fours))));
}

/* A promotion is four moves: three more. */
INLINE Bytes promotion_effects(const Mobility *m, const Shared *c, Bits by_east, Bits by_west, Colour b) {
    const Bits end = last_rank(b), start = pawn_start_rank((Colour)!b), push = m->push1 & end;
    const Boards more = lanes_of(m->east & ~c->a.all & end, m->west & ~c->a.all & end, m->block1 & end, 0, 0, 0, 0, 0);
    const Boards less = lanes_of(push | backward(push, b), by_east & start, by_west & start, m->east & c->a.all & end,
                                 m->west & c->a.all & end, 0, 0, 0);
    const Bytes net = _mm512_sub_epi8(bit_counts(more), bit_counts(less));
    return _mm512_add_epi8(net, doubled(net));
}

INLINE Bytes find_effects(const Mobility *m, const Shared *c, Bits pinned, Colour b) {
    /* Pawns of B that can take, toward each side. */
    const Bits east = m->east & c->a.all, west = m->west & c->a.all;
    const Bits by_east = b == WHITE ? east >> 9 : east << 7, by_west = b == WHITE ? west >> 7 : west << 9;
    const Boards run = m->sight & ~c->b.all, guards = m->sight & c->b.all;
    /* Ahead of a man of A is what is gained; ahead of any other square, what is lost. */
    Bytes effect = count_ahead(m->sliders | run, run | m->beyond, m->sight & c->a.all);
    effect = _mm512_mask_sub_epi8(effect, ~c->a.all, bit_counts(guards), effect);

    Bits knight[EFFECT_KNIGHTS_MAX] = {0, 0, 0};
    int n = 0;
    EACH (s, c->b.knight & ~pinned) {
        const Bits to = knight_attacks[s];
        knight[n++] = to & c->b.all;
        effect = _mm512_mask_sub_epi8(effect, bit((int)s), effect, _mm512_set1_epi8((char)count(to & ~c->b.all)));
    }
    const Boards more = lanes_of(m->east & ~c->a.all, m->west & ~c->a.all, m->block1, m->block1_twice, m->block2,
                                 knight[0], knight[1], knight[2]);
    const Boards less = lanes_of(m->push1 | backward(m->push1, b), m->push2 | backward(backward(m->push2, b), b),
                                 backward(m->push2, b), by_east, by_west, east, west, 0);
    effect = _mm512_add_epi8(effect, _mm512_sub_epi8(bit_counts(more), bit_counts(less)));
    if (UNLIKELY(c->promotes)) effect = _mm512_add_epi8(effect, promotion_effects(m, c, by_east, by_west, b));
    return effect;
}

/* For each square the directions along which a man of A there is struck, or in the way of a pawn, or prey of one. */
INLINE Bytes find_struck(const Mobility *m, const Shared *c, Colour b) {
    const Bits ahead = m->block1 | m->block2, east = m->east & c->a.all, west = m->west & c->a.all;
    const Boards pawns =
        b == WHITE ? lanes_of(ahead, east, 0, west, 0, 0, 0, 0) : lanes_of(ahead, west, 0, east, 0, 0, 0, 0);
    return bits_by_square((Bytes)((m->sight & c->a.all) | pawns));
}

/* The children that move along such a line. struck: of the squares they leave. */
INLINE Subset on_struck_line(Bytes from, Bytes to, Bytes struck) {
    const Bytes slants = _mm512_load_si512((const void *)slant_numbers), differ = _mm512_xor_si512(from, to);
    const Bytes slant = _mm512_xor_si512(_mm512_permutexvar_epi8(from, slants), _mm512_permutexvar_epi8(to, slants));
    const Subset file = _mm512_testn_epi8_mask(differ, _mm512_set1_epi8(7));
    const Subset rank = _mm512_testn_epi8_mask(differ, _mm512_set1_epi8(56));
    const Subset diagonal = _mm512_testn_epi8_mask(slant, _mm512_set1_epi8(15));
    const Subset antidiagonal = _mm512_testn_epi8_mask(slant, _mm512_set1_epi8((char)240));
    return (file & _mm512_test_epi8_mask(struck, _mm512_set1_epi8(1 << NORTH | 1 << SOUTH))) |
           (rank & _mm512_test_epi8_mask(struck, _mm512_set1_epi8(1 << EAST | 1 << WEST))) |
           (diagonal & _mm512_test_epi8_mask(struck, _mm512_set1_epi8(1 << NORTH_EAST | 1 << SOUTH_WEST))) |
           (antidiagonal & _mm512_test_epi8_mask(struck, _mm512_set1_epi8((char)(1 << NORTH_WEST | 1 << SOUTH_EAST))));
}

/* The sum of the effects of the children `members`. */
INLINE int64_t sum_effects(Bytes from, Bytes to, Bytes effect, Subset members) {
    const Bytes bias = _mm512_set1_epi8((char)128);
    const Bytes both = _mm512_add_epi8(_mm512_permutexvar_epi8(from, effect), _mm512_permutexvar_epi8(to, effect));
    const Bytes shown = _mm512_maskz_mov_epi8(members, _mm512_xor_si512(both, bias)); /* -128 .. 127 as 0 .. 255 */
    return (int64_t)sum_of((Boards)_mm512_sad_epu8(shown, _mm512_setzero_si512())) - 128 * (int64_t)count(members);
}
