/* SPDX-License-Identifier: MIT */
/*
 * Eight boards in one register, or four in half of one (LANES), a lane each, and the verbs for them. Sets of squares
 * are combined with C's own operators (& | ^ ~ + - << >>), which work lane by lane; a plain Bits beside a Boards stands
 * for as many equal boards.
 *
 *      register   | board 7 | board 6 |  . . .  | board 1 | board 0 |       512 bits
 *      a board    | rank 8 | rank 7 |  . . .  | rank 2 | rank 1 |            64 bits, a byte for each rank
 *      a rank       h g f e d c b a                                           8 bits
 *
 * Two turns of the board cost one instruction each, because eight bytes are to it an 8 x 8 matrix of bits:
 *
 *      mirror     a file becomes its mirror image: a <-> h
 *      transpose  a rank becomes a file: flipped about the antidiagonal, h1 and a8 stay where they are not: a1 <-> h8
 *
 * With them a line in any of the four straight directions can be made to run along a byte toward its high bit, which
 * is the way a carry runs.
 */
#pragma once
#include <immintrin.h>

#include "tables.h"

#ifndef LANES
#define LANES 8
#endif

#if LANES == 8
#define WIDE(operation) _mm512_##operation
typedef __m512i Wide;
#else
#define WIDE(operation) _mm256_##operation
typedef __m256i Wide;
#endif
typedef uint64_t Boards __attribute__((vector_size(8 * LANES)));
typedef __mmask8 Which; /* some of the lanes */

INLINE Boards all_lanes(Bits b) {
    return b | (Boards){0};
}
INLINE Boards no_boards(void) {
    return (Boards){0};
}

/* Moves every man of every board by so many squares; what leaves the board at its side comes in at the other. */
INLINE Boards step_all(Boards b, int squares) {
    return squares > 0 ? b << squares : b >> -squares;
}
INLINE Boards forward_all(Boards b, Colour c) {
    return step_all(b, pawn_up(c));
}

INLINE Boards counts(Boards b) {
    return (Boards)WIDE(popcnt_epi64)((Wide)b);
}
INLINE Boards three_times(Boards n) {
    return n + (n << 1);
}
/* The lanes in which a and b meet, or do not. */
INLINE Which meets(Boards a, Boards b) {
    return WIDE(test_epi64_mask)((Wide)a, (Wide)b);
}
INLINE Which misses(Boards a, Boards b) {
    return WIDE(testn_epi64_mask)((Wide)a, (Wide)b);
}
INLINE Boards only(Which w, Boards b) {
    return (Boards)WIDE(maskz_mov_epi64)(w, (Wide)b);
}
/* a where w, else b. */
INLINE Boards choose(Which w, Boards a, Boards b) {
    return (Boards)WIDE(mask_mov_epi64)((Wide)b, w, (Wide)a);
}
INLINE Boards add_where(Which w, Boards a, Boards b) {
    return (Boards)WIDE(mask_add_epi64)((Wide)a, w, (Wide)a, (Wide)b);
}
INLINE Boards join_where(Which w, Boards a, Boards b) {
    return (Boards)WIDE(mask_or_epi64)((Wide)a, w, (Wide)a, (Wide)b);
}
INLINE Boards meet_where(Which w, Boards a, Boards b) {
    return (Boards)WIDE(mask_and_epi64)((Wide)a, w, (Wide)a, (Wide)b);
}

INLINE Boards mirror(Boards b) {
    return (Boards)WIDE(gf2p8affine_epi64_epi8)((Wide)b, (Wide)all_lanes(0x8040201008040201), 0);
}
INLINE Boards transpose(Boards b) {
    return (Boards)WIDE(gf2p8affine_epi64_epi8)((Wide)all_lanes(0x0102040810204080), (Wide)b, 0);
}

/* Byte by byte: what leaves a rank at its end is lost. */
INLINE Boards bytes_minus(Boards a, Boards b) {
    return (Boards)WIDE(sub_epi8)((Wide)a, (Wide)b);
}
INLINE Boards bytes_doubled(Boards b) {
    return (Boards)WIDE(add_epi8)((Wide)b, (Wide)b);
}

/*
 * occ ^ toward_h(occ, men) are the squares that men see on their ranks toward the h-file: subtracting twice a man from
 * the occupied squares of its rank borrows from the first man beyond it (a carry that stops at the byte's end).
 */
INLINE Boards toward_h(Boards occ, Boards men) {
    return bytes_minus(occ, bytes_doubled(men));
}

/* The highest man of each board. */
INLINE Boards highest_man(Boards b) {
    return (Boards)WIDE(srlv_epi64)((Wide)all_lanes(1ull << 63), WIDE(lzcnt_epi64)((Wide)b));
}

/* A byte for each lane. */
INLINE __m128i load_lanes(const uint8_t *bytes) {
    return LANES == 8 ? _mm_loadl_epi64((const __m128i *)bytes) : _mm_loadu_si32(bytes);
}

/* Squares (64: none) as boards of one man. */
INLINE Boards men_on(const uint8_t *squares) {
    const Wide shift = WIDE(cvtepu8_epi64)(load_lanes(squares));
    return (Boards)WIDE(sllv_epi64)((Wide)all_lanes(1), shift);
}
