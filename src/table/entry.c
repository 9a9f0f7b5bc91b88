/* SPDX-License-Identifier: MIT */
/* The library's instances of the record type of entries. */
#include "tabia/entry.h"

#include <string.h>

#include "batch.h"
#include "entry_inline.h"

/* ---- what few tables want: counters, refreshing, user bits, longer moves; and no table ---- */

/* Gives what was hit the present generation, if it has another. */
static void refresh_hit(const TabiaTable *t, SlotRef p, TabiaHit hit) {
    if (hit.move_ok && hit.generation != generation_field_now(t)) entry_rewrite_inline(t, p, true, 0);
}

NOINLINE TabiaHit probe_slowly(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (!t) return (TabiaHit){0};
    const SlotRef p = slot_ref_of(t, key, path);
    const TabiaHit hit = entry_probe_inline(t, p);
    if (t->options.refresh_on_hit) refresh_hit(t, p, hit);
    count_probe(t, hit.move_ok);
    if (t->counters && hit.move_ok && !hit.score_ok && hit.entry.bound != TABIA_BOUND_NONE)
        count_event(t, COUNTED_path_misses);
    return hit;
}

/* Also the first store into a segment after a clear. */
NOINLINE void store_slowly(const TabiaTable *t, SlotRef p, TabiaEntry e) {
    segment_prepare(t, p.bucket);
    count_store(t, entry_store_inline(t, p, e));
}

/* ---- the calls ---- */

TabiaHit tabia_entry_probe(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (UNLIKELY(!t || t->probes_slowly)) TAIL_CALL return probe_slowly(t, key, path);
    assert(t->options.type == TABIA_ENTRIES);
    const SlotRef p = slot_ref_of(t, key, path);
    const BucketFind found = bucket_find(p.bucket, p.identity, ~t->path_mask);
    if (!found.there) return (TabiaHit){0}; /* the caller branches on that too: one misprediction, here or there */
    return entry_hit(t, found.pair, p.identity, false);
}

unsigned tabia_entry_age(const TabiaTable *t, TabiaHit hit) {
    if (!t || !hit.move_ok) return 0;
    return entry_age((uint64_t)hit.generation << GENERATION_SHIFT, generation_field_now(t));
}

INLINE void probe_batch(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits, size_t n) {
    const BatchView v = batch_view_of(t);
    const size_t followed = batch_followed(n);
    for (size_t i = 0; i < n - followed; i++) batch_prefetch(v, keys[i]);
    for (size_t i = 0; i < n; i++) {
        const SlotRef p = batch_slot_ref(v, keys[i], paths ? paths[i] : 0);
        if (i < followed) batch_prefetch(v, keys[i + BATCH_AHEAD]);
        hits[i] = entry_hit(t, bucket_find(p.bucket, p.identity, ~v.path_mask).pair, p.identity, false);
    }
}

/* Not inlined: in the call that chooses between them, the loops have too few registers. */
NOINLINE void probe_batch_with_paths(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                                     size_t n) {
    probe_batch(t, keys, paths, hits, n);
}
NOINLINE void probe_batch_without_paths(const TabiaTable *t, const TabiaKey *keys, TabiaHit *hits, size_t n) {
    probe_batch(t, keys, NULL, hits, n);
}

void tabia_entry_probe_batch(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                             size_t n) {
    if (!t) {
        if (n) memset(hits, 0, n * sizeof *hits);
        return;
    }
    assert(t->options.type == TABIA_ENTRIES);
    if (t->probes_slowly)
        for (size_t i = 0; i < n; i++) hits[i] = probe_slowly(t, keys[i], paths ? paths[i] : 0);
    else if (paths)
        probe_batch_with_paths(t, keys, paths, hits, n);
    else
        probe_batch_without_paths(t, keys, hits, n);
}

void tabia_entry_store(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    if (UNLIKELY(!t)) return;
    assert(t->options.type == TABIA_ENTRIES);
    const SlotRef p = slot_ref_of(t, key, path);
    if (UNLIKELY(t->stores_slowly || t->extra_mask || segment_stale(t, p.bucket)))
        store_slowly(t, p, entry);
    else
        entry_store_inline(t, p, entry);
}

void tabia_entry_refresh(TabiaTable *t, TabiaKey key) {
    if (!t) return;
    assert(t->options.type == TABIA_ENTRIES);
    entry_rewrite_inline(t, slot_ref_of(t, key, 0), true, 0);
}

void tabia_entry_penalise(TabiaTable *t, TabiaKey key, unsigned plies) {
    if (!t) return;
    assert(t->options.type == TABIA_ENTRIES);
    entry_rewrite_inline(t, slot_ref_of(t, key, 0), false, plies);
}
