/* SPDX-License-Identifier: MIT */
/*
 * Which children need the full count? Those whose move may change something for B's king: a check, a pin, where it may
 * step, whether it may castle. Every square is marked with the piece types for which it is critical; a child needs the
 * full count if the square it leaves or the one it enters is marked for its piece.
 *
 * The zone consists of the king, the squares it may step to, and those it crosses when castling. Critical are
 *
 *      for a slider          squares that a slider on a square of the zone would attack
 *      for the other types   squares from which that type attacks a square of the zone
 *      for any piece         squares where an attack of A's sliders and a line from the zone overlap: the empty
 *                            squares between them, or the one piece between them; the path of castling; what
 *                            decides on checks and pins (king_rays.h); and for captures the squares next to the king,
 *                            and the castling rook
 *
 *          . . . z . . . .     z  the zone (one square of it)       R  a rook of A
 *          . . . | . . . .     |  critical for any piece
 *          n . . | . n . .     n  critical for a knight
 *          - - - R - - - .     -  the rook itself comes and goes; its other moves leave the file, which is marked
 *
 * The lines are followed in all eight directions at once, a direction in each lane.
 */
#pragma once
#include "child_list.h"

enum { ORTH_RAYS = 0x55, DIAG_RAYS = 0xaa }; /* bits of their lanes */

typedef struct {
    Bits pawn, knight, king;  /* for these types */
    Bits any;                 /* for any piece, and so are those of `blocks` */
    BitsVector blocks, lines; /* lines: for sliders of their kind; a direction in each lane */
    BitsVector attacks;       /* of A's sliders, likewise */
} CriticalSquares;

#define NOT_A (~FILE_A)
#define NOT_H (~FILE_H)
#define NOT_1 (~RANK(0))
#define NOT_8 (~RANK(7))
#define RANKS_12 (RANK(0) | RANK(1))
#define RANKS_78 (RANK(6) | RANK(7))

/* A step in direction n (NORTH, ...) as a rotation of the board, and the squares that it may enter. */
static const Bits ray_steps[RAYS] __attribute__((aligned(64))) = {8, 9, 1, 7, 56, 55, 63, 57};
static const Bits ray_entry[RAYS]
    __attribute__((aligned(64))) = {NOT_1, NOT_A &NOT_1, NOT_A, NOT_H &NOT_1, NOT_8, NOT_H &NOT_8, NOT_H, NOT_A &NOT_8};

INLINE BitsVector rotate_lanes(BitsVector b, BitsVector squares) {
    return (BitsVector)_mm512_rolv_epi64((__m512i)b, (__m512i)squares);
}

/* What `pieces` attack through empty squares, a direction in each lane (a Kogge-Stone fill: steps of 1, 2 and 4). */
INLINE BitsVector fill_rays(BitsVector pieces, BitsVector empty) {
    const BitsVector by = (BitsVector)_mm512_load_si512((const void *)ray_steps);
    const BitsVector enter = (BitsVector)_mm512_load_si512((const void *)ray_entry);
    BitsVector open = empty & enter;
    pieces |= open & rotate_lanes(pieces, by);
    open &= rotate_lanes(open, by);
    pieces |= open & rotate_lanes(pieces, by + by);
    open &= rotate_lanes(open, by + by);
    pieces |= open & rotate_lanes(pieces, (by << 2));
    return rotate_lanes(pieces, by) & enter;
}

/* The same for a knight's steps: n ^ 4 is opposite to n here too. */
static const Bits knight_steps[8] __attribute__((aligned(64))) = {17, 10, 58, 49, 47, 54, 6, 15};
static const Bits knight_entry[8]
    __attribute__((aligned(64))) = {NOT_A & ~RANKS_12, ~FILES_AB &NOT_1, ~FILES_AB &NOT_8, NOT_A & ~RANKS_78,
                                    NOT_H & ~RANKS_78, ~FILES_GH &NOT_8, ~FILES_GH &NOT_1, NOT_H & ~RANKS_12};

/* What knights attack, a step in each lane. */
INLINE BitsVector knight_attacks_of(Bits knights) {
    return rotate_lanes(broadcast(knights), (BitsVector)_mm512_load_si512((const void *)knight_steps)) &
           (BitsVector)_mm512_load_si512((const void *)knight_entry);
}

/* Lane n of a beside lane n ^ 4 of b. */
INLINE BitsVector opposite_rays(BitsVector b) {
    return (BitsVector)_mm512_shuffle_i64x2((__m512i)b, (__m512i)b, 0x4e);
}

INLINE void find_critical_squares(CriticalSquares *cr, const ParentContext *c, const KingRays *r, Colour b) {
    const Bits path = c->castle[0].path | c->castle[1].path, safe = c->castle[0].safe | c->castle[1].safe;
    const Bits zone = bit(c->king) | (c->near_king & ~c->b.all) | safe;
    const BitsVector empty = broadcast(~c->occ), zone_rays = fill_rays(broadcast(zone), empty);
    cr->attacks = fill_rays(orth_and_diag(c->a.orth, c->a.diag), empty);
    cr->any = path | (c->b.all & (c->near_king | c->castle[0].rook | c->castle[1].rook));
    cr->blocks = (cr->attacks & opposite_rays(zone_rays) & ~c->b.all) | r->critical;
    cr->lines = zone_rays | r->approach;

    const Bits beside = (zone & NOT_A) >> 1 | (zone & NOT_H) << 1;
    const Bits beside2 = (zone & ~FILES_AB) >> 2 | (zone & ~FILES_GH) << 2;
    const Bits row = zone | beside;
    cr->king = row | row << 8 | row >> 8;
    cr->knight = beside << 16 | beside >> 16 | beside2 << 8 | beside2 >> 8;
    cr->pawn = forward(beside, b);
}

INLINE ByteVector mark(ByteVector marks, ByteMask squares, int pieces) {
    return _mm512_or_si512(marks, _mm512_maskz_set1_epi8(squares, (char)pieces));
}

/* The critical squares as a byte for each square: the BIT_ values of the pieces that they are critical for. */
INLINE ByteVector mark_squares(const CriticalSquares *cr) {
    const ByteVector blocks = bits_by_square((ByteVector)cr->blocks), lines = bits_by_square((ByteVector)cr->lines);
    ByteVector marks = bits_by_square((ByteVector)vector_of(0, 0, cr->pawn, cr->knight, 0, 0, cr->king, 0));
    marks = mark(marks, _mm512_test_epi8_mask(lines, _mm512_set1_epi8(ORTH_RAYS)), BIT_ORTH);
    marks = mark(marks, _mm512_test_epi8_mask(lines, _mm512_set1_epi8((char)DIAG_RAYS)), BIT_DIAG);
    return mark(marks, _mm512_test_epi8_mask(blocks, blocks) | cr->any, BIT_ANY);
}
