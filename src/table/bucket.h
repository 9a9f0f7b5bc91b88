/* SPDX-License-Identifier: MIT */
/*
 * One slot: a check word and its data, kept together without a lock.
 *
 *     | check | data |                 16 bytes, aligned to 16          entries, counts
 *     | check | word 1 ... word N |    8 (N + 1) bytes                  records
 *
 *     check = identity XOR hash(data), by relaxed stores. A reader XORs again: what comes out is the identity that was
 *     stored, or, for one writer's check with another's data, neither's.
 *
 * Hyatt and Mann XOR the data itself. Here it is hashed first, for two reasons. Some bits of the check are the path's,
 * and are not compared when only the move is wanted: two entries that differ in just those bits would pass for each
 * other. And of several words, equal differences would cancel. A hash of 0 is 0, so that memory of zeros is a table of
 * empty slots whose identity is 0, which no position has.
 *
 * Ordering: all accesses are relaxed. A slot is believed for what its words say together, never for when they were
 * written, and no other memory is published through it.
 */
#pragma once
#include <assert.h>
#include <stdatomic.h>

#include "base/bits.h"
#include "tabia/table.h"

typedef _Atomic uint64_t Word;

/* A check word and a data word, copied. */
typedef struct {
    uint64_t check, data;
} SlotPair;

/*
 * Where a thread may be held up by the proofs (src/lab/table/stress_pauses.h), which compile this text with
 * TABIA_PAUSES defined and a pause() of their own. Elsewhere nothing.
 */
typedef enum { PAUSE_BETWEEN_STORES, PAUSE_BEFORE_REWRITE } PausePoint;
#ifdef TABIA_PAUSES
static void pause_at(PausePoint point);
#else
INLINE void pause_at(PausePoint point) {
    (void)point;
}
#endif

/* ---- hashes of data: 0 stays 0 ---- */

/* What the check word is XORed with. The laboratory and tests/model compile this text in two other ways too, to
   show what these let through: with the data itself, the form of 2002, and with nothing. */
#define CHECK_HASHED 0
#define CHECK_PLAIN 1
#define CHECK_NONE 2
#ifndef TABIA_CHECK
#define TABIA_CHECK CHECK_HASHED
#endif

/* Of a single word, one to one. The product's upper bits, where the signature is, depend on every bit of the data. */
static const uint64_t hash_factor = 0xd6e8feb86659fd93ull;
INLINE uint64_t hash_word(uint64_t data) {
    if (TABIA_CHECK != CHECK_HASHED) return TABIA_CHECK == CHECK_PLAIN ? data : 0;
    return data * hash_factor;
}

/* Of word number i of several: the product, turned by 9 i bits. A change of a word's uppermost bit is one of the
   product's uppermost bit, whatever the factor; without the turns two of them would cancel. */
enum { HASH_ROTATION = 9 };
static const uint64_t hash_factors[TABIA_RECORD_WORDS_MAX] = {
    0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull, 0xbf58476d1ce4e5b9ull, 0x94d049bb133111ebull,
    0xda942042e4dd58b5ull, 0xc2b2ae3d27d4eb4full, 0xa0761d6478bd642full,
};
INLINE uint64_t hash_word_of(uint64_t word, unsigned i) {
    if (TABIA_CHECK != CHECK_HASHED) return TABIA_CHECK == CHECK_PLAIN ? word : 0;
    const uint64_t product = word * hash_factors[i];
    return i ? product << HASH_ROTATION * i | product >> (64 - HASH_ROTATION * i) : product;
}

/* ---- a slot of one data word ---- */

/* The slot's identity and data: check holds the identity. An empty one has both 0. */
INLINE SlotPair slot_load(const Word *slot) {
    const uint64_t data = atomic_load_explicit(slot + 1, memory_order_relaxed);
    return (SlotPair){atomic_load_explicit(slot, memory_order_relaxed) ^ hash_word(data), data};
}

INLINE void slot_store(Word *slot, uint64_t identity, uint64_t data) {
    atomic_store_explicit(slot, identity ^ hash_word(data), memory_order_relaxed);
    pause_at(PAUSE_BETWEEN_STORES);
    atomic_store_explicit(slot + 1, data, memory_order_relaxed);
}

/* ---- a slot of n data words ---- */

/* The slot's identity, its words copied into words[0 .. n-1]. */
INLINE uint64_t slot_load_words(const Word *slot, uint64_t *words, unsigned n) {
    assert(n >= 1 && n <= TABIA_RECORD_WORDS_MAX);
    if (n == 1) {
        const SlotPair p = slot_load(slot);
        words[0] = p.data;
        return p.check;
    }
    uint64_t identity = atomic_load_explicit(slot, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        words[i] = atomic_load_explicit(slot + 1 + i, memory_order_relaxed);
        identity ^= hash_word_of(words[i], i);
    }
    return identity;
}

INLINE void slot_store_words(Word *slot, uint64_t identity, const uint64_t *words, unsigned n) {
    assert(n >= 1 && n <= TABIA_RECORD_WORDS_MAX);
    if (n == 1) {
        slot_store(slot, identity, words[0]);
        return;
    }
    for (unsigned i = 0; i < n; i++) identity ^= hash_word_of(words[i], i);
    atomic_store_explicit(slot, identity, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++) {
        pause_at(PAUSE_BETWEEN_STORES);
        atomic_store_explicit(slot + 1 + i, words[i], memory_order_relaxed);
    }
}

/* ==== buckets ==== */

/*
 * A bucket of four slots of one data word: which of them has a certain identity. Nothing here branches on it: whether a
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
 * AVX-512 has a product of whole words, so that all identities are compared whole, and nothing is read again.
 */

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

/* What was found: its slot and what this holds. If it is not there, slot is BUCKET_SLOTS and the pair is zeros. */
typedef struct {
    SlotPair pair;
    unsigned slot;
    bool there;
} BucketFind;

INLINE bool slot_agrees(SlotPair slot, uint64_t identity, uint64_t compared) {
    return ((slot.check ^ identity) & compared) == 0;
}

/* The first slot whose identity agrees with `identity` in the bits of `compared`. Without a branch, which
   could not be predicted. */
INLINE BucketFind bucket_find_plain(const Word *bucket, uint64_t identity, uint64_t compared) {
    BucketFind found = {{0, 0}, BUCKET_SLOTS, false};
#pragma GCC unroll 4
    for (unsigned i = BUCKET_SLOTS; i-- > 0;) {
        const SlotPair slot = slot_load(bucket + 2 * i);
        const bool same = slot_agrees(slot, identity, compared);
        found.pair.check = same ? slot.check : found.pair.check;
        found.pair.data = same ? slot.data : found.pair.data;
        found.slot = same ? i : found.slot;
        found.there |= same;
    }
    return found;
}

/* Four lanes of 32 bits, one for each slot in order. */
typedef uint32_t BucketLanes __attribute__((vector_size(16)));
#ifdef BUCKET_SIMD
/* Lanes `even` (0x88) or odd (0xdd) of two vectors. */
#define BUCKET_LANES(a, b, which) _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), which))
#endif

/* The upper halves of the data words. */
INLINE BucketLanes bucket_upper_data(const Word *bucket) {
#ifdef BUCKET_SIMD
    const __m128i *slot = (const __m128i *)bucket;
    const __m128i first = BUCKET_LANES(_mm_load_si128(slot), _mm_load_si128(slot + 1), 0xdd);
    const __m128i last = BUCKET_LANES(_mm_load_si128(slot + 2), _mm_load_si128(slot + 3), 0xdd);
    return (BucketLanes)BUCKET_LANES(first, last, 0xdd);
#else
    BucketLanes upper;
    for (unsigned i = 0; i < BUCKET_SLOTS; i++)
        upper[i] = (uint32_t)(atomic_load_explicit(bucket + 2 * i + 1, memory_order_relaxed) >> 32);
    return upper;
#endif
}

#ifdef BUCKET_AVX512
/* A bucket, read once (volatile): a slot is believed for what its own lanes say, at whatever moments they were read. */
typedef struct {
    BucketWords identity, data; /* of slots 0, 2, 1 and 3 */
} BucketContent;

INLINE BucketContent bucket_content(const Word *bucket) {
    const __m256i low = *(const volatile __m256i *)bucket, high = *((const volatile __m256i *)bucket + 1);
    const BucketWords data = (BucketWords)_mm256_unpackhi_epi64(low, high);
    const BucketWords hash = TABIA_CHECK == CHECK_HASHED ? data * hash_factor : data;
    const BucketWords check = (BucketWords)_mm256_unpacklo_epi64(low, high);
    return (BucketContent){TABIA_CHECK == CHECK_NONE ? check : check ^ hash, data};
}

/* The slots of the lanes, and BUCKET_SLOTS of none, in four bits each. */
static const unsigned bucket_lane_slots = 0x43120;

INLINE BucketFind bucket_find(const Word *bucket, uint64_t identity, uint64_t compared) {
    const BucketContent b = bucket_content(bucket);
    const __m256i unlike = (__m256i)(b.identity ^ identity);
    const __mmask8 same = _mm256_testn_epi64_mask(unlike, _mm256_set1_epi64x((long long)compared));
    const uint64_t found = ((BucketWords)_mm256_maskz_compress_epi64(same, (__m256i)b.identity))[0];
    const uint64_t data = ((BucketWords)_mm256_maskz_compress_epi64(same, (__m256i)b.data))[0];
    const unsigned slot = bucket_lane_slots >> 4 * lsb(same | 1u << BUCKET_SLOTS) & 7;
    return (BucketFind){{found, data}, slot, same != 0};
}
#elif defined(BUCKET_SIMD)
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

/* Kept out of the way of those who seldom come here. */
NOINLINE BucketFind bucket_find_slowly(const Word *bucket, uint64_t identity, uint64_t compared) {
    return bucket_find_plain(bucket, identity, compared);
}

/* Without a branch but for the slot that agrees by chance. */
INLINE BucketFind bucket_find(const Word *bucket, uint64_t identity, uint64_t compared) {
    const unsigned slot = (unsigned)lsb(bucket_candidates(bucket, identity, compared) | 1u << BUCKET_SLOTS);
    const uint64_t there = (uint64_t)(((int64_t)slot - BUCKET_SLOTS) >> 63); /* all bits, or none */
    const SlotPair pair = slot_load(bucket + 2 * (slot % BUCKET_SLOTS));
    if (UNLIKELY((pair.check ^ identity) & compared & there)) return bucket_find_slowly(bucket, identity, compared);
    return (BucketFind){{pair.check & there, pair.data & there}, slot, there != 0};
}
#else
INLINE BucketFind bucket_find(const Word *bucket, uint64_t identity, uint64_t compared) {
    return bucket_find_plain(bucket, identity, compared);
}
#endif
