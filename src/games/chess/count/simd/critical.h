/* SPDX-License-Identifier: MIT */
/*
 * Which children need to be counted in full? Those whose move may change something for B's king: a check, a pin, where
 * it may step, whether it may castle. Every square is marked with the kinds of men for which it is critical; a child
 * is hard if the square it leaves or the one it enters is marked for its kind.
 *
 * The zone are the king, the squares it may step to, and those it crosses when castling. Critical are
 *
 *      for a slider          squares that see a square of the zone along its lines, up to the first man and with it
 *      for the other kinds   squares from which that kind hits a square of the zone
 *      for any man           squares where a slider of A and a square of the zone meet along a line: the free squares
 *                            between them, or the one man between them; the path of castling; what decides on checks
 *                            and pins (king_rays.h); and for captures the squares next to the king, and the castling
 *                            rook
 *
 *          . . . z . . . .     z  the zone (one square of it)       R  a rook of A
 *          . . . | . . . .     |  critical for any man
 *          n . . | . n . .     n  critical for a knight
 *          - - - R - - - .     -  the rook itself comes and goes; its other moves leave the file, which is marked
 *
 * The lines are followed in all eight directions at once, a direction in each lane.
 */
#pragma once
#include "child_list.h"

typedef struct {
    Bits any, pawn, knight, diag, orth, king;
    Boards hit; /* what A's sliders see, a direction in each lane */
} Critical;

#define NOT_A (~FILE_A)
#define NOT_H (~FILE_H)
#define NOT_1 (~RANK(0))
#define NOT_8 (~RANK(7))

/* A step in direction n (NORTH, ...) as a rotation of the board, and the squares that it may enter. */
static const Bits step_by[RAYS] __attribute__((aligned(64))) = {8, 9, 1, 7, 56, 55, 63, 57};
static const Bits may_enter[RAYS]
    __attribute__((aligned(64))) = {NOT_1, NOT_A &NOT_1, NOT_A, NOT_H &NOT_1, NOT_8, NOT_H &NOT_8, NOT_H, NOT_A &NOT_8};

INLINE Boards turn_by(Boards b, Boards squares) {
    return (Boards)_mm512_rolv_epi64((__m512i)b, (__m512i)squares);
}

/* What `men` see through empty squares, a direction in each lane. Three doublings reach across the board. */
INLINE Boards eight_ways(Boards men, Boards empty) {
    const Boards by = (Boards)_mm512_load_si512((const void *)step_by);
    const Boards enter = (Boards)_mm512_load_si512((const void *)may_enter);
    Boards open = empty & enter;
    men |= open & turn_by(men, by);
    open &= turn_by(open, by);
    men |= open & turn_by(men, by + by);
    open &= turn_by(open, by + by);
    men |= open & turn_by(men, (by << 2));
    return turn_by(men, by) & enter;
}

/* Lane n of a beside lane n ^ 4 of b. */
INLINE Boards opposite(Boards b) {
    return (Boards)_mm512_shuffle_i64x2((__m512i)b, (__m512i)b, 0x4e);
}

/* The union of the even lanes, and of the odd ones. */
INLINE void fold(Boards b, Bits *even, Bits *odd) {
    const __m256i four = _mm256_or_si256(_mm512_castsi512_si256((__m512i)b), _mm512_extracti64x4_epi64((__m512i)b, 1));
    const __m128i two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    *even = (Bits)_mm_cvtsi128_si64(two);
    *odd = (Bits)_mm_extract_epi64(two, 1);
}

INLINE void find_critical(Critical *cr, const Shared *c, const KingRays *r, Colour b) {
    const Bits path = c->castle[0].path | c->castle[1].path, safe = c->castle[0].safe | c->castle[1].safe;
    const Bits zone = bit(c->king) | (c->near_king & ~c->b.all) | safe;
    const Boards empty = all_lanes(~c->occ), sees = eight_ways(all_lanes(zone), empty);
    cr->hit = eight_ways(straight_and_diagonal(c->a.orth, c->a.diag), empty);
    cr->any = path | union_of((cr->hit & opposite(sees) & ~c->b.all) | r->critical);
    fold(sees | r->see, &cr->orth, &cr->diag);

    const Bits beside = (zone & NOT_A) >> 1 | (zone & NOT_H) << 1;
    const Bits beside2 = (zone & ~FILES_AB) >> 2 | (zone & ~FILES_GH) << 2;
    const Bits row = zone | beside;
    cr->king = row | row << 8 | row >> 8;
    cr->knight = beside << 16 | beside >> 16 | beside2 << 8 | beside2 >> 8;
    cr->pawn = forward(beside, b);
}

/* The board of marks, a byte for each square. */
INLINE Bytes mark_squares(const Critical *cr, const Shared *c) {
    const Bits prizes = c->b.all & (c->near_king | c->castle[0].rook | c->castle[1].rook);
    const Bits any = cr->any | prizes;
    return bits_by_square(
        (Bytes)lanes_of(0, 0, cr->pawn | any, cr->knight | any, cr->diag | any, cr->orth | any, cr->king | any, 0));
}
