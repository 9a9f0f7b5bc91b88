/* SPDX-License-Identifier: MIT */
/* The calls of the route standard, compiled for AVX2 where nothing else is. */
#include "table/entry_avx2.h"

#ifdef STANDARD_AVX2
#include "entry_batch.h"
#include "entry_standard.h"

TabiaHit tabia_entry_probe_avx2(const TabiaTable *t, TabiaKey key, uint64_t path) {
    TabiaHit hit;
    if (UNLIKELY(!standard_probe(t, slot_ref_of(t, key, path, CACHE_LINE_BYTES, false), &hit)))
        TAIL_CALL return tabia_entry_probe_plain(t, key, path); /* the one time in 16,384 */
    return hit;
}

void tabia_entry_store_avx2(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    const SlotRef p = slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
    if (UNLIKELY(segment_stale(t, p.bucket)))
        tabia_entry_store_plain(t, key, path, entry);
    else
        standard_store(t, p, entry_argument(entry));
}

/* paths is a constant in each: the loop need not ask. */
void tabia_entry_probe_batch_avx2(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                                  size_t n) {
    if (paths)
        entry_probe_batch(t, keys, paths, hits, n, TABIA_XOR);
    else
        entry_probe_batch(t, keys, NULL, hits, n, TABIA_XOR);
}
#endif
