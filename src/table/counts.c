/* SPDX-License-Identifier: MIT */
/* The library's instances of the record type of counts. */
#include "tabia/counts.h"

#include <string.h>

#include "batch.h"
#include "counts_inline.h"

SlotRef tabia_counts_slot_ref_slowly(const TabiaTable *t, TabiaKey key, unsigned depth) {
    return counts_slot_ref_inline(t, key, depth, t->bucket_bytes, true);
}

uint64_t tabia_counts_probe_slowly(const TabiaTable *t, SlotRef p) {
    if (t->options.probing_off) return 0;
    const uint64_t count = t->route == ROUTE_LOCKED ? counts_probe_inline(t, p, TABIA_LOCKED, 4)
                                                    : counts_probe_inline(t, p, t->integrity, t->slots);
    if (!t->counters) return count;
    tabia_count_event(t, COUNTED_probes);
    tabia_count_torn(t, p.bucket);
    if (count) tabia_count_event(t, COUNTED_hits);
    return count;
}

/* With constants in the mode that is used, so that rules can be compared in time. */
INLINE CounterEvent store_ruled(const TabiaTable *t, SlotRef p, uint64_t count, Replacement rule) {
    if (t->integrity == TABIA_XOR && t->slots == 4) return counts_store_ruled(t, p, count, TABIA_XOR, 4, rule);
    return counts_store_ruled(t, p, count, t->integrity, t->slots, rule);
}

INLINE CounterEvent store_by_rule(const TabiaTable *t, SlotRef p, uint64_t count) {
    if (counts_are_aged(t->options.replacement)) return store_ruled(t, p, count, TABIA_REPLACE_DEPTH_AND_AGE);
    return store_ruled(t, p, count, TABIA_REPLACE_ALWAYS);
}

void tabia_counts_store_slowly(const TabiaTable *t, SlotRef p, uint64_t count) {
    if (t->options.probing_off) return;
    segment_prepare(t, p.bucket);
    const CounterEvent event = store_by_rule(t, p, count);
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_stores);
    tabia_count_event(t, event);
}

void tabia_counts_prefetch(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(!t)) return;
    assert(t->options.type == TABIA_COUNTS);
    counts_prefetch((SlotRef){.bucket = bucket_of(t, counts_key(key, depth).index, t->bucket_bytes)});
}

uint64_t tabia_counts_probe(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(!t)) return 0;
    assert(t->options.type == TABIA_COUNTS);
    return counts_probe(t, counts_slot_ref(t, key, depth));
}

INLINE void probe_batch(const TabiaTable *t, const TabiaKey *keys, unsigned depth, uint64_t *counts, size_t n,
                        Integrity integrity) {
    const BatchView v = batch_view_of(t);
    const size_t followed = batch_followed(n);
    for (size_t i = 0; i < n - followed; i++) batch_prefetch(v, counts_key(keys[i], depth));
    for (size_t i = 0; i < n; i++) {
        const SlotRef p = batch_slot_ref(v, counts_key(keys[i], depth));
        if (i < followed) batch_prefetch(v, counts_key(keys[i + BATCH_AHEAD], depth));
        counts[i] = bucket_find(p.bucket, p.identity, ~(uint64_t)0, integrity, 4).data;
    }
}

void tabia_counts_probe_batch(const TabiaTable *t, const TabiaKey *keys, unsigned depth, uint64_t *counts, size_t n) {
    if (!t) {
        memset(counts, 0, n * sizeof *counts);
        return;
    }
    assert(t->options.type == TABIA_COUNTS);
    if (LIKELY(t->route == ROUTE_XOR))
        probe_batch(t, keys, depth, counts, n, TABIA_XOR);
    else if (t->route == ROUTE_WIDE)
        probe_batch(t, keys, depth, counts, n, TABIA_WIDE);
    else
        for (size_t i = 0; i < n; i++) counts[i] = tabia_counts_probe(t, keys[i], depth);
}

void tabia_counts_store(TabiaTable *t, TabiaKey key, unsigned depth, uint64_t count) {
    if (UNLIKELY(!t || !count)) return;
    assert(t->options.type == TABIA_COUNTS);
    if (UNLIKELY(t->route == ROUTE_SLOW))
        tabia_counts_store_slowly(t, tabia_counts_slot_ref_slowly(t, key, depth), count);
    else
        counts_store(t, counts_slot_ref_inline(t, key, depth, CACHE_LINE_BYTES, false), count);
}
