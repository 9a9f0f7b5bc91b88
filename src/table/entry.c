/* SPDX-License-Identifier: MIT */
/* The library's instances of the record type of entries. */
#include "tabia/entry.h"

#include "entry_avx2.h"
#include "entry_batch.h"
#include "entry_standard.h"

enum { WAYS = 4 };

INLINE SlotRef fast_slot_ref(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return slot_ref_of(t, key, path, CACHE_LINE_BYTES, false);
}

INLINE SlotRef slow_slot_ref(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return slot_ref_of(t, key, path, t->bucket_bytes, true);
}

static const EntryMode XOR = {TABIA_XOR, WAYS, TABIA_REPLACE_ALWAYS, false};
static const EntryMode CUSTOM = {TABIA_XOR, WAYS, TABIA_REPLACE_ALWAYS, true};

/* Whatever a table may be. */
INLINE EntryMode mode_of(const TabiaTable *t) {
    return (EntryMode){t->integrity, t->slots, ENTRIES_REPLACEMENT, true};
}

/* ---- the slow ways: fewer ways, counters, probing off; the first store into a segment after a clear ---- */

/* Gives what was hit the present generation, if it has another. */
INLINE void refresh_hit(const TabiaTable *t, SlotRef p, TabiaHit hit, EntryMode m) {
    if (hit.move_ok && hit.generation != generation_field_now(t)) entry_rewrite_inline(t, p, true, 0, m);
}

NOINLINE TabiaHit probe_slowly(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (!t || t->options.probing_off) return (TabiaHit){0};
    const SlotRef p = slow_slot_ref(t, key, path);
    const TabiaHit hit = entry_probe_inline(t, p, mode_of(t));
    if (t->options.refresh_on_hit) refresh_hit(t, p, hit, mode_of(t));
    if (!t->counters) return hit;
    tabia_count_event(t, COUNTED_probes);
    tabia_count_torn(t, p.bucket);
    if (hit.move_ok) tabia_count_event(t, COUNTED_hits);
    if (hit.move_ok && !hit.score_ok && hit.entry.bound != TABIA_BOUND_NONE) tabia_count_event(t, COUNTED_path_misses);
    return hit;
}

NOINLINE TabiaHit probe_xor(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return entry_probe_inline(t, fast_slot_ref(t, key, path), XOR);
}

#ifdef STANDARD_SIMD
/* Where a slot agreed at a glance and is not the position's. */
NOINLINE TabiaHit probe_all(const TabiaTable *t, SlotRef p) {
    return entry_probe_inline(t, p, XOR);
}
#endif

NOINLINE TabiaHit probe_wide(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return entry_probe_inline(t, fast_slot_ref(t, key, path), entry_mode(TABIA_WIDE, WAYS));
}

NOINLINE TabiaHit probe_custom(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return entry_probe_inline(t, fast_slot_ref(t, key, path), CUSTOM);
}

NOINLINE TabiaHit probe_custom_refreshing(const TabiaTable *t, TabiaKey key, uint64_t path) {
    const SlotRef p = fast_slot_ref(t, key, path);
    const TabiaHit hit = entry_probe_inline(t, p, CUSTOM);
    refresh_hit(t, p, hit, CUSTOM);
    return hit;
}

NOINLINE TabiaHit probe_otherwise(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (t->route == ROUTE_WIDE) TAIL_CALL return probe_wide(t, key, path);
    if (t->route == ROUTE_SLOW) return probe_slowly(t, key, path);
    if (t->route == ROUTE_CUSTOM_REFRESH) return probe_custom_refreshing(t, key, path);
    if (t->route == ROUTE_XOR) return probe_xor(t, key, path);
    const SlotRef p = fast_slot_ref(t, key, path);
    if (t->route == ROUTE_NONE) return entry_probe_inline(t, p, entry_mode(TABIA_NONE, WAYS));
    return entry_probe_inline(t, p, entry_mode(TABIA_LOCKED, WAYS));
}

static void count_store(const TabiaTable *t, CounterEvent event) {
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_stores);
    tabia_count_event(t, event);
}

/* With constants in the mode that is used, so that rules can be compared in time. */
INLINE CounterEvent store_ruled(const TabiaTable *t, SlotRef p, TabiaEntry e, Replacement rule) {
    const EntryMode m = {t->integrity, t->slots, rule, true};
    if (t->integrity != TABIA_XOR || t->slots != WAYS) return entry_store_inline(t, p, e, m);
    return entry_store_inline(t, p, e, (EntryMode){TABIA_XOR, WAYS, rule, true});
}

INLINE CounterEvent store_by_rule(const TabiaTable *t, SlotRef p, TabiaEntry e) {
    if (replacement_refuses(t->options.replacement)) return store_ruled(t, p, e, TABIA_REPLACE_DEPTH_AND_AGE);
    return store_ruled(t, p, e, TABIA_REPLACE_ALWAYS);
}

NOINLINE void store_slowly(const TabiaTable *t, TabiaKey key, uint64_t path, EntryArgument entry) {
    if (t->options.probing_off) return;
    const SlotRef p = slow_slot_ref(t, key, path);
    segment_prepare(t, p.bucket);
    count_store(t, store_by_rule(t, p, entry_of_argument(entry)));
}

/* With bits beside the path. */
NOINLINE void store_custom(const TabiaTable *t, TabiaKey key, uint64_t path, EntryArgument entry) {
    const SlotRef p = fast_slot_ref(t, key, path);
    if (UNLIKELY(segment_stale(t, p.bucket)))
        store_slowly(t, key, path, entry);
    else
        entry_store_inline(t, p, entry_of_argument(entry), CUSTOM);
}

NOINLINE void store_by_mode(const TabiaTable *t, TabiaKey key, uint64_t path, EntryArgument entry) {
    const SlotRef p = slow_slot_ref(t, key, path);
    const TabiaEntry e = entry_of_argument(entry);
    if (t->store_route == ROUTE_SLOW || segment_stale(t, p.bucket))
        store_slowly(t, key, path, entry);
    else if (t->store_route == ROUTE_WIDE)
        entry_store_inline(t, p, e, entry_mode(TABIA_WIDE, WAYS));
    else if (t->store_route == ROUTE_NONE)
        entry_store_inline(t, p, e, entry_mode(TABIA_NONE, WAYS));
    else if (t->store_route == ROUTE_LOCKED)
        entry_store_inline(t, p, e, entry_mode(TABIA_LOCKED, WAYS));
    else
        entry_store_inline(t, p, e, XOR);
}

/* Without a stack frame of its own. */
NOINLINE void store_otherwise(const TabiaTable *t, TabiaKey key, uint64_t path, EntryArgument entry) {
    if (t->store_route == ROUTE_CUSTOM)
        store_custom(t, key, path, entry);
    else
        store_by_mode(t, key, path, entry);
}

#ifdef STANDARD_AVX2
TabiaHit tabia_entry_probe_plain(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return entry_probe_inline(t, fast_slot_ref(t, key, path), XOR);
}

void tabia_entry_store_plain(const TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    const SlotRef p = fast_slot_ref(t, key, path);
    if (UNLIKELY(segment_stale(t, p.bucket)))
        store_slowly(t, key, path, entry_argument(entry));
    else
        entry_store_inline(t, p, entry, XOR);
}
#endif

/* ---- the calls ---- */

TabiaHit tabia_entry_probe(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (UNLIKELY(!t))
        TAIL_CALL return probe_slowly(t, key, path); /* a miss made here costs 40 instructions more in every probe */
    assert(t->options.type == TABIA_ENTRIES);
#ifdef STANDARD_AVX2
    if (LIKELY(t->route == ROUTE_STANDARD)) TAIL_CALL return tabia_entry_probe_avx2(t, key, path);
    if (t->route == ROUTE_XOR) TAIL_CALL return tabia_entry_probe_plain(t, key, path);
#endif
    if (UNLIKELY(t->route != ROUTE_HOT)) {
        if (t->route == ROUTE_CUSTOM) TAIL_CALL return probe_custom(t, key, path);
        TAIL_CALL return probe_otherwise(t, key, path);
    }
#ifdef STANDARD_SIMD
    const SlotRef p = fast_slot_ref(t, key, path);
    TabiaHit hit;
    return LIKELY(standard_probe(t, p, &hit)) ? hit : probe_all(t, p);
#else
    return entry_probe_inline(t, fast_slot_ref(t, key, path), XOR);
#endif
}

unsigned tabia_entry_age(const TabiaTable *t, TabiaHit hit) {
    if (!t || !hit.move_ok) return 0;
    return entry_age((uint64_t)hit.generation << GENERATION_SHIFT, generation_field_now(t));
}

NOINLINE void probe_batch_xor(const TabiaTable *t, const TabiaKey *keys, TabiaHit *hits, size_t n) {
    entry_probe_batch(t, keys, NULL, hits, n, TABIA_XOR);
}
NOINLINE void probe_batch_xor_paths(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                                    size_t n) {
    entry_probe_batch(t, keys, paths, hits, n, TABIA_XOR);
}
NOINLINE void probe_batch_wide(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                               size_t n) {
    entry_probe_batch(t, keys, paths, hits, n, TABIA_WIDE);
}

void tabia_entry_probe_batch(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                             size_t n) {
    if (!t) {
        memset(hits, 0, n * sizeof *hits);
        return;
    }
    assert(t->options.type == TABIA_ENTRIES);
#ifdef STANDARD_AVX2
    if (t->route == ROUTE_STANDARD) {
        tabia_entry_probe_batch_avx2(t, keys, paths, hits, n);
        return;
    }
#endif
    const bool by_xor = t->route == ROUTE_STANDARD || t->route == ROUTE_XOR;
    if (by_xor && !paths)
        probe_batch_xor(t, keys, hits, n);
    else if (by_xor)
        probe_batch_xor_paths(t, keys, paths, hits, n);
    else if (t->route == ROUTE_WIDE)
        probe_batch_wide(t, keys, paths, hits, n);
    else
        for (size_t i = 0; i < n; i++) hits[i] = tabia_entry_probe(t, keys[i], paths ? paths[i] : 0);
}

void tabia_entry_store(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    if (UNLIKELY(!t)) return;
    assert(t->options.type == TABIA_ENTRIES);
#ifdef STANDARD_AVX2
    if (LIKELY(t->store_route == ROUTE_STANDARD)) {
        tabia_entry_store_avx2(t, key, path, entry);
        return;
    }
    if (t->store_route == ROUTE_XOR) {
        tabia_entry_store_plain(t, key, path, entry);
        return;
    }
#endif
    const EntryArgument a = entry_argument(entry);
    if (UNLIKELY(t->store_route != ROUTE_HOT)) {
        store_otherwise(t, key, path, a);
        return;
    }
    const SlotRef p = fast_slot_ref(t, key, path);
    if (UNLIKELY(segment_stale(t, p.bucket))) {
        store_slowly(t, key, path, a);
        return;
    }
#ifdef STANDARD_SIMD
    standard_store(t, p, a);
#else
    entry_store_inline(t, p, entry, XOR);
#endif
}

void tabia_entry_store_by(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry, TabiaPriority *priority,
                          void *context) {
    if (!t || t->options.probing_off) return;
    assert(t->options.type == TABIA_ENTRIES);
    const SlotRef p = slow_slot_ref(t, key, path);
    segment_prepare(t, p.bucket);
    count_store(t, entry_store_by_inline(t, p, entry, (EntryPriority){priority, context}, mode_of(t)));
}

void tabia_entry_refresh(TabiaTable *t, TabiaKey key) {
    if (!t || t->options.probing_off) return;
    assert(t->options.type == TABIA_ENTRIES);
    entry_rewrite_inline(t, slow_slot_ref(t, key, 0), true, 0, mode_of(t));
}

void tabia_entry_penalise(TabiaTable *t, TabiaKey key, unsigned plies) {
    if (!t || t->options.probing_off) return;
    assert(t->options.type == TABIA_ENTRIES);
    entry_rewrite_inline(t, slow_slot_ref(t, key, 0), false, plies, mode_of(t));
}
