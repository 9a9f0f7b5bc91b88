/* SPDX-License-Identifier: MIT */
/*
 * Eight boards in one register, a lane each, and the verbs for them. Sets of squares are combined with C's own
 * operators (& | ^ ~ + - << >>), which work lane by lane; a plain Bits beside a Boards stands for eight equal boards.
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

typedef uint64_t Boards __attribute__((vector_size(64)));
typedef __mmask8 Which;   /* some of the eight lanes */
typedef __m512i Bytes;    /* 64 bytes: of moves, or of squares */
typedef __mmask64 Subset; /* some of 64 bytes */

INLINE Boards eight(Bits b) {
    return (Boards)_mm512_set1_epi64((long long)b);
}
INLINE Boards no_boards(void) {
    return (Boards)_mm512_setzero_si512();
}

INLINE Boards lanes_of(Bits a, Bits b, Bits c, Bits d, Bits e, Bits f, Bits g, Bits h) {
    return (Boards)_mm512_set_epi64((long long)h, (long long)g, (long long)f, (long long)e, (long long)d, (long long)c,
                                    (long long)b, (long long)a);
}

/* Moves every man of every board by so many squares; what leaves the board at its side comes in at the other. */
INLINE Boards step_all(Boards b, int squares) {
    return squares > 0 ? b << squares : b >> -squares;
}
INLINE Boards forward_all(Boards b, Colour c) {
    return step_all(b, pawn_up(c));
}

INLINE Boards counts(Boards b) {
    return (Boards)_mm512_popcnt_epi64((__m512i)b);
}
INLINE Boards three_times(Boards n) {
    return n + (n << 1);
}
INLINE uint64_t sum_of(Boards b) {
    return (uint64_t)_mm512_reduce_add_epi64((__m512i)b);
}
INLINE Bits union_of(Boards b) {
    return (Bits)_mm512_reduce_or_epi64((__m512i)b);
}
/* The lanes in which a and b meet, or do not. */
INLINE Which meets(Boards a, Boards b) {
    return _mm512_test_epi64_mask((__m512i)a, (__m512i)b);
}
INLINE Which misses(Boards a, Boards b) {
    return _mm512_testn_epi64_mask((__m512i)a, (__m512i)b);
}
INLINE Boards only(Which w, Boards b) {
    return (Boards)_mm512_maskz_mov_epi64(w, (__m512i)b);
}
/* a where w, else b. */
INLINE Boards choose(Which w, Boards a, Boards b) {
    return (Boards)_mm512_mask_mov_epi64((__m512i)b, w, (__m512i)a);
}
INLINE Boards add_where(Which w, Boards a, Boards b) {
    return (Boards)_mm512_mask_add_epi64((__m512i)a, w, (__m512i)a, (__m512i)b);
}
INLINE Boards join_where(Which w, Boards a, Boards b) {
    return (Boards)_mm512_mask_or_epi64((__m512i)a, w, (__m512i)a, (__m512i)b);
}
INLINE Boards meet_where(Which w, Boards a, Boards b) {
    return (Boards)_mm512_mask_and_epi64((__m512i)a, w, (__m512i)a, (__m512i)b);
}

INLINE Boards mirror(Boards b) {
    return (Boards)_mm512_gf2p8affine_epi64_epi8((__m512i)b, _mm512_set1_epi64(0x8040201008040201), 0);
}
INLINE Boards transpose(Boards b) {
    return (Boards)_mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(0x0102040810204080), (__m512i)b, 0);
}

/* Byte by byte: what leaves a rank at its end is lost. */
INLINE Boards bytes_minus(Boards a, Boards b) {
    return (Boards)_mm512_sub_epi8((__m512i)a, (__m512i)b);
}
INLINE Boards bytes_doubled(Boards b) {
    return (Boards)_mm512_add_epi8((__m512i)b, (__m512i)b);
}

/*
 * occ ^ toward_h(occ, men) are the squares that men see on their ranks toward the h-file: subtracting twice a man from
 * the occupied squares of its rank borrows from the first man beyond it (a carry that stops at the byte's end).
 */
INLINE Boards toward_h(Boards occ, Boards men) {
    return bytes_minus(occ, bytes_doubled(men));
}

/* Eight squares (64: none) as boards of one man. */
INLINE Boards men_on(const uint8_t *squares) {
    const __m512i shift = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)squares));
    return (Boards)_mm512_sllv_epi64(_mm512_set1_epi64(1), shift);
}

/* The least n of 64, or of eight. */
INLINE Subset first_bytes(int n) {
    return _bzhi_u64(~0ull, (unsigned)n);
}
INLINE Which first_lanes(int n) {
    return (Which)_bzhi_u32(255, (unsigned)n);
}

INLINE Bytes all_squares(void) {
    return _mm512_load_si512((const void *)byte_numbers);
}

/*
 * Eight boards turned into 64 bytes, one for each square: bit n of byte s says whether board n has square s. The bytes
 * of one rank are brought together, then rows and columns of bits change places.
 */
INLINE Bytes bits_by_square(Bytes boards) {
    const Bytes by_rank = _mm512_permutexvar_epi8(_mm512_load_si512((const void *)ranks_together), boards);
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201ull), by_rank, 0);
}
