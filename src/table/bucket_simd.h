/* SPDX-License-Identifier: MIT */
/*
 * Four slots at once, by AVX2 or AVX-512; nothing on other processors.
 *
 *     | check data check data | check data check data |      two vectors of 32 bytes
 *       \_ check check check check   data data data data     sorted apart; hashed, compared and picked in four lanes
 *
 * Which slot it is, and whether there is one, no processor can foresee; so nothing branches. The vectors are read once,
 * in assembly, so that a compiler cannot read twice what others write meanwhile. That the words of a vector may be of
 * different moments does no harm: the check tells (xor), or nothing does (none).
 */
#pragma once
#include "slot.h"

/* The thread sanitizer must see every access, so it gets the plain text. */
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZED
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZED
#endif
#endif

/* GCC keeps vectors of 32 bytes on the stack of Windows, which it aligns to 16 only, and faults there (its bug 54412). */
#if defined(_WIN32) && !defined(__clang__)
#define STACK_UNALIGNED 1
#else
#define STACK_UNALIGNED 0
#endif

#if defined(THREAD_SANITIZED) || STACK_UNALIGNED || TABIA_PLAIN_XOR || !defined(__AVX2__)
#define BUCKET_SCALAR
#elif defined(__AVX512VL__) && defined(__AVX512DQ__)
#define BUCKET_AVX512
#endif

#ifndef BUCKET_SCALAR
#include <immintrin.h>

/* ---- lanes of 64 bits, and some of them ---- */

INLINE __m256i simd_of(uint64_t word) {
    return _mm256_set1_epi64x((long long)word);
}

#ifdef BUCKET_AVX512
typedef __mmask8 SimdMask;

INLINE SimdMask simd_zero(__m256i v) {
    return _mm256_testn_epi64_mask(v, v);
}
INLINE SimdMask simd_greater(__m256i a, __m256i b) {
    return _mm256_cmpgt_epi64_mask(a, b);
}
INLINE SimdMask simd_either(SimdMask a, SimdMask b) {
    return a | b;
}
INLINE bool simd_any(SimdMask some) {
    return some != 0;
}
INLINE __m256i simd_choose(SimdMask some, __m256i there, __m256i elsewhere) {
    return _mm256_mask_mov_epi64(elsewhere, some, there);
}
INLINE __m256i simd_multiply(__m256i a, uint64_t factor) {
    return _mm256_mullo_epi64(a, simd_of(factor));
}
INLINE __m128i simd_less(__m128i a, __m128i b) {
    return _mm_min_epi64(a, b);
}
#else
typedef __m256i SimdMask; /* all bits of a lane, or none */

INLINE SimdMask simd_zero(__m256i v) {
    return _mm256_cmpeq_epi64(v, _mm256_setzero_si256());
}
INLINE SimdMask simd_greater(__m256i a, __m256i b) {
    return _mm256_cmpgt_epi64(a, b);
}
INLINE SimdMask simd_either(SimdMask a, SimdMask b) {
    return _mm256_or_si256(a, b);
}
INLINE bool simd_any(SimdMask some) {
    return !_mm256_testz_si256(some, some);
}
INLINE __m256i simd_choose(SimdMask some, __m256i there, __m256i elsewhere) {
    return _mm256_blendv_epi8(elsewhere, there, some);
}
INLINE __m256i simd_multiply(__m256i a, uint64_t factor) {
    const __m256i low = simd_of(factor), high = simd_of(factor >> 32);
    const __m256i crosswise =
        _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), low), _mm256_mul_epu32(a, high));
    return _mm256_add_epi64(_mm256_mul_epu32(a, low), _mm256_slli_epi64(crosswise, 32));
}
INLINE __m128i simd_less(__m128i a, __m128i b) {
    return _mm_blendv_epi8(a, b, _mm_cmpgt_epi64(a, b));
}
#endif

/* ---- four slots ---- */

/* Two slots. wide: each by the access that is atomic; else both at once. */
INLINE __m256i simd_half(const Word *slots, Integrity integrity) {
    __m256i both;
    if (integrity == TABIA_WIDE) {
        __m128i one, other;
        __asm__ volatile("vmovdqa %1, %0" : "=x"(one) : "m"(*(const __m128i *)slots));
        __asm__ volatile("vmovdqa %1, %0" : "=x"(other) : "m"(*(const __m128i *)(slots + 2)));
        return _mm256_inserti128_si256(_mm256_castsi128_si256(one), other, 1);
    }
    __asm__ volatile("vmovdqa %1, %0" : "=x"(both) : "m"(*(const __m256i *)slots));
    return both;
}

/* What they hold, their identities taken out of the check words. The lanes are slots 0, 2, 1 and 3. */
typedef struct {
    __m256i identity, data;
} SimdSlots;

INLINE __m256i simd_slots(void) {
    return _mm256_set_epi64x(3, 1, 2, 0);
}

/* A bucket as it lies in memory: slots 0 and 1, slots 2 and 3. */
typedef struct {
    __m256i low, high;
} SimdBucket;

INLINE SimdBucket simd_bucket(const Word *bucket, Integrity integrity) {
    return (SimdBucket){simd_half(bucket, integrity), simd_half(bucket + 4, integrity)};
}

INLINE SimdSlots simd_sorted(SimdBucket b, Integrity integrity) {
    const __m256i data = _mm256_unpackhi_epi64(b.low, b.high), check = _mm256_unpacklo_epi64(b.low, b.high);
    return (SimdSlots){integrity == TABIA_XOR ? _mm256_xor_si256(check, simd_multiply(data, hash_factor)) : check,
                       data};
}

INLINE SimdSlots simd_load(const Word *bucket, Integrity integrity) {
    return simd_sorted(simd_bucket(bucket, integrity), integrity);
}

/* slots_move_back() of a bucket that was read as b. */
INLINE void simd_move_back(Word *bucket, SimdBucket b, unsigned least) {
    const __m256i to = simd_of(least), inner = _mm256_permute2x128_si256(b.low, b.high, 0x21);
    const __m256i high = simd_choose(simd_greater(to, _mm256_set_epi64x(2, 2, 1, 1)), inner, b.high);
    const __m256i first = simd_choose(simd_greater(to, simd_of(0)), b.low, _mm256_permute4x64_epi64(b.low, 0x4e));
    __asm__ volatile("vmovdqa %1, %0" : "=m"(*(__m256i *)(bucket + 4)) : "x"(high));
    __asm__ volatile("vmovdqa %1, %0" : "=m"(*(__m128i *)(bucket + 2)) : "x"(_mm256_castsi256_si128(first)));
}

/* Zeros in a bucket that nobody is about to read: whole lines past the caches, by words of which no half is written. */
INLINE void simd_zero_uncached(Word *bucket) {
    const __m256i zero = _mm256_setzero_si256();
    __asm__ volatile("vmovntdq %1, %0" : "=m"(*(__m256i *)bucket) : "x"(zero));
    __asm__ volatile("vmovntdq %1, %0" : "=m"(*(__m256i *)(bucket + 4)) : "x"(zero));
}

/* What is written past the caches comes before what is written next. A release does not say so: these stores are none
   that it knows. */
INLINE void simd_order_uncached(void) {
    _mm_sfence();
}

/* The lanes whose identity agrees with `identity` in the bits of `compared`. */
INLINE SimdMask simd_same(SimdSlots l, uint64_t identity, uint64_t compared) {
    return simd_zero(_mm256_and_si256(_mm256_xor_si256(l.identity, simd_of(identity)), simd_of(compared)));
}

/* The lane that a slot is in. */
INLINE SimdMask simd_at(unsigned slot) {
    return simd_zero(_mm256_xor_si256(simd_slots(), simd_of(slot)));
}

/* The first of these lanes; {0, 0} of none. */
INLINE SlotPair simd_pick(SimdSlots l, SimdMask which) {
#ifdef BUCKET_AVX512
    const __m256i identity = _mm256_maskz_compress_epi64(which, l.identity);
    const __m256i data = _mm256_maskz_compress_epi64(which, l.data);
    return (SlotPair){(uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(identity)),
                      (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(data))};
#else
    enum { NONE = 4 };
    uint64_t identity[NONE + 1], data[NONE + 1];
    const unsigned lane = (unsigned)lsb((unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(which)) | 1 << NONE);
    _mm256_storeu_si256((__m256i_u *)identity, l.identity);
    _mm256_storeu_si256((__m256i_u *)data, l.data);
    identity[NONE] = data[NONE] = 0;
    return (SlotPair){identity[lane], data[lane]};
#endif
}

/* A slot and its priority. */
typedef struct {
    unsigned slot;
    int64_t priority;
} SimdLeast;

/* The slot of lowest priority, of several the first; one of `preferred`, lower than all, if there is any. Priorities are
   of 61 bits and a sign. */
INLINE SimdLeast simd_least(__m256i priority, SimdMask preferred) {
    const __m256i slot = simd_slots(), before = _mm256_or_si256(slot, simd_of((uint64_t)1 << 63));
    const __m256i rank = simd_choose(preferred, before, _mm256_or_si256(_mm256_slli_epi64(priority, 2), slot));
    const __m128i half = simd_less(_mm256_castsi256_si128(rank), _mm256_extracti128_si256(rank, 1));
    const int64_t least = _mm_cvtsi128_si64(simd_less(half, _mm_unpackhi_epi64(half, half)));
    return (SimdLeast){(unsigned)least & 3, least >> 2};
}
#endif
