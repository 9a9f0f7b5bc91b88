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
static const uint64_t counts_priority_max = ((uint64_t)1 << 61) - 1;

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

/* Moves the slots in front of slot number `victim` of a bucket, which was read as word[], back by one, as they are: it is
   given up, and slot 0 is free for what comes, so that slots lie in the order in which they were stored. Without a branch:
   those behind it are written as they were read. */
INLINE void slots_move_back(Word *bucket, const uint64_t word[CACHE_LINE_WORDS], unsigned victim) {
#pragma GCC unroll 8
    for (unsigned i = 2; i < CACHE_LINE_WORDS; i++)
        atomic_store_explicit(bucket + i, i < 2 * victim + 2 ? word[i - 2] : word[i], memory_order_relaxed);
}

/* By a rule, into a bucket that is not stale (segment.h). */
INLINE CounterEvent counts_store_ruled(SlotRef p, uint64_t count, Replacement rule) {
    unsigned victim = 0;
    uint64_t min_priority = UINT64_MAX, word[CACHE_LINE_WORDS];
    SlotPair leaving = {0, 0};
    assert(count); /* 0 is a miss */
    for (unsigned i = 0; i < CACHE_LINE_WORDS; i++) word[i] = load_relaxed(p.bucket + i);
#pragma GCC unroll 4
    for (unsigned i = 0; i < BUCKET_SLOTS; i++) {
        const SlotPair old = {word[2 * i] ^ hash_word(word[2 * i + 1]), word[2 * i + 1]};
        const bool own = old.check == p.identity; /* comes before all others */
        const uint64_t priority = own ? 0 : 1 + counts_priority_ruled(old, p.identity, i, rule);
        const bool less = priority < min_priority;
        victim = less ? i : victim;
        leaving.check = less ? old.check : leaving.check;
        leaving.data = less ? old.data : leaving.data;
        min_priority = less ? priority : min_priority;
    }
    if (counts_are_aged(rule)) slots_move_back(p.bucket, word, victim), victim = 0;
    slot_store(p.bucket + 2 * victim, p.identity, count);
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
