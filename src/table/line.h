/* SPDX-License-Identifier: MIT */
/*
 * A whole line looked through at once: which of four slots of one data word has a certain identity.
 *
 *     | check data check data | check data check data |      two vectors of 32 bytes
 *       \_ check check check check   data data data data     sorted apart; hashed, compared and picked in four lanes
 *
 * Which slot it is, and whether there is one, no processor can foresee; so nothing branches. The vectors are read once,
 * in assembly, so that a compiler cannot read twice what others write meanwhile. That the words of a vector may be of
 * different moments does no harm: the check tells (xor), or nothing does (none).
 */
#pragma once
#include "table/slot.h"

/* The sanitizer must see every access, so it gets the plain text. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LINE_BY_WORDS
#endif
#endif
#if TABIA_PLAIN_XOR || defined(__SANITIZE_THREAD__) || !defined(__AVX512VL__) || !defined(__AVX512DQ__)
#define LINE_BY_WORDS
#endif

/* The slot whose identity agrees with `identity` in the bits of `compared`, or {0, 0}; of several, any one. */
INLINE Pair line_pick_by_words(const Word *group, uint64_t identity, uint64_t compared, Integrity how, unsigned ways) {
    Pair found = {0, 0};
#pragma GCC unroll 4
    for (unsigned i = ways; i-- > 0;) {
        const Pair slot = slot_load(group + 2 * i, how);
        const bool same = ((slot.check ^ identity) & compared) == 0;
        found.check = same ? slot.check : found.check;
        found.data = same ? slot.data : found.data;
    }
    return found;
}

#ifndef LINE_BY_WORDS
#include <immintrin.h>

/* Two slots. wide: each by the access that is atomic; else both at once. */
INLINE __m256i line_half(const Word *slots, Integrity how) {
    __m256i both;
    if (how == TABIA_WIDE) {
        __m128i one, other;
        __asm__ volatile("vmovdqa %1, %0" : "=x"(one) : "m"(*(const __m128i *)slots));
        __asm__ volatile("vmovdqa %1, %0" : "=x"(other) : "m"(*(const __m128i *)(slots + 2)));
        return _mm256_inserti128_si256(_mm256_castsi128_si256(one), other, 1);
    }
    __asm__ volatile("vmovdqa64 %1, %0" : "=v"(both) : "m"(*(const __m256i *)slots));
    return both;
}

INLINE Pair line_pick_by_lanes(const Word *group, uint64_t identity, uint64_t compared, Integrity how) {
    const __m256i low = line_half(group, how), high = line_half(group + 4, how);
    const __m256i data = _mm256_unpackhi_epi64(low, high);
    __m256i check = _mm256_unpacklo_epi64(low, high);
    if (how == TABIA_XOR)
        check = _mm256_xor_si256(check, _mm256_mullo_epi64(data, _mm256_set1_epi64x((long long)hash_factor)));
    const __m256i differs = _mm256_xor_si256(check, _mm256_set1_epi64x((long long)identity));
    const __mmask8 same = _mm256_testn_epi64_mask(differs, _mm256_set1_epi64x((long long)compared));
    const __m256i picked_check = _mm256_maskz_compress_epi64(same, check);
    const __m256i picked_data = _mm256_maskz_compress_epi64(same, data);
    return (Pair){(uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(picked_check)),
                  (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(picked_data))};
}
#endif

INLINE Pair line_pick(const Word *group, uint64_t identity, uint64_t compared, Integrity how, unsigned ways) {
#ifndef LINE_BY_WORDS
    if (ways == 4 && how != TABIA_LOCKED) return line_pick_by_lanes(group, identity, compared, how);
#endif
    return line_pick_by_words(group, identity, compared, how, ways);
}
