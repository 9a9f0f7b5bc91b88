/* SPDX-License-Identifier: MIT */
/*
 * The hot calls, inline: for programs that compile libtabia's text with theirs (tools/amalgamate.py), of tables in the
 * standard layout, by xor and the default rule. The rest goes to the library's own calls: a second text beside the first
 * makes the first one longer.
 */
#pragma once
#include "counts_inline.h"
#include "entry_standard.h"
#include "tabia/counts.h"

INLINE void tabia_table_prefetch_inline(const TabiaTable *t, TabiaKey key) {
    if (LIKELY(t != NULL)) __builtin_prefetch(bucket_of(t, key.index, t->bucket_bytes));
}

INLINE TabiaHit tabia_entry_probe_inline(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (UNLIKELY(!t || t->route != ROUTE_HOT)) return tabia_entry_probe(t, key, path);
    assert(t->options.type == TABIA_ENTRIES);
    const SlotRef p = slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
#ifdef STANDARD_SIMD
    TabiaHit hit;
    return LIKELY(standard_probe(t, p, &hit, true)) ? hit : tabia_entry_probe(t, key, path);
#else
    return entry_probe_inline(t, p, entry_mode(TABIA_XOR, 4));
#endif
}

INLINE void tabia_entry_store_inline(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    if (LIKELY(t && t->store_route == ROUTE_HOT)) {
        assert(t->options.type == TABIA_ENTRIES);
        const SlotRef p = slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
        if (LIKELY(!segment_stale(t, p.bucket))) {
#ifdef STANDARD_SIMD
            standard_store(t, p, standard_argument(entry));
#else
            entry_store_inline(t, p, entry, entry_mode(TABIA_XOR, 4));
#endif
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
