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

INLINE SlotRef counts_slot_ref_inline(const TabiaTable *t, TabiaKey key, unsigned depth, unsigned bucket_bytes,
                                      bool slow) {
    return slot_ref_of(t, counts_key(key, depth), epoch_tag_of(t), bucket_bytes, slow);
}

INLINE uint64_t counts_probe_inline(const TabiaTable *t, SlotRef p, Integrity integrity, unsigned ways) {
    bucket_lock(t, p.bucket, integrity);
    const SlotPair found = bucket_find(p.bucket, p.identity, ~(uint64_t)0, integrity, ways);
    bucket_unlock(t, p.bucket, integrity);
    return found.data;
}

enum { EPOCH_TAG_MASK = (1 << EPOCH_TAG_BITS) - 1 };

/* As much as a worth can be: above it all counts are worth the same, which leaves room for the slot in simd_least. */
static const uint64_t counts_worth_most = ((uint64_t)1 << 61) - 1;

/* Of another strict generation, or never used: worth nothing. */
INLINE uint64_t counts_priority(SlotPair p, uint64_t identity) {
    if ((p.check ^ identity) & EPOCH_TAG_MASK) return 0;
    return p.data < counts_worth_most ? p.data : counts_worth_most;
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

#ifndef BUCKET_SCALAR
/* counts_priority of four slots, by a rule. */
INLINE __m256i counts_priorities_simd(SimdSlots line, uint64_t identity, Replacement rule) {
    const __m256i zero = simd_of(0), most = simd_of(counts_worth_most);
    const SimdMask large = simd_either(simd_greater(line.data, most), simd_greater(zero, line.data));
    const __m256i priorities =
        simd_choose(simd_same(line, identity, EPOCH_TAG_MASK), simd_choose(large, most, line.data), zero);
    if (!counts_are_aged(rule)) return priorities;
    return _mm256_srlv_epi64(_mm256_add_epi64(priorities, _mm256_set_epi64x(7, 1, 3, 0)), simd_slots());
}

/* counts_store_scalar, without a branch. */
INLINE CounterEvent counts_store_simd(SlotRef p, uint64_t count, Integrity integrity, Replacement rule) {
    const SimdBucket bucket = simd_bucket(p.bucket, integrity);
    const SimdSlots line = simd_sorted(bucket, integrity);
    const SimdLeast least =
        simd_least(counts_priorities_simd(line, p.identity, rule), simd_same(line, p.identity, ~(uint64_t)0));
    if (counts_are_aged(rule)) simd_move_back(p.bucket, bucket, least.slot);
    slot_store(p.bucket + (counts_are_aged(rule) ? 0 : 2 * least.slot), p.identity, count, integrity);
    return counts_event(simd_pick(line, simd_at(least.slot)), p.identity);
}
#endif

/* The priority of slot number i by a rule. */
INLINE uint64_t counts_priority_ruled(SlotPair old, uint64_t identity, unsigned i, Replacement rule) {
    const uint64_t priority = counts_priority(old, identity);
    if (!counts_are_aged(rule)) return priority;
    return (priority + (1u << i) - 1) >> i; /* rounded up: only what is empty is 0 */
}

INLINE CounterEvent counts_store_scalar(const TabiaTable *t, SlotRef p, uint64_t count, Integrity integrity,
                                        unsigned ways, Replacement rule) {
    unsigned least = 0;
    uint64_t least_priority = UINT64_MAX;
    SlotPair leaving = {0, 0};
    bucket_lock(t, p.bucket, integrity);
#pragma GCC unroll 4
    for (unsigned i = 0; i < ways; i++) {
        const SlotPair old = slot_load(p.bucket + 2 * i, integrity);
        const uint64_t priority = counts_priority_ruled(old, p.identity, i, rule);
        const bool own = old.check == p.identity;
        if (own || priority < least_priority) least = i, least_priority = priority, leaving = old;
        if (own) break;
    }
    if (counts_are_aged(rule)) slots_move_back(p.bucket, least, integrity), least = 0;
    slot_store(p.bucket + 2 * least, p.identity, count, integrity);
    bucket_unlock(t, p.bucket, integrity);
    return counts_event(leaving, p.identity);
}

/* By a rule, into a bucket that is not stale (segment.h). */
INLINE CounterEvent counts_store_ruled(const TabiaTable *t, SlotRef p, uint64_t count, Integrity integrity,
                                       unsigned ways, Replacement rule) {
    assert(count); /* 0 is a miss */
#ifndef BUCKET_SCALAR
    const bool simd = integrity == TABIA_WIDE ? !counts_are_aged(rule) : integrity != TABIA_LOCKED;
    if (ways == 4 && simd) return counts_store_simd(p, count, integrity, rule);
#endif
    return counts_store_scalar(t, p, count, integrity, ways, rule);
}

/* By the default rule. */
INLINE CounterEvent counts_store_inline(const TabiaTable *t, SlotRef p, uint64_t count, Integrity integrity,
                                        unsigned ways) {
    return counts_store_ruled(t, p, count, integrity, ways, COUNTS_REPLACEMENT);
}

/* ---- perft's way in: the mode is asked for each time, which a processor soon foresees ---- */

/* What counts_slot_ref gave is good until the next clear. Everything that is not a straight way is left to the library. */
SlotRef tabia_counts_slot_ref_slowly(const TabiaTable *t, TabiaKey key, unsigned depth);
uint64_t tabia_counts_probe_slowly(const TabiaTable *t, SlotRef p);
void tabia_counts_store_slowly(const TabiaTable *t, SlotRef p, uint64_t count);

INLINE SlotRef counts_slot_ref(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(t->route == ROUTE_SLOW)) return tabia_counts_slot_ref_slowly(t, key, depth);
    return counts_slot_ref_inline(t, key, depth, CACHE_LINE_BYTES, false);
}

INLINE void counts_prefetch(SlotRef p) {
    __builtin_prefetch(p.bucket);
}

INLINE uint64_t counts_probe(const TabiaTable *t, SlotRef p) {
    switch (t->route) {
    case ROUTE_XOR:
        return counts_probe_inline(t, p, TABIA_XOR, 4);
    case ROUTE_WIDE:
        return counts_probe_inline(t, p, TABIA_WIDE, 4);
    case ROUTE_NONE:
        return counts_probe_inline(t, p, TABIA_NONE, 4);
    default:
        return tabia_counts_probe_slowly(t, p);
    }
}

INLINE void counts_store(const TabiaTable *t, SlotRef p, uint64_t count) {
    if (UNLIKELY(segment_stale(t, p.bucket))) {
        tabia_counts_store_slowly(t, p, count);
        return;
    }
    switch (t->store_route) {
    case ROUTE_XOR:
        counts_store_inline(t, p, count, TABIA_XOR, 4);
        return;
    case ROUTE_WIDE:
        counts_store_inline(t, p, count, TABIA_WIDE, 4);
        return;
    case ROUTE_NONE:
        counts_store_inline(t, p, count, TABIA_NONE, 4);
        return;
    default:
        tabia_counts_store_slowly(t, p, count);
        return;
    }
}
