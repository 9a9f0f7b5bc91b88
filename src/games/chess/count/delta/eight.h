/* SPDX-License-Identifier: MIT */
/*
 * Eight directions at once: one set of squares for each, in two groups of four lanes. In the one group squares are
 * numbered upward along the direction, in the other downward, so a step is one shift by a constant for each lane, and
 * the opposite direction is the same lane of the other group:
 *
 *          NW   N   NE                lane      0    1    2    3
 *            \  |  /                  up        N    E    NE   NW      (<< 8, 1, 9, 7)
 *        W -- men -- E                down      S    W    SW   SE      (>> 8, 1, 9, 7)
 *            /  |  \                  movers    orth orth diag diag
 *          SW   S   SE
 *
 * All sliders of a side are filled together: rooks and queens start in the four straight lanes, bishops and queens in
 * the four slanted ones. A square is seen in a lane by at most one man, because the nearer man stands in the way of the
 * farther. So the number of bits in all lanes is the number of moves.
 *
 * Written with the compilers' vectors, so it compiles anywhere; counting bits is spelt out for AVX2.
 */
#pragma once
#include "rules/types.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef uint64_t Four __attribute__((vector_size(32)));

typedef struct {
    Four up, down;
} Eight;

INLINE Four four(Bits b) {
    return (Four){b, b, b, b};
}
INLINE Eight eight_and(Eight x, Bits b) {
    return (Eight){x.up & four(b), x.down & four(b)};
}
INLINE Eight eight_or(Eight x, Eight y) {
    return (Eight){x.up | y.up, x.down | y.down};
}

/* The squares that a step in the direction can arrive on: those that wrapped around the edge are off. */
static const Four enter_up = {~(Bits)0, ~FILE_A, ~FILE_A, ~FILE_H};
static const Four enter_down = {~(Bits)0, ~FILE_H, ~FILE_H, ~FILE_A};
static const Four one_step = {8, 1, 9, 7}, two_steps = {16, 2, 18, 14}, four_steps = {32, 4, 36, 28};

/*
 * What sliders see in each direction: through the empty squares up to the first man, and him. Doubling (Kogge and
 * Stone): after one step, two and four more, a run of seven empty squares is crossed.
 */
INLINE Eight eight_see(Bits orth, Bits diag, Bits empty) {
    const Four from = {orth, orth, diag, diag};
    Four up = from, down = from, go_up = four(empty) & enter_up, go_down = four(empty) & enter_down;
    up |= go_up & (up << one_step);
    down |= go_down & (down >> one_step);
    go_up &= go_up << one_step;
    go_down &= go_down >> one_step;
    up |= go_up & (up << two_steps);
    down |= go_down & (down >> two_steps);
    go_up &= go_up << two_steps;
    go_down &= go_down >> two_steps;
    up |= go_up & (up << four_steps);
    down |= go_down & (down >> four_steps);
    return (Eight){(up << one_step) & enter_up, (down >> one_step) & enter_down};
}

/* Of the squares in each lane, those whose next square in the direction is in it too. */
INLINE Eight eight_with_next(Eight x) {
    return (Eight){x.up & (x.up >> one_step), x.down & (x.down << one_step)};
}

INLINE Bits four_union(Four x) {
#ifdef __AVX2__
    __m128i half = _mm_or_si128(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    return (Bits)_mm_cvtsi128_si64(half) | (Bits)_mm_extract_epi64(half, 1);
#else
    return x[0] | x[1] | x[2] | x[3];
#endif
}
INLINE Bits eight_union(Eight x) {
    return four_union(x.up | x.down);
}

INLINE uint64_t four_sum(Four x) {
#ifdef __AVX2__
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
#else
    return x[0] + x[1] + x[2] + x[3];
#endif
}

#ifdef __AVX2__
/* For each byte the members of its two halves, times `weight`, by look-up in a register. */
INLINE __m256i count_bytes(Four x, char weight) {
    const char w = weight, w2 = (char)(2 * w), w3 = (char)(3 * w), w4 = (char)(4 * w);
    const __m256i counts = _mm256_setr_epi8(0, w, w, w2, w, w2, w2, w3, w, w2, w2, w3, w2, w3, w3, w4, 0, w, w, w2, w,
                                            w2, w2, w3, w, w2, w2, w3, w2, w3, w3, w4);
    const __m256i nibble = _mm256_set1_epi8(15), v = (__m256i)x;
    return _mm256_add_epi8(_mm256_shuffle_epi8(counts, _mm256_and_si256(v, nibble)),
                           _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi64(v, 4), nibble)));
}
#else
INLINE Four count_four(Four x) {
    return (Four){(Bits)count(x[0]), (Bits)count(x[1]), (Bits)count(x[2]), (Bits)count(x[3])};
}
#endif

/* How many squares in all lanes together. */
INLINE uint64_t eight_count(Eight x) {
#ifdef __AVX2__
    return four_sum(
        (Four)_mm256_sad_epu8(_mm256_add_epi8(count_bytes(x.up, 1), count_bytes(x.down, 1)), _mm256_setzero_si256()));
#else
    return four_sum(count_four(x.up) + count_four(x.down));
#endif
}

/* In how many lanes is that square? */
INLINE int eight_lanes_with(Eight x, Bits square) {
#ifdef __AVX2__
    const __m256i b = (__m256i)four(square);
    const __m256i up = _mm256_cmpeq_epi64(_mm256_and_si256((__m256i)x.up, b), b);
    const __m256i down = _mm256_cmpeq_epi64(_mm256_and_si256((__m256i)x.down, b), b);
    return count((Bits)_mm256_movemask_pd((__m256d)up) | (Bits)_mm256_movemask_pd((__m256d)down) << 4);
#else
    int n = 0;
    for (int i = 0; i < 4; i++) n += ((x.up[i] & square) != 0) + ((x.down[i] & square) != 0);
    return n;
#endif
}

/* Numbers of up to four bits, one for each square and lane: bit i of each is in at[i]. */
typedef struct {
    Four at[4];
} Weights;

/* The sum, in each lane, of the numbers on the squares of a set. */
INLINE Four weights_on(const Weights *w, Bits set) {
    const Four s = four(set);
#ifdef __AVX2__
    __m256i sum = _mm256_add_epi8(_mm256_add_epi8(count_bytes(w->at[0] & s, 1), count_bytes(w->at[1] & s, 2)),
                                  _mm256_add_epi8(count_bytes(w->at[2] & s, 4), count_bytes(w->at[3] & s, 8)));
    return (Four)_mm256_sad_epu8(sum, _mm256_setzero_si256());
#else
    return count_four(w->at[0] & s) + 2 * count_four(w->at[1] & s) + 4 * count_four(w->at[2] & s) +
           8 * count_four(w->at[3] & s);
#endif
}
