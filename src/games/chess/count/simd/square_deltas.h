/* SPDX-License-Identifier: MIT */
/*
 * Children that change nothing for B's king are not counted: what a piece of A adds to B's replies, or takes from them,
 * by leaving a square or entering one, is a number that belongs to the square. All 64 are found at once, and
 *
 *      replies to f-t  =  replies to a null move  +  delta[f]  +  delta[t]
 *
 *      f, a piece of A leaves     + the squares that B's sliders then attack beyond it    r - - f + + .
 *                                 + pushes that it blocked
 *                                 - captures by pawns on it
 *      t, empty, is entered       - the squares that B's sliders no longer attack         r - - t - - .
 *                                 - pushes that are blocked now
 *                                 + captures by pawns on it
 *      t, a piece of B is taken   - its moves
 *                                 + the pieces of B that defend it, which may recapture
 *
 * These sets of squares are disjoint, so one vector of bytes holds all. Checks, pins and B's king are not touched by
 * such a child. Leaving and entering interact only where f and t share a line along which f is attacked by a slider,
 * blocks a pawn or can be captured by one: those children are separated (on_interaction_line) and counted in full.
 *
 * Squares beyond a square are counted in unary: n[i] holds the squares with at least i more ahead. A lane for each
 * direction; then eight lanes are transposed to a byte for each square, and its bits are counted.
 */
#pragma once
#include "pawn_mobility.h"

/* What B's pieces attack and where they move, pins applied. */
typedef struct {
    PawnMobility pawn;
    BitsVector slider_attacks; /* by direction */
    BitsVector xray_attacks;   /* by direction: what sliders would attack beyond the first piece, if it is A's */
    BitsVector sliders;
    BitsVector knight_attacks; /* by step */
} Mobility;

/* Where B's pieces would move if none were pinned. */
INLINE void find_free_mobility(Mobility *m, const ParentContext *c) {
    m->knight_attacks = knight_attacks_of(c->b.knight);
    m->sliders = orth_and_diag(c->b.orth, c->b.diag);
    m->slider_attacks = fill_rays(m->sliders, broadcast(~c->occ));
}

/* A pinned slider moves along its pin only: the lane's line through the king. A pinned knight does not move. */
INLINE void find_piece_mobility(Mobility *m, const ParentContext *c, Bits pinned) {
    const BitsVector empty = broadcast(~c->occ);
    if (UNLIKELY(pinned & ~c->b.pawn)) {
        const BitsVector line = rays_of(c->king) | opposite_rays(rays_of(c->king));
        m->knight_attacks = knight_attacks_of(c->b.knight & ~pinned);
        m->sliders &= ~(pinned & ~line);
        m->slider_attacks = fill_rays(m->sliders, empty);
    }
    m->xray_attacks = fill_rays(m->slider_attacks & c->a.all, empty) & ~c->b.all;
}

/* All that B attacks, if A is not in check; otherwise A's king among other squares. */
INLINE Bits attacked_by_b(const Mobility *m, const ParentContext *c, Colour b) {
    return union_lanes(m->slider_attacks | m->knight_attacks) | pawn_set_attacks(c->b.pawn, b) | c->near_king;
}

INLINE ByteVector popcount_by_square(BitsVector b) {
    return _mm512_popcnt_epi8(bits_by_square((ByteVector)b));
}
INLINE ByteVector double_all(ByteVector b) {
    return _mm512_add_epi8(b, b);
}

/*
 * For each square of `from` in each lane, how many squares of `run` follow it without a gap, up to a square of `ends`,
 * included; added up over the lanes.
 */
INLINE ByteVector count_squares_ahead(BitsVector from, BitsVector run, BitsVector ends) {
    const BitsVector back = opposite_rays((BitsVector)_mm512_load_si512((const void *)ray_steps));
    const BitsVector n1 = rotate_lanes(run, back), go = n1 & ~rotate_lanes(ends, back);
    const BitsVector n2 = go & rotate_lanes(n1, back), n3 = go & rotate_lanes(n2, back),
                     n4 = go & rotate_lanes(n3, back);
    const BitsVector n5 = go & rotate_lanes(n4, back), n6 = go & rotate_lanes(n5, back),
                     n7 = go & rotate_lanes(n6, back);
    const ByteVector ones = popcount_by_square((n1 ^ n2 ^ n3 ^ n4 ^ n5 ^ n6 ^ n7) & from);
    const ByteVector twos = popcount_by_square(((n2 & ~n4) | n6) & from), fours = popcount_by_square(n4 & from);
    return _mm512_add_epi8(ones, double_all(_mm512_add_epi8(twos, double_all(fours))));
}

/* Where the knights stand that attack these squares, by step. */
INLINE BitsVector knight_origins(BitsVector attacks) {
    return rotate_lanes(attacks, opposite_rays((BitsVector)_mm512_load_si512((const void *)knight_steps)));
}

/* What pawns gain by a piece of A that leaves or enters a square, and what they lose: their move to it, over it or from it. */
INLINE ByteVector pawn_deltas(BitsVector waits, BitsVector moves, Colour b) {
    const BitsVector lost = keep_lanes(PAWN_MOVE_LANES, moves) | pawn_origins(moves, b);
    return _mm512_sub_epi8(popcount_by_square(waits), popcount_by_square(lost));
}

/* A promotion is four moves: three more. */
INLINE ByteVector promotion_deltas(const PawnMobility *m, Colour b) {
    const ByteVector net = pawn_deltas(m->waits & last_rank(b), m->moves & last_rank(b), b);
    return _mm512_add_epi8(net, double_all(net));
}

INLINE ByteVector find_square_deltas(const Mobility *m, const ParentContext *c, Colour b) {
    const BitsVector run = m->slider_attacks & ~c->b.all, defended = m->slider_attacks & c->b.all;
    /* Ahead of a piece of A is what is gained; ahead of any other square, what is lost. */
    ByteVector delta = count_squares_ahead(m->sliders | run, run | m->xray_attacks, m->slider_attacks & c->a.all);
    delta = _mm512_mask_sub_epi8(delta, ~c->a.all, popcount_by_square(defended), delta);

    delta = _mm512_add_epi8(delta, popcount_by_square(m->knight_attacks & c->b.all));
    delta = _mm512_sub_epi8(delta, popcount_by_square(knight_origins(m->knight_attacks & ~c->b.all)));
    delta = _mm512_add_epi8(delta, pawn_deltas(m->pawn.waits, m->pawn.moves, b));
    if (UNLIKELY(c->promotes)) delta = _mm512_add_epi8(delta, promotion_deltas(&m->pawn, b));
    return delta;
}

/*
 * For each square the directions along which a piece of A there is attacked by a slider, blocks a pawn or can be
 * captured by one.
 */
INLINE ByteVector find_interactions(const Mobility *m, const ParentContext *c) {
    const BitsVector pawns =
        blend_lanes(CAPTURE_LANES, m->pawn.moves, keep_lanes(PUSH_LANE | DOUBLE_LANE, m->pawn.waits));
    return bits_by_square((ByteVector)((m->slider_attacks & c->a.all) | pawns));
}

/* The children that move along such a line. interactions: of the squares they leave. */
INLINE ByteMask on_interaction_line(ByteVector from, ByteVector to, ByteVector interactions) {
    const ByteVector diagonals_of = _mm512_load_si512((const void *)diagonal_numbers),
                     differ = _mm512_xor_si512(from, to);
    const ByteVector diagonal_diff =
        _mm512_xor_si512(_mm512_permutexvar_epi8(from, diagonals_of), _mm512_permutexvar_epi8(to, diagonals_of));
    const ByteMask file = _mm512_testn_epi8_mask(differ, _mm512_set1_epi8(7));
    const ByteMask rank = _mm512_testn_epi8_mask(differ, _mm512_set1_epi8(56));
    const ByteMask diagonal = _mm512_testn_epi8_mask(diagonal_diff, _mm512_set1_epi8(15));
    const ByteMask antidiagonal = _mm512_testn_epi8_mask(diagonal_diff, _mm512_set1_epi8((char)240));
    return (file & _mm512_test_epi8_mask(interactions, _mm512_set1_epi8(1 << NORTH | 1 << SOUTH))) |
           (rank & _mm512_test_epi8_mask(interactions, _mm512_set1_epi8(1 << EAST | 1 << WEST))) |
           (diagonal & _mm512_test_epi8_mask(interactions, _mm512_set1_epi8(1 << NORTH_EAST | 1 << SOUTH_WEST))) |
           (antidiagonal &
            _mm512_test_epi8_mask(interactions, _mm512_set1_epi8((char)(1 << NORTH_WEST | 1 << SOUTH_EAST))));
}

enum { DELTA_BIAS = 128 };

/* The deltas of the children `members`, each plus DELTA_BIAS, summed in lanes. */
INLINE BitsVector sum_deltas(ByteVector from, ByteVector to, ByteVector delta, ByteMask members) {
    const ByteVector bias = _mm512_set1_epi8((char)DELTA_BIAS);
    const ByteVector both = _mm512_add_epi8(_mm512_permutexvar_epi8(from, delta), _mm512_permutexvar_epi8(to, delta));
    const ByteVector shown = _mm512_maskz_mov_epi8(members, _mm512_xor_si512(both, bias)); /* -128 .. 127 as 0 .. 255 */
    return (BitsVector)_mm512_sad_epu8(shown, _mm512_setzero_si512());
}
