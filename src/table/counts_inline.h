/* SPDX-License-Identifier: MIT */
/*
 * The face of counts: one text, whose instances are the library's calls (counts.c) and perft's own, inlined where it
 * counts.
 *
 * The depth is in both words of the key, because a position asked for at many depths would otherwise have one bucket
 * for all of them, and lose one answer for every other.
 */
#pragma once
#include "bucket.h"
#include "table/segment.h"
#include "table_internal.h"

INLINE TabiaKey counts_key(TabiaKey key, unsigned depth) {
    const uint64_t mixed_depth = depth * 0x9e3779b97f4a7c15ull;
    return (TabiaKey){key.index + mixed_depth, key.check ^ mixed_depth};
}

INLINE Place counts_place_text(const TabiaTable *t, TabiaKey key, unsigned depth, unsigned group_bytes, bool slow) {
    return place_of(t, counts_key(key, depth), clock_tag(t), group_bytes, slow);
}

INLINE uint64_t counts_probe_text(const TabiaTable *t, Place p, Integrity how, unsigned ways) {
    group_lock(t, p.group, how);
    const Pair found = line_pick(p.group, p.identity, ~(uint64_t)0, how, ways);
    group_unlock(t, p.group, how);
    return found.data;
}

enum { TAG_MASK = (1 << TAG_BITS) - 1 };

/* As much as a worth can be: above it all counts are worth the same, which leaves room for the slot in four_least. */
static const uint64_t counts_worth_most = ((uint64_t)1 << 61) - 1;

/* Of another strict generation, or never used: worth nothing. */
INLINE uint64_t counts_worth(Pair p, uint64_t identity) {
    if ((p.check ^ identity) & TAG_MASK) return 0;
    return p.data < counts_worth_most ? p.data : counts_worth_most;
}

INLINE Counted counts_event(Pair leaving, uint64_t identity) {
    if (leaving.data == 0) return COUNTED_filled;
    if (leaving.check == identity) return COUNTED_updated;
    return (leaving.check ^ identity) & TAG_MASK ? COUNTED_replaced_old : COUNTED_replaced_less;
}

#ifndef LINE_BY_WORDS
/* counts_worth of four slots. */
INLINE __m256i counts_worths(FourSlots line, uint64_t identity) {
    const __m256i zero = four_of(0), most = four_of(counts_worth_most);
    const FourSome large = four_either(four_greater(line.data, most), four_greater(zero, line.data));
    return four_choose(four_same(line, identity, TAG_MASK), four_choose(large, most, line.data), zero);
}

/* counts_store_by_words, without a branch. */
INLINE Counted counts_store_by_four(Place p, uint64_t count, Integrity how) {
    const FourSlots line = four_load(p.group, how);
    const unsigned slot = four_least(counts_worths(line, p.identity), four_same(line, p.identity, ~(uint64_t)0));
    slot_store(p.group + 2 * slot, p.identity, count, how);
    return counts_event(four_pick(line, four_at(slot)), p.identity);
}
#endif

INLINE Counted counts_store_by_words(const TabiaTable *t, Place p, uint64_t count, Integrity how, unsigned ways) {
    group_lock(t, p.group, how);
    unsigned least = 0;
    Pair leaving = slot_load(p.group, how);
#pragma GCC unroll 4
    for (unsigned i = 1; i < ways && leaving.check != p.identity; i++) {
        const Pair other = slot_load(p.group + 2 * i, how);
        if (other.check != p.identity && counts_worth(other, p.identity) >= counts_worth(leaving, p.identity)) continue;
        least = i, leaving = other;
    }
    slot_store(p.group + 2 * least, p.identity, count, how);
    group_unlock(t, p.group, how);
    return counts_event(leaving, p.identity);
}

/* Into a bucket that is not stale (segment.h). */
INLINE Counted counts_store_text(const TabiaTable *t, Place p, uint64_t count, Integrity how, unsigned ways) {
#ifndef LINE_BY_WORDS
    if (ways == 4 && how != TABIA_LOCKED) return counts_store_by_four(p, count, how);
#endif
    return counts_store_by_words(t, p, count, how, ways);
}

/* ---- perft's way in: the mode is asked for each time, which a processor soon foresees ---- */

/* What counts_place gave is good until the next clear. Everything that is not a straight way is left to the library. */
Place tabia_counts_place_slowly(const TabiaTable *t, TabiaKey key, unsigned depth);
uint64_t tabia_counts_probe_slowly(const TabiaTable *t, Place p);
void tabia_counts_store_slowly(const TabiaTable *t, Place p, uint64_t count);

INLINE Place counts_place(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(t->route == ROUTE_SLOW)) return tabia_counts_place_slowly(t, key, depth);
    return counts_place_text(t, key, depth, LINE_BYTES, false);
}

INLINE void counts_prefetch(Place p) {
    __builtin_prefetch(p.group);
}

INLINE uint64_t counts_probe(const TabiaTable *t, Place p) {
    switch (t->route) {
    case ROUTE_XOR:
        return counts_probe_text(t, p, TABIA_XOR, 4);
    case ROUTE_WIDE:
        return counts_probe_text(t, p, TABIA_WIDE, 4);
    case ROUTE_NONE:
        return counts_probe_text(t, p, TABIA_NONE, 4);
    default:
        return tabia_counts_probe_slowly(t, p);
    }
}

INLINE void counts_store(const TabiaTable *t, Place p, uint64_t count) {
    if (UNLIKELY(segment_stale(t, p.group))) {
        tabia_counts_store_slowly(t, p, count);
        return;
    }
    switch (t->route) {
    case ROUTE_XOR:
        counts_store_text(t, p, count, TABIA_XOR, 4);
        return;
    case ROUTE_WIDE:
        counts_store_text(t, p, count, TABIA_WIDE, 4);
        return;
    case ROUTE_NONE:
        counts_store_text(t, p, count, TABIA_NONE, 4);
        return;
    default:
        tabia_counts_store_slowly(t, p, count);
        return;
    }
}
