/* SPDX-License-Identifier: MIT */
/*
 * Bitboards in SIMD lanes: eight in one 512-bit register, or four in a 256-bit one (LANES), and the operations on them.
 * Sets of squares are combined with C's own operators (& | ^ ~ + - << >>), which work lane by lane; a plain Bits beside
 * a BitsVector stands for as many equal bitboards.
 *
 *      register   | board 7 | board 6 |  . . .  | board 1 | board 0 |       512 bits
 *      a board    | rank 8 | rank 7 |  . . .  | rank 2 | rank 1 |            64 bits, a byte for each rank
 *      a rank       h g f e d c b a                                           8 bits
 *
 * Two transformations of a board take one instruction each (GF2P8AFFINEQB), because it treats eight bytes as an 8 x 8
 * matrix of bits:
 *
 *      mirror_files       every rank is reversed: a <-> h
 *      flip_antidiagonal  ranks become files: h1 and a8 stay where they are, a1 <-> h8
 *
 * With them a line in any of the four orthogonal directions can be made to run along a byte toward its high bit, which
 * is the way a carry runs.
 */
#pragma once
#include <immintrin.h>

#include "tables.h"

#ifndef LANES
#define LANES 8
#endif

#if LANES == 8
#define SIMD(operation) _mm512_##operation
typedef __m512i Register;
#else
#define SIMD(operation) _mm256_##operation
typedef __m256i Register;
#endif
typedef uint64_t BitsVector __attribute__((vector_size(8 * LANES)));
typedef __mmask8 LaneMask; /* one bit for each lane */

INLINE BitsVector broadcast(Bits b) {
    return b | (BitsVector){0};
}
INLINE BitsVector zero_vector(void) {
    return (BitsVector){0};
}

/* Shifts every board by so many squares; what leaves the board at one side enters at the other. */
INLINE BitsVector shift_lanes(BitsVector b, int squares) {
    return squares > 0 ? b << squares : b >> -squares;
}
INLINE BitsVector forward_lanes(BitsVector b, Colour c) {
    return shift_lanes(b, pawn_up(c));
}

INLINE BitsVector popcount_lanes(BitsVector b) {
    return (BitsVector)SIMD(popcnt_epi64)((Register)b);
}
INLINE BitsVector three_times(BitsVector n) {
    return n + (n << 1);
}
/* Numbers below 2^32 only. */
INLINE BitsVector multiply_lanes(BitsVector a, BitsVector b) {
    return (BitsVector)SIMD(mul_epu32)((Register)a, (Register)b);
}
/* The lanes in which a and b intersect, or are disjoint. */
INLINE LaneMask lanes_intersecting(BitsVector a, BitsVector b) {
    return SIMD(test_epi64_mask)((Register)a, (Register)b);
}
INLINE LaneMask lanes_disjoint(BitsVector a, BitsVector b) {
    return SIMD(testn_epi64_mask)((Register)a, (Register)b);
}
INLINE BitsVector keep_lanes(LaneMask w, BitsVector b) {
    return (BitsVector)SIMD(maskz_mov_epi64)(w, (Register)b);
}
/* a where the mask is set, else b. */
INLINE BitsVector blend_lanes(LaneMask w, BitsVector a, BitsVector b) {
    return (BitsVector)SIMD(mask_mov_epi64)((Register)b, w, (Register)a);
}
INLINE BitsVector masked_add(LaneMask w, BitsVector a, BitsVector b) {
    return (BitsVector)SIMD(mask_add_epi64)((Register)a, w, (Register)a, (Register)b);
}
INLINE BitsVector masked_or(LaneMask w, BitsVector a, BitsVector b) {
    return (BitsVector)SIMD(mask_or_epi64)((Register)a, w, (Register)a, (Register)b);
}
INLINE BitsVector masked_and(LaneMask w, BitsVector a, BitsVector b) {
    return (BitsVector)SIMD(mask_and_epi64)((Register)a, w, (Register)a, (Register)b);
}

INLINE BitsVector mirror_files(BitsVector b) {
    return (BitsVector)SIMD(gf2p8affine_epi64_epi8)((Register)b, (Register)broadcast(0x8040201008040201), 0);
}
INLINE BitsVector flip_antidiagonal(BitsVector b) {
    return (BitsVector)SIMD(gf2p8affine_epi64_epi8)((Register)broadcast(0x0102040810204080), (Register)b, 0);
}

/* Byte by byte: a carry out of a rank is lost. */
INLINE BitsVector subtract_bytes(BitsVector a, BitsVector b) {
    return (BitsVector)SIMD(sub_epi8)((Register)a, (Register)b);
}
INLINE BitsVector double_bytes(BitsVector b) {
    return (BitsVector)SIMD(add_epi8)((Register)b, (Register)b);
}

/*
 * occ ^ o_minus_2r(occ, pieces) are the squares that pieces attack on their ranks toward the h-file: subtracting twice
 * a piece from the occupied squares of its rank borrows from the first piece beyond it, and the borrow stops at the
 * byte's end ("Subtracting a Rook from a Blocking Piece", chessprogramming wiki).
 */
INLINE BitsVector o_minus_2r(BitsVector occ, BitsVector pieces) {
    return subtract_bytes(occ, double_bytes(pieces));
}

/* The highest bit of each board; 0 stays 0. */
INLINE BitsVector highest_bit(BitsVector b) {
    return (BitsVector)SIMD(srlv_epi64)((Register)broadcast(1ull << 63), SIMD(lzcnt_epi64)((Register)b));
}

/* Squares (64: none), a byte for each lane, as boards of one bit. */
INLINE BitsVector square_bits(__m128i squares) {
    return (BitsVector)SIMD(sllv_epi64)((Register)broadcast(1), SIMD(cvtepu8_epi64)(squares));
}
