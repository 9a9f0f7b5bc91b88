/* SPDX-License-Identifier: MIT */
/* The library's instances of the record type of counts. */
#include "tabia/counts.h"

#include <string.h>

#include "batch.h"
#include "counts_inline.h"

uint64_t tabia_counts_probe_slowly(const TabiaTable *t, SlotRef p) {
    const uint64_t count = counts_probe_inline(p);
    count_probe(t, count != 0);
    return count;
}

void tabia_counts_store_slowly(const TabiaTable *t, SlotRef p, uint64_t count) {
    segment_prepare(t, p.bucket);
    count_store(t, counts_are_aged(t->options.replacement) ? counts_store_ruled(p, count, TABIA_REPLACE_DEPTH_AND_AGE)
                                                           : counts_store_ruled(p, count, TABIA_REPLACE_ALWAYS));
}

void tabia_counts_prefetch(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(!t)) return;
    assert(t->options.type == TABIA_COUNTS);
    bucket_prefetch(t, counts_key(key, depth));
}

uint64_t tabia_counts_probe(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(!t)) return 0;
    assert(t->options.type == TABIA_COUNTS);
    return counts_probe(t, counts_slot_ref(t, key, depth));
}

void tabia_counts_probe_batch(const TabiaTable *t, const TabiaKey *keys, unsigned depth, uint64_t *counts, size_t n) {
    if (!t) {
        if (n) memset(counts, 0, n * sizeof *counts);
        return;
    }
    assert(t->options.type == TABIA_COUNTS);
    if (t->probes_slowly) {
        for (size_t i = 0; i < n; i++) counts[i] = tabia_counts_probe_slowly(t, counts_slot_ref(t, keys[i], depth));
        return;
    }
    const BatchView v = batch_view_of(t);
    const size_t followed = batch_followed(n);
    for (size_t i = 0; i < n - followed; i++) batch_prefetch(v, counts_key(keys[i], depth));
    for (size_t i = 0; i < n; i++) {
        const SlotRef p = batch_slot_ref(v, counts_key(keys[i], depth), v.epoch_tag);
        if (i < followed) batch_prefetch(v, counts_key(keys[i + BATCH_AHEAD], depth));
        counts[i] = counts_probe_inline(p);
    }
}

void tabia_counts_store(TabiaTable *t, TabiaKey key, unsigned depth, uint64_t count) {
    if (UNLIKELY(!t || !count)) return;
    assert(t->options.type == TABIA_COUNTS);
    counts_store(t, counts_slot_ref(t, key, depth), count);
}
