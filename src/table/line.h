/* SPDX-License-Identifier: MIT */
/*
 * A whole line at once: which of four slots of one data word has a certain identity, and which is worth least.
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

/* What four slots hold, their identities taken out of the check words. The lanes are slots 0, 2, 1 and 3. */
typedef struct {
    __m256i identity, data;
} Four;

INLINE Four four_load(const Word *group, Integrity how) {
    const __m256i low = line_half(group, how), high = line_half(group + 4, how);
    const __m256i data = _mm256_unpackhi_epi64(low, high), check = _mm256_unpacklo_epi64(low, high);
    if (how != TABIA_XOR) return (Four){check, data};
    const __m256i hash = _mm256_mullo_epi64(data, _mm256_set1_epi64x((long long)hash_factor));
    return (Four){_mm256_xor_si256(check, hash), data};
}

INLINE __m256i four_of(uint64_t word) {
    return _mm256_set1_epi64x((long long)word);
}

/* The lanes whose identity agrees with `identity` in the bits of `compared`. */
INLINE __mmask8 four_same(Four l, uint64_t identity, uint64_t compared) {
    return _mm256_testn_epi64_mask(_mm256_xor_si256(l.identity, four_of(identity)), four_of(compared));
}

/* The first of these lanes; {0, 0} of none. */
INLINE Pair four_pick(Four l, __mmask8 which) {
    const __m256i identity = _mm256_maskz_compress_epi64(which, l.identity);
    const __m256i data = _mm256_maskz_compress_epi64(which, l.data);
    return (Pair){(uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(identity)),
                  (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(data))};
}

/* The slot worth least, of several the first; one of `preferred` if there is any. Worths are of 61 bits and a sign. */
INLINE unsigned four_least(__m256i worth, __mmask8 preferred) {
    const __m256i slot = _mm256_set_epi64x(3, 1, 2, 0);
    __m256i rank = _mm256_or_si256(_mm256_slli_epi64(worth, 2), slot);
    rank = _mm256_mask_or_epi64(rank, preferred, slot, four_of((uint64_t)1 << 63));
    const __m128i half = _mm_min_epi64(_mm256_castsi256_si128(rank), _mm256_extracti128_si256(rank, 1));
    return _mm_cvtsi128_si64(_mm_min_epi64(half, _mm_unpackhi_epi64(half, half))) & 3;
}

/* The lane that a slot is in. */
INLINE __mmask8 four_at(unsigned slot) {
    return (__mmask8)(1 << (slot >> 1 | (slot & 1) << 1));
}
#endif

INLINE Pair line_pick(const Word *group, uint64_t identity, uint64_t compared, Integrity how, unsigned ways) {
#ifndef LINE_BY_WORDS
    if (ways == 4 && how != TABIA_LOCKED) {
        const Four l = four_load(group, how);
        return four_pick(l, four_same(l, identity, compared));
    }
#endif
    return line_pick_by_words(group, identity, compared, how, ways);
}
