/* SPDX-License-Identifier: MIT */
/*
 * A bucket of four slots of one data word: which of them has a certain identity. Nothing branches on it: whether a
 * position is there cannot be predicted, and a mispredicted branch takes as long as two probes.
 *
 * Plain C reads slot by slot, on any processor. On x86-64 four lanes compare the lower halves of all identities first;
 * the lower half of a product depends on the lower halves of its factors only:
 *
 *     (data 64 x factor 64) XOR check  =  [ ................................ | 32 bits ]  =  identity?
 *
 * A slot whose bits agree is then read again and compared whole. What is returned is of that second reading only: the
 * vectors say where to look, so it does no harm that their words may be of different moments. Once in 16,384 times, with 16
 * path bits, a slot agrees that is not the position's; then plain C looks through all.
 *
 * AVX-512 has a product of whole words, so that a probe compares all identities whole, and reads nothing again.
 */
#pragma once
#include "slot.h"

enum { BUCKET_SLOTS = 4 };

/* The thread sanitizer must see every access. */
#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZED
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZED
#endif
#endif
#if defined(__x86_64__) && !defined(THREAD_SANITIZED)
#define BUCKET_SIMD
/* GCC keeps vectors of 32 bytes on the stack of Windows, which it aligns to 16 only (its bug 54412). */
#if defined(__AVX512VL__) && defined(__AVX512DQ__) && (defined(__clang__) || !defined(_WIN32))
#define BUCKET_AVX512
typedef uint64_t BucketWords __attribute__((vector_size(32)));
#endif
#include <immintrin.h>
#endif

/* What was found. slot: its number, or BUCKET_SLOTS, and a pair of zeros, where there is none. */
typedef struct {
    SlotPair pair;
    unsigned slot;
} BucketFind;

INLINE bool slot_agrees(SlotPair slot, uint64_t identity, uint64_t compared) {
    return ((slot.check ^ identity) & compared) == 0;
}

/* The first slot whose identity agrees with `identity` in the bits of `compared`. Without a branch, which
   could not be predicted. */
INLINE BucketFind bucket_find_plain(const Word *bucket, uint64_t identity, uint64_t compared) {
    BucketFind found = {{0, 0}, BUCKET_SLOTS};
#pragma GCC unroll 4
    for (unsigned i = BUCKET_SLOTS; i-- > 0;) {
        const SlotPair slot = slot_load(bucket + 2 * i);
        const bool same = slot_agrees(slot, identity, compared);
        found.pair.check = same ? slot.check : found.pair.check;
        found.pair.data = same ? slot.data : found.pair.data;
        found.slot = same ? i : found.slot;
    }
    return found;
}

#ifdef BUCKET_SIMD
typedef uint32_t BucketLanes __attribute__((vector_size(16)));

/* Lanes `even` (0x88) or odd (0xdd) of two vectors. */
#define BUCKET_LANES(a, b, which) _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), which))

/* The slots that may have the identity: bit i for slot i. */
INLINE unsigned bucket_candidates(const Word *bucket, uint64_t identity, uint64_t compared) {
    const __m128i *slot = (const __m128i *)bucket;
    const __m128i first = BUCKET_LANES(_mm_load_si128(slot), _mm_load_si128(slot + 1), 0x88);
    const __m128i last = BUCKET_LANES(_mm_load_si128(slot + 2), _mm_load_si128(slot + 3), 0x88);
    const BucketLanes check = (BucketLanes)BUCKET_LANES(first, last, 0x88);
    const BucketLanes data = (BucketLanes)BUCKET_LANES(first, last, 0xdd);
    const BucketLanes hash = TABIA_CHECK == CHECK_HASHED ? data * (uint32_t)hash_factor : data;
    const BucketLanes found = TABIA_CHECK == CHECK_NONE ? check : check ^ hash;
    const BucketLanes agree = (BucketLanes)(((found ^ (uint32_t)identity) & (uint32_t)compared) == 0);
    return (unsigned)_mm_movemask_ps((__m128)agree);
}
#endif

/* Kept out of the way of those who seldom come here. */
NOINLINE BucketFind bucket_find_slowly(const Word *bucket, uint64_t identity, uint64_t compared) {
    return bucket_find_plain(bucket, identity, compared);
}

/* Without a branch but for the slot that agrees by chance. */
INLINE BucketFind bucket_find(const Word *bucket, uint64_t identity, uint64_t compared) {
#ifdef BUCKET_SIMD
    const unsigned slot = (unsigned)lsb(bucket_candidates(bucket, identity, compared) | 1u << BUCKET_SLOTS);
    const uint64_t there = (uint64_t)(((int64_t)slot - BUCKET_SLOTS) >> 63); /* all bits, or none */
    const SlotPair pair = slot_load(bucket + 2 * (slot % BUCKET_SLOTS));
    if (UNLIKELY((pair.check ^ identity) & compared & there)) return bucket_find_slowly(bucket, identity, compared);
    return (BucketFind){{pair.check & there, pair.data & there}, slot};
#else
    return bucket_find_plain(bucket, identity, compared);
#endif
}

/* The pair alone, which probes want: with AVX-512 all identities whole, so that none is read again. The vectors are read once
   (volatile), and a slot is believed for what its own lanes say, at whatever moments they were read. */
INLINE SlotPair bucket_pair(const Word *bucket, uint64_t identity, uint64_t compared) {
#ifdef BUCKET_AVX512
    const __m256i low = *(const volatile __m256i *)bucket, high = *((const volatile __m256i *)bucket + 1);
    const BucketWords data = (BucketWords)_mm256_unpackhi_epi64(low, high);
    const BucketWords hash = TABIA_CHECK == CHECK_HASHED ? data * hash_factor : data;
    const BucketWords check = (BucketWords)_mm256_unpacklo_epi64(low, high);
    const BucketWords found = TABIA_CHECK == CHECK_NONE ? check : check ^ hash;
    const __mmask8 same = _mm256_testn_epi64_mask((__m256i)(found ^ identity), _mm256_set1_epi64x((long long)compared));
    return (SlotPair){((BucketWords)_mm256_maskz_compress_epi64(same, (__m256i)found))[0],
                      ((BucketWords)_mm256_maskz_compress_epi64(same, (__m256i)data))[0]};
#else
    return bucket_find(bucket, identity, compared).pair;
#endif
}
