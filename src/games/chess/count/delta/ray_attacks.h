/* SPDX-License-Identifier: MIT */
/*
 * Attacks in eight directions at once: a set of squares for each direction, in two vectors of four lanes. In the one
 * vector squares are numbered upward along the direction (positive rays), in the other downward (negative rays), so a
 * step is one shift by a constant for each lane, and the opposite direction is the same lane of the other vector:
 *
 *          NW   N   NE                lane      0    1    2    3
 *            \  |  /                  positive  N    E    NE   NW      (<< 8, 1, 9, 7)
 *        W - piece - E                negative  S    W    SW   SE      (>> 8, 1, 9, 7)
 *            /  |  \                  sliders   orth orth diag diag
 *          SW   S   SE
 *
 * All sliders of a side are filled together: rooks and queens start in the four orthogonal lanes, bishops and queens in
 * the four diagonal ones. In a lane a square is attacked by at most one piece, because the nearer piece blocks the
 * farther. So the number of bits in all lanes is the number of moves.
 *
 * Written with the compilers' vectors, so it compiles for any CPU; counting bits has a version for AVX2.
 */
#pragma once
#include "rules/types.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint64_t Bits4 __attribute__((vector_size(32)));

typedef struct {
    Bits4 positive, negative;
} RayAttacks;

INLINE Bits4 broadcast4(Bits b) {
    return (Bits4){b, b, b, b};
}
INLINE RayAttacks ray_attacks_and(RayAttacks x, Bits b) {
    return (RayAttacks){x.positive & broadcast4(b), x.negative & broadcast4(b)};
}
INLINE RayAttacks ray_attacks_or(RayAttacks x, RayAttacks y) {
    return (RayAttacks){x.positive | y.positive, x.negative | y.negative};
}

/* The squares that a step in the direction can arrive on: those that wrapped around the edge are masked out. */
static const Bits4 positive_entry = {~(Bits)0, ~FILE_A, ~FILE_A, ~FILE_H};
static const Bits4 negative_entry = {~(Bits)0, ~FILE_H, ~FILE_H, ~FILE_A};
static const Bits4 one_step = {8, 1, 9, 7}, two_steps = {16, 2, 18, 14}, four_steps = {32, 4, 36, 28};

/*
 * What sliders attack in each direction: the empty squares up to the first piece, and that piece. A parallel prefix
 * fill (Kogge-Stone): steps of one, two and four cross a run of seven empty squares.
 */
INLINE RayAttacks ray_attacks_fill(Bits orth, Bits diag, Bits empty) {
    const Bits4 sliders = {orth, orth, diag, diag};
    Bits4 positive = sliders, negative = sliders;
    Bits4 open_positive = broadcast4(empty) & positive_entry, open_negative = broadcast4(empty) & negative_entry;
    positive |= open_positive & (positive << one_step);
    negative |= open_negative & (negative >> one_step);
    open_positive &= open_positive << one_step;
    open_negative &= open_negative >> one_step;
    positive |= open_positive & (positive << two_steps);
    negative |= open_negative & (negative >> two_steps);
    open_positive &= open_positive << two_steps;
    open_negative &= open_negative >> two_steps;
    positive |= open_positive & (positive << four_steps);
    negative |= open_negative & (negative >> four_steps);
    return (RayAttacks){(positive << one_step) & positive_entry, (negative >> one_step) & negative_entry};
}

/* Of the squares in each lane, those whose next square in the direction is in it too. */
INLINE RayAttacks ray_attacks_with_next(RayAttacks x) {
    return (RayAttacks){x.positive & (x.positive >> one_step), x.negative & (x.negative << one_step)};
}

INLINE Bits union4(Bits4 x) {
#ifdef __AVX2__
    __m128i half = _mm_or_si128(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    return (Bits)_mm_cvtsi128_si64(half) | (Bits)_mm_extract_epi64(half, 1);
#else
    return x[0] | x[1] | x[2] | x[3];
#endif
}
INLINE Bits ray_attacks_union(RayAttacks x) {
    return union4(x.positive | x.negative);
}

INLINE uint64_t sum4(Bits4 x) {
#ifdef __AVX2__
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
#else
    return x[0] + x[1] + x[2] + x[3];
#endif
}

#ifdef __AVX2__
/* For each byte its bits times `weight`, by a table of nibbles in a register (Mula, "Faster population counts", 2016).
   */
INLINE __m256i popcount_bytes(Bits4 x, char weight) {
    const char w = weight, w2 = (char)(2 * w), w3 = (char)(3 * w), w4 = (char)(4 * w);
    const __m256i counts = _mm256_setr_epi8(0, w, w, w2, w, w2, w2, w3, w, w2, w2, w3, w2, w3, w3, w4, 0, w, w, w2, w,
                                            w2, w2, w3, w, w2, w2, w3, w2, w3, w3, w4);
    const __m256i nibble = _mm256_set1_epi8(15), v = (__m256i)x;
    return _mm256_add_epi8(_mm256_shuffle_epi8(counts, _mm256_and_si256(v, nibble)),
                           _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi64(v, 4), nibble)));
}
#else
INLINE Bits4 popcount4(Bits4 x) {
    return (Bits4){(Bits)popcount(x[0]), (Bits)popcount(x[1]), (Bits)popcount(x[2]), (Bits)popcount(x[3])};
}
#endif

/* The number of squares in all lanes together. */
INLINE uint64_t ray_attacks_count(RayAttacks x) {
#ifdef __AVX2__
    return sum4((Bits4)_mm256_sad_epu8(_mm256_add_epi8(popcount_bytes(x.positive, 1), popcount_bytes(x.negative, 1)),
                                       _mm256_setzero_si256()));
#else
    return sum4(popcount4(x.positive) + popcount4(x.negative));
#endif
}

/* From how many directions is that square attacked? */
INLINE int ray_attacks_on(RayAttacks x, Bits square) {
#ifdef __AVX2__
    const __m256i b = (__m256i)broadcast4(square);
    const __m256i positive = _mm256_cmpeq_epi64(_mm256_and_si256((__m256i)x.positive, b), b);
    const __m256i negative = _mm256_cmpeq_epi64(_mm256_and_si256((__m256i)x.negative, b), b);
    return popcount((Bits)_mm256_movemask_pd((__m256d)positive) | (Bits)_mm256_movemask_pd((__m256d)negative) << 4);
#else
    int n = 0;
    for (int i = 0; i < 4; i++) n += ((x.positive[i] & square) != 0) + ((x.negative[i] & square) != 0);
    return n;
#endif
}

/* Bit-sliced numbers of up to three bits, one for each square and lane: bit i of each is in digit[i]. */
typedef struct {
    Bits4 digit[3];
} SlicedNumbers;

/* The sum, in each lane, of the numbers on the squares of a set. */
INLINE Bits4 sliced_sum(const SlicedNumbers *n, Bits set) {
    const Bits4 s = broadcast4(set);
#ifdef __AVX2__
    __m256i sum =
        _mm256_add_epi8(_mm256_add_epi8(popcount_bytes(n->digit[0] & s, 1), popcount_bytes(n->digit[1] & s, 2)),
                        popcount_bytes(n->digit[2] & s, 4));
    return (Bits4)_mm256_sad_epu8(sum, _mm256_setzero_si256());
#else
    return popcount4(n->digit[0] & s) + 2 * popcount4(n->digit[1] & s) + 4 * popcount4(n->digit[2] & s);
#endif
}
