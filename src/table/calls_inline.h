/* SPDX-License-Identifier: MIT */
/*
 * The hot calls, inline: for programs that compile libtabia's text with theirs (tools/amalgamate.py), of the default and of
 * tables with a layout or replacement constants of their own. The rest goes to the library's own calls.
 */
#pragma once
#include "counts_inline.h"
#include "entry_inline.h"
#include "tabia/counts.h"

INLINE void tabia_table_prefetch_inline(const TabiaTable *t, TabiaKey key) {
    if (LIKELY(t != NULL)) __builtin_prefetch(bucket_of(t, key.index, t->bucket_bytes));
}

/* By xor, whole lines, the default rule: what a table is on the routes of XOR and CUSTOM. */
INLINE EntryMode calls_mode(bool custom) {
    return (EntryMode){TABIA_XOR, 4, ENTRIES_REPLACEMENT, custom};
}

INLINE TabiaHit tabia_entry_probe_inline(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (UNLIKELY(!t || (t->route != ROUTE_XOR && t->route != ROUTE_CUSTOM))) return tabia_entry_probe(t, key, path);
    assert(t->options.type == TABIA_ENTRIES);
    const SlotRef p = slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
    if (t->route == ROUTE_CUSTOM) return entry_probe_inline(t, p, calls_mode(true));
    return entry_probe_inline(t, p, calls_mode(false));
}

INLINE void tabia_entry_store_inline(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    if (LIKELY(t && (t->store_route == ROUTE_XOR || t->store_route == ROUTE_CUSTOM))) {
        assert(t->options.type == TABIA_ENTRIES);
        const SlotRef p = slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
        if (LIKELY(!segment_stale(t, p.bucket))) {
            if (t->store_route == ROUTE_CUSTOM)
                entry_store_inline(t, p, entry, calls_mode(true));
            else
                entry_store_inline(t, p, entry, calls_mode(false));
            return;
        }
    }
    tabia_entry_store(t, key, path, entry);
}

INLINE uint64_t tabia_counts_probe_inline(const TabiaTable *t, TabiaKey key, unsigned depth) {
    if (UNLIKELY(!t)) return 0;
    assert(t->options.type == TABIA_COUNTS);
    return counts_probe(t, counts_slot_ref(t, key, depth));
}

INLINE void tabia_counts_store_inline(TabiaTable *t, TabiaKey key, unsigned depth, uint64_t count) {
    if (UNLIKELY(!t || !count)) return;
    assert(t->options.type == TABIA_COUNTS);
    if (LIKELY(t->route != ROUTE_SLOW))
        counts_store(t, counts_slot_ref_inline(t, key, depth, CACHE_LINE_BYTES, false), count);
    else
        tabia_counts_store(t, key, depth, count);
}
