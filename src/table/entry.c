/* SPDX-License-Identifier: MIT */
/* The library's instances of the face of entries. */
#include "tabia/entry.h"

#include <assert.h>

#include "batch.h"
#include "entry_inline.h"

enum { WAYS = 4 };

INLINE Place straight_place(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return place_of(t, key, path, LINE_BYTES, false);
}

INLINE Place slow_place(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return place_of(t, key, path, t->group_bytes, true);
}

/* ---- the slow ways: fewer ways, counters, probing off; the first store into a segment after a clear ---- */

NOINLINE TabiaHit probe_slowly(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (!t || t->options.probing_off) return (TabiaHit){0};
    const Place p = slow_place(t, key, path);
    const TabiaHit hit = entry_probe_text(t, p, t->how, t->slots);
    if (!t->counters) return hit;
    tabia_count_event(t, COUNTED_probes);
    tabia_count_torn(t, p.group);
    if (hit.move_ok) tabia_count_event(t, COUNTED_hits);
    if (hit.move_ok && !hit.score_ok && hit.entry.bound != TABIA_BOUND_NONE) tabia_count_event(t, COUNTED_path_misses);
    return hit;
}

NOINLINE TabiaHit probe_wide(const TabiaTable *t, TabiaKey key, uint64_t path) {
    return entry_probe_text(t, straight_place(t, key, path), TABIA_WIDE, WAYS);
}

NOINLINE TabiaHit probe_otherwise(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (t->route == ROUTE_NONE) return entry_probe_text(t, straight_place(t, key, path), TABIA_NONE, WAYS);
    if (t->route == ROUTE_LOCKED) return entry_probe_text(t, straight_place(t, key, path), TABIA_LOCKED, WAYS);
    return probe_slowly(t, key, path);
}

static void count_store(const TabiaTable *t, Counted event) {
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_stores);
    tabia_count_event(t, event);
}

NOINLINE void store_slowly(const TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    if (t->options.probing_off) return;
    const Place p = slow_place(t, key, path);
    segment_prepare(t, p.group);
    count_store(t, entry_store_text(t, p, entry, t->how, t->slots));
}

/* ---- the calls ---- */

TabiaHit tabia_entry_probe(const TabiaTable *t, TabiaKey key, uint64_t path) {
    if (UNLIKELY(!t))
        return probe_slowly(t, key, path); /* a miss made here costs 40 instructions more in every probe */
    assert(t->options.face == TABIA_ENTRIES);
    if (LIKELY(t->route == ROUTE_XOR)) return entry_probe_text(t, straight_place(t, key, path), TABIA_XOR, WAYS);
    if (t->route == ROUTE_WIDE) return probe_wide(t, key, path);
    return probe_otherwise(t, key, path);
}

unsigned tabia_entry_age(const TabiaTable *t, TabiaHit hit) {
    if (!t || !hit.move_ok) return 0;
    return entry_age((uint64_t)hit.generation << 58, clock_read(&t->clock->generation));
}

/* What was found of a block of keys. Put aside, so that answers are made side by side; and not before the next block
   has been looked through, because what was written in small pieces is not read in large ones until it has arrived. */
typedef struct {
    uint64_t identity[MANY_BLOCK];
    Pair pair[MANY_BLOCK];
} Found;

/* n keys; behind them are others, of which `after` are asked for. Both are constants where it matters. */
INLINE void find_block(View v, const TabiaKey *keys, const uint64_t *paths, size_t n, size_t after, Found *found,
                       Integrity how) {
    for (size_t i = 0; i < n; i++) {
        if (i < after) view_ask(v, keys[i + MANY_AHEAD]);
        found->identity[i] = view_identity(v, keys[i], paths ? paths[i] : 0);
        found->pair[i] = line_pick(view_group(v, keys[i]), found->identity[i], ~v.path_mask, how, WAYS);
    }
}

INLINE void answer_block(View v, const Found *found, TabiaHit *hits, size_t n) {
    for (size_t i = 0; i < n; i++) hits[i] = entry_hit(found->pair[i], found->identity[i], v.path_mask);
}

/* paths is NULL or a table of them: a constant, so that the loop need not ask. */
INLINE void probe_many(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits, size_t n,
                       Integrity how) {
    const View v = view_of(t);
    const size_t followed = many_followed(n);
    Found found[2];
    unsigned side = 0;
    size_t from = 0;
    for (size_t i = 0; i < n - followed; i++) view_ask(v, keys[i]);
    for (; from + MANY_BLOCK <= followed; from += MANY_BLOCK, side ^= 1) {
        find_block(v, keys + from, paths ? paths + from : NULL, MANY_BLOCK, MANY_BLOCK, &found[side], how);
        if (from) answer_block(v, &found[!side], hits + from - MANY_BLOCK, MANY_BLOCK);
    }
    if (from) answer_block(v, &found[!side], hits + from - MANY_BLOCK, MANY_BLOCK);
    for (; from < n; from += MANY_BLOCK) {
        const size_t here = n - from < MANY_BLOCK ? n - from : MANY_BLOCK;
        find_block(v, keys + from, paths ? paths + from : NULL, here, from < followed ? followed - from : 0, &found[0],
                   how);
        answer_block(v, &found[0], hits + from, here);
    }
}

NOINLINE void probe_many_xor(const TabiaTable *t, const TabiaKey *keys, TabiaHit *hits, size_t n) {
    probe_many(t, keys, NULL, hits, n, TABIA_XOR);
}
NOINLINE void probe_many_xor_paths(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                                   size_t n) {
    probe_many(t, keys, paths, hits, n, TABIA_XOR);
}
NOINLINE void probe_many_wide(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                              size_t n) {
    probe_many(t, keys, paths, hits, n, TABIA_WIDE);
}

void tabia_entry_probe_many(const TabiaTable *t, const TabiaKey *keys, const uint64_t *paths, TabiaHit *hits,
                            size_t n) {
    if (!t) {
        memset(hits, 0, n * sizeof *hits);
        return;
    }
    assert(t->options.face == TABIA_ENTRIES);
    if (t->route == ROUTE_XOR && !paths)
        probe_many_xor(t, keys, hits, n);
    else if (t->route == ROUTE_XOR)
        probe_many_xor_paths(t, keys, paths, hits, n);
    else if (t->route == ROUTE_WIDE)
        probe_many_wide(t, keys, paths, hits, n);
    else
        for (size_t i = 0; i < n; i++) hits[i] = probe_otherwise(t, keys[i], paths ? paths[i] : 0);
}

void tabia_entry_store(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry) {
    if (UNLIKELY(!t)) return;
    assert(t->options.face == TABIA_ENTRIES);
    const Place p = straight_place(t, key, path);
    if (UNLIKELY(t->route == ROUTE_SLOW || segment_stale(t, p.group)))
        store_slowly(t, key, path, entry);
    else if (LIKELY(t->route == ROUTE_XOR))
        entry_store_text(t, p, entry, TABIA_XOR, WAYS);
    else if (t->route == ROUTE_WIDE)
        entry_store_text(t, p, entry, TABIA_WIDE, WAYS);
    else if (t->route == ROUTE_NONE)
        entry_store_text(t, p, entry, TABIA_NONE, WAYS);
    else
        entry_store_text(t, p, entry, TABIA_LOCKED, WAYS);
}

void tabia_entry_store_by(TabiaTable *t, TabiaKey key, uint64_t path, TabiaEntry entry, TabiaWorth *worth,
                          void *context) {
    if (!t || t->options.probing_off) return;
    assert(t->options.face == TABIA_ENTRIES);
    const Place p = slow_place(t, key, path);
    segment_prepare(t, p.group);
    count_store(t, entry_store_by_text(t, p, entry, worth, context, t->how, t->slots));
}

void tabia_entry_refresh(TabiaTable *t, TabiaKey key) {
    if (!t || t->options.probing_off) return;
    assert(t->options.face == TABIA_ENTRIES);
    entry_rewrite_text(t, slow_place(t, key, 0), true, 0, t->how, t->slots);
}

void tabia_entry_penalise(TabiaTable *t, TabiaKey key, unsigned plies) {
    if (!t || t->options.probing_off) return;
    assert(t->options.face == TABIA_ENTRIES);
    entry_rewrite_text(t, slow_place(t, key, 0), false, plies, t->how, t->slots);
}
