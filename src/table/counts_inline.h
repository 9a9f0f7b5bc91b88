/* SPDX-License-Identifier: MIT */
/*
 * The record type of counts: one text, whose instances are the library's calls (counts.c) and perft's own, inlined where it
 * counts.
 *
 * The depth is in both words of the key, because a position asked for at many depths would otherwise have one bucket
 * for all of them, and lose one answer for every other.
 */
#pragma once
#include "bucket.h"
#include "replacement.h"
#include "table/segment.h"
#include "table_internal.h"

INLINE TabiaKey counts_key(TabiaKey key, unsigned depth) {
    const uint64_t mixed_depth = depth * 0x9e3779b97f4a7c15ull;
    return (TabiaKey){key.index + mixed_depth, key.check ^ mixed_depth};
}

/* Good until the next clear. */
INLINE SlotRef counts_slot_ref(const TabiaTable *t, TabiaKey key, unsigned depth) {
    return slot_ref_of(t, counts_key(key, depth), epoch_tag_of(t));
}

INLINE void counts_prefetch(SlotRef p) {
    __builtin_prefetch(p.bucket);
}

INLINE uint64_t counts_probe_inline(SlotRef p) {
    return bucket_find(p.bucket, p.identity, ~(uint64_t)0).pair.data;
}

enum { EPOCH_TAG_MASK = (1 << EPOCH_TAG_BITS) - 1 };

/* Above it all counts have the same priority. */
static const uint64_t counts_priority_max = ((uint64_t)1 << 60) - 1;

/* Of another strict generation, or never used: worth nothing. */
INLINE uint64_t counts_priority(SlotPair p, uint64_t identity) {
    if ((p.check ^ identity) & EPOCH_TAG_MASK) return 0;
    return p.data < counts_priority_max ? p.data : counts_priority_max;
}

/* Does the rule keep slots in the order in which they were stored, and halve a count's priority for each before it? */
INLINE bool counts_are_aged(Replacement rule) {
    return rule == TABIA_REPLACE_DEPTH_AND_AGE;
}

INLINE CounterEvent counts_event(SlotPair leaving, uint64_t identity) {
    if (leaving.data == 0) return COUNTED_filled;
    if (leaving.check == identity) return COUNTED_updated;
    return (leaving.check ^ identity) & EPOCH_TAG_MASK ? COUNTED_replaced_old : COUNTED_replaced_less;
}

/* The priority of slot number i by a rule. */
INLINE uint64_t counts_priority_ruled(SlotPair old, uint64_t identity, unsigned i, Replacement rule) {
    const uint64_t priority = counts_priority(old, identity);
    if (!counts_are_aged(rule)) return priority;
    return (priority + (1u << i) - 1) >> i; /* rounded up: only what is empty is 0 */
}

/* The slot that a store replaces: the position's own, else the first of lowest priority. Each has a rank, which is its
   priority and below that its number. */
#ifdef BUCKET_AVX512
INLINE unsigned counts_victim(const Word *bucket, uint64_t identity, Replacement rule) {
    const BucketContent b = bucket_content(bucket);
    const BucketWords number = {0, 2, 1, 3}, unlike = b.identity ^ identity;
    const __m256i max = _mm256_set1_epi64x((long long)counts_priority_max);
    const BucketWords present = (BucketWords)((unlike & (uint64_t)EPOCH_TAG_MASK) == 0);
    const BucketWords priority = present & (BucketWords)_mm256_min_epu64((__m256i)b.data, max);
    const BucketWords ruled = counts_are_aged(rule) ? (priority + (BucketWords){0, 3, 1, 7}) >> number : priority;
    const __m256i rank = (__m256i)((ruled * (uint64_t)BUCKET_SLOTS + number) | (BucketWords)(unlike != 0) << 63);
    const __m128i half = _mm_min_epu64(_mm256_castsi256_si128(rank), _mm256_extracti128_si256(rank, 1));
    return (unsigned)_mm_cvtsi128_si64(_mm_min_epu64(half, _mm_unpackhi_epi64(half, half))) % BUCKET_SLOTS;
}
#else
INLINE unsigned counts_victim(const Word *bucket, uint64_t identity, Replacement rule) {
    uint64_t min = UINT64_MAX;
#pragma GCC unroll 4
    for (unsigned i = 0; i < BUCKET_SLOTS; i++) {
        const SlotPair old = slot_load(bucket + 2 * i);
        const uint64_t rank = counts_priority_ruled(old, identity, i, rule) * BUCKET_SLOTS + i,
                       others = (uint64_t)(old.check != identity) << 63;
        min = (rank | others) < min ? rank | others : min;
    }
    return (unsigned)min % BUCKET_SLOTS;
}
#endif

/* Moves the slots in front of slot number `victim` back by one, as they are: it is given up, and slot 0 is free for what
   comes, so that slots lie in the order in which they were stored. Without a branch: those behind it are written as they
   were read. */
INLINE void slots_move_back(Word *bucket, unsigned victim) {
#ifdef BUCKET_AVX512
    const __m512i all = _mm512_load_si512(bucket);
    const __mmask8 moved = (__mmask8)((1u << (2 * victim + 2)) - 4);
    _mm512_mask_storeu_epi64(bucket, 0xfc, _mm512_mask_expand_epi64(all, moved, all));
#else
    uint64_t word[CACHE_LINE_WORDS];
    for (unsigned i = 0; i < CACHE_LINE_WORDS; i++) word[i] = load_relaxed(bucket + i);
#pragma GCC unroll 8
    for (unsigned i = 2; i < CACHE_LINE_WORDS; i++)
        atomic_store_explicit(bucket + i, i < 2 * victim + 2 ? word[i - 2] : word[i], memory_order_relaxed);
#endif
}

/* By a rule, into a bucket that is not stale (segment.h). */
INLINE CounterEvent counts_store_ruled(SlotRef p, uint64_t count, Replacement rule) {
    assert(count); /* 0 is a miss */
    const unsigned victim = counts_victim(p.bucket, p.identity, rule);
    const SlotPair leaving = slot_load(p.bucket + 2 * victim);
    if (counts_are_aged(rule)) slots_move_back(p.bucket, victim);
    slot_store(p.bucket + (counts_are_aged(rule) ? 0 : 2 * victim), p.identity, count);
    return counts_event(leaving, p.identity);
}

/* By the default rule. */
INLINE CounterEvent counts_store_inline(SlotRef p, uint64_t count) {
    return counts_store_ruled(p, count, COUNTS_REPLACEMENT);
}

/* ---- perft's way in: what most tables are, inlined; the rest is left to the library ---- */

uint64_t tabia_counts_probe_slowly(const TabiaTable *t, SlotRef p);
void tabia_counts_store_slowly(const TabiaTable *t, SlotRef p, uint64_t count);

INLINE uint64_t counts_probe(const TabiaTable *t, SlotRef p) {
    return UNLIKELY(t->probes_slowly) ? tabia_counts_probe_slowly(t, p) : counts_probe_inline(p);
}

INLINE void counts_store(const TabiaTable *t, SlotRef p, uint64_t count) {
    if (UNLIKELY(t->stores_slowly || segment_stale(t, p.bucket)))
        tabia_counts_store_slowly(t, p, count);
    else
        counts_store_inline(p, count);
}
