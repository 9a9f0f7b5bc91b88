/* SPDX-License-Identifier: MIT */
/* The calls of the routes beside and refresh, for the one source that is compiled for their vectors: entry.c, or entry_avx2.c in
   builds for any processor. */
#pragma once
#include "entry_avx2.h"
#include "entry_standard.h"

#ifdef STANDARD_SIMD
INLINE TabiaHit probe_standard(const TabiaTable *t, TabiaKey key, uint64_t path, unsigned how) {
    const SlotRef p = slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
    TabiaHit hit;
    return LIKELY(standard_probe(t, p, &hit, how)) ? hit : tabia_entry_probe_all(t, p);
}

TabiaHit tabia_entry_probe_beside(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return probe_standard(t, key, path, STANDARD_BESIDE);
}

TabiaHit tabia_entry_probe_refreshing(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return probe_standard(t, key, path, STANDARD_REFRESH);
}

TabiaHit tabia_entry_probe_beside_refreshing(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return probe_standard(t, key, path, STANDARD_BESIDE | STANDARD_REFRESH);
}

/* By words: gcc has a structure that comes and is passed on lie in memory. */
void tabia_entry_store_beside(const TabiaTable *t, uint64_t index, uint64_t check, uint64_t path, uint64_t fields,
                              uint64_t move) {
    const SlotRef p = slot_ref_of(t, (TabiaKey){index, check}, path, CACHE_LINE_BYTES, false);
    if (UNLIKELY(segment_stale(t, p.bucket)))
        tabia_entry_store_slowly(t, index, check, path, fields, move);
    else
        standard_store(t, p, (EntryArgument){fields, move}, true);
}
#endif
