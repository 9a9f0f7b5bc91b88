/* SPDX-License-Identifier: MIT */
/*
 * The hot calls, inline: for programs that compile libtabia's text with theirs (tools/amalgamate.py), of tables in the
 * standard layout, by xor and the default rule, refreshing or not. The rest goes to the library: a second text beside the
 * first makes the first one longer.
 */
#pragma once
#include "counts_inline.h"
#include "entry_standard.h"
#include "tabia/counts.h"

INLINE void tabia_table_prefetch_inline(const TabiaTable *t, TabiaKey key) {
    if (LIKELY(t != NULL)) __builtin_prefetch(bucket_of(t, key.index, t->bucket_bytes));
}

/* The library's call, of all other tables. Field by field: what a call returns lies in memory, and clang would have what is
   found inline lie there too. */
INLINE TabiaHit entry_probe_called(const TabiaTable *t, TabiaKey key, uint64_t path) {
    const TabiaHit its = tabia_entry_probe_words(t, key.index, key.check, path);
    TabiaHit hit;
    hit.entry.score = its.entry.score, hit.entry.evaluation = its.entry.evaluation;
    hit.entry.draft = its.entry.draft, hit.entry.bound = its.entry.bound;
    hit.entry.user = its.entry.user, hit.entry.move = its.entry.move;
    hit.move_ok = its.move_ok, hit.score_ok = its.score_ok, hit.generation = its.generation;
    hit.unused = its.unused;
    hit.path = its.path;
    return hit;
}

INLINE void entry_store_called(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    const EntryArgument a = entry_argument_by_fields(entry);
    tabia_entry_store_words(t, key.index, key.check, path, a.fields, a.move);
}

INLINE TabiaHit tabia_entry_probe_inline(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (UNLIKELY(!t || !is_inline(t))) return entry_probe_called(t, key, path);
    assert(t->options.type == TABIA_ENTRIES);
    const SlotRef p = slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
#ifdef STANDARD_SIMD
    const unsigned how = STANDARD_FIELDS | STANDARD_REFRESH | STANDARD_ASKING;
    TabiaHit hit;
    return LIKELY(standard_probe(t, p, &hit, how)) ? hit : entry_probe_called(t, key, path);
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
            standard_store(t, p, entry_argument_by_fields(entry), false);
#else
            entry_store_inline(t, p, entry, entry_mode(TABIA_XOR, 4));
#endif
            return;
        }
    }
    entry_store_called(t, key, path, entry);
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
