/* SPDX-License-Identifier: MIT */
/*
 * A bucket of four slots of one data word: which of them has a certain identity.
 *
 * Plain C reads slot by slot, on any processor. On x86-64 four lanes compare the lower halves of all identities first;
 * the lower half of a product depends on the lower halves of its factors only:
 *
 *     (data 64 x factor 64) XOR check  =  [ ................................ | 32 bits ]  =  identity?
 *
 * A slot whose bits agree is then read again and compared whole. What is returned is of that second reading only: the
 * vectors say where to look, so it does no harm that their words may be of different moments. Once in 16,384 times, with 16
 * path bits, a slot agrees that is not the position's; then plain C looks through all.
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
#include <emmintrin.h>
#endif

/* What was found. slot: its number, or BUCKET_SLOTS, and a pair of zeros, where there is none. */
typedef struct {
    SlotPair pair;
    unsigned slot;
} BucketFind;

INLINE bool slot_agrees(SlotPair slot, uint64_t identity, uint64_t compared) {
    return ((slot.check ^ identity) & compared) == 0;
}

/* The first slot whose identity agrees with `identity` in the bits of `compared`. Without a branch: nobody can foresee
   which it is. */
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

/* False: the vectors name a slot that has not the identity, nothing is found yet, and bucket_find_plain() has to look.
   branches: a miss ends early, which is shorter where a processor can foresee it. */
INLINE bool bucket_find_quickly(const Word *bucket, uint64_t identity, uint64_t compared, bool branches,
                                BucketFind *found) {
#ifdef BUCKET_SIMD
    static const Word empty[2] = {0, 0};
    const unsigned candidates = bucket_candidates(bucket, identity, compared);
    *found = (BucketFind){{0, 0}, BUCKET_SLOTS};
    if (branches && !candidates) return true;
    const unsigned slot = (unsigned)lsb(candidates | 1u << BUCKET_SLOTS);
    *found = (BucketFind){slot_load(candidates ? bucket + 2 * slot : empty), slot};
    return !candidates | slot_agrees(found->pair, identity, compared);
#else
    (void)branches;
    *found = bucket_find_plain(bucket, identity, compared);
    return true;
#endif
}

/* Kept out of the way of those who seldom come here. */
NOINLINE BucketFind bucket_find_slowly(const Word *bucket, uint64_t identity, uint64_t compared) {
    return bucket_find_plain(bucket, identity, compared);
}

INLINE BucketFind bucket_find(const Word *bucket, uint64_t identity, uint64_t compared) {
    BucketFind found;
    if (LIKELY(bucket_find_quickly(bucket, identity, compared, false, &found))) return found;
    return bucket_find_slowly(bucket, identity, compared);
}
