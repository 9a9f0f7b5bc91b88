/* SPDX-License-Identifier: MIT */
/* The library's instances of the face of counts. */
#include "tabia/counts.h"

#include <assert.h>
#include <string.h>

#include "batch.h"
#include "counts_inline.h"

Place tabia_counts_place_slowly(const TabiaTable *t, TabiaKey key, unsigned depth) {
    return counts_place_text(t, key, depth, t->group_bytes, true);
}

uint64_t tabia_counts_probe_slowly(const TabiaTable *t, Place p) {
    if (t->options.probing_off) return 0;
    const uint64_t count =
        t->route == ROUTE_LOCKED ? counts_probe_text(t, p, TABIA_LOCKED, 4) : counts_probe_text(t, p, t->how, t->slots);
    if (!t->counters) return count;
    tabia_count_event(t, COUNTED_probes);
    tabia_count_torn(t, p.group);
    if (count) tabia_count_event(t, COUNTED_hits);
    return count;
}

void tabia_counts_store_slowly(const TabiaTable *t, Place p, uint64_t count) {
    if (t->options.probing_off) return;
    segment_prepare(t, p.group);
    const Counted event = counts_store_text(t, p, count, t->how, t->slots);
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_stores);
    tabia_count_event(t, event);
}

void tabia_counts_prefetch(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(!t)) return;
    assert(t->options.face == TABIA_COUNTS);
    counts_prefetch((Place){.group = group_of(t, counts_key(key, depth).index, t->group_bytes)});
}

uint64_t tabia_counts_probe(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(!t)) return 0;
    assert(t->options.face == TABIA_COUNTS);
    return counts_probe(t, counts_place(t, key, depth));
}

INLINE void probe_many(const TabiaTable *t, const TabiaKey *keys, unsigned depth, uint64_t *counts, size_t n,
                       Integrity how) {
    const View v = view_of(t);
    const size_t followed = many_followed(n);
    for (size_t i = 0; i < n - followed; i++) view_ask(v, counts_key(keys[i], depth));
    for (size_t i = 0; i < n; i++) {
        const Place p = view_place(v, counts_key(keys[i], depth));
        if (i < followed) view_ask(v, counts_key(keys[i + MANY_AHEAD], depth));
        counts[i] = line_pick(p.group, p.identity, ~(uint64_t)0, how, 4).data;
    }
}

void tabia_counts_probe_many(const TabiaTable *t, const TabiaKey *keys, unsigned depth, uint64_t *counts, size_t n) {
    if (!t) {
        memset(counts, 0, n * sizeof *counts);
        return;
    }
    assert(t->options.face == TABIA_COUNTS);
    if (LIKELY(t->route == ROUTE_XOR))
        probe_many(t, keys, depth, counts, n, TABIA_XOR);
    else if (t->route == ROUTE_WIDE)
        probe_many(t, keys, depth, counts, n, TABIA_WIDE);
    else
        for (size_t i = 0; i < n; i++) counts[i] = tabia_counts_probe(t, keys[i], depth);
}

void tabia_counts_store(TabiaTable *t, TabiaKey key, unsigned depth, uint64_t count) {
    if (UNLIKELY(!t || !count)) return;
    assert(t->options.face == TABIA_COUNTS);
    if (UNLIKELY(t->route == ROUTE_SLOW))
        tabia_counts_store_slowly(t, tabia_counts_place_slowly(t, key, depth), count);
    else
        counts_store(t, counts_place_text(t, key, depth, LINE_BYTES, false), count);
}
