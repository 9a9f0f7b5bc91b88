/* SPDX-License-Identifier: MIT */
/*
 * A small number for each square: how many moves arrive there, or how many replies a piece there costs. A whole set of
 * squares is added to at once, and two such boards are multiplied square by square and summed.
 *
 * With AVX-512 a set is a mask as it stands: 64 squares lie in one register, 17 in another.
 */
#pragma once
#include "rules/types.h"

#if defined(__AVX512VBMI2__)
#include <immintrin.h>

typedef struct {
    __m512i lower; /* squares 0 to 63 */
    __m256i upper; /* squares 64 to 80 */
} SquareCounts;

INLINE SquareCounts square_counts_none(void) {
    return (SquareCounts){_mm512_setzero_si512(), _mm256_setzero_si256()};
}
/* Adds n to each square of the set. */
INLINE void square_counts_add(SquareCounts *c, Squares set, int n) {
    c->lower = _mm512_mask_add_epi8(c->lower, lower_word(set), c->lower, _mm512_set1_epi8((char)n));
    c->upper = _mm256_mask_add_epi8(c->upper, (__mmask32)upper_word(set), c->upper, _mm256_set1_epi8((char)n));
}
/* The sum of a times b over all squares. */
INLINE int64_t square_counts_product(const SquareCounts *a, const SquareCounts *b) {
    const __m512i ones = _mm512_set1_epi16(1);
    const __m512i lower = _mm512_madd_epi16(_mm512_maddubs_epi16(a->lower, b->lower), ones);
    const __m512i upper = _mm512_madd_epi16(
        _mm512_maddubs_epi16(_mm512_zextsi256_si512(a->upper), _mm512_zextsi256_si512(b->upper)), ones);
    return _mm512_reduce_add_epi32(_mm512_add_epi32(lower, upper));
}

/* That of one square. */
INLINE int square_count(const SquareCounts *c, int s) {
    return ((const uint8_t *)c)[s];
}

#else

typedef struct {
    uint8_t of[BOARD_SQUARES];
} SquareCounts;

INLINE SquareCounts square_counts_none(void) {
    return (SquareCounts){{0}};
}
INLINE void square_counts_add(SquareCounts *c, Squares set, int n) {
    EACH_SQUARE (s, set) c->of[s] = (uint8_t)(c->of[s] + n);
}
INLINE int64_t square_counts_product(const SquareCounts *a, const SquareCounts *b) {
    int sum = 0;
    for (int s = 0; s < BOARD_SQUARES; s++) sum += a->of[s] * b->of[s];
    return sum;
}
INLINE int square_count(const SquareCounts *c, int s) {
    return c->of[s];
}

#endif
