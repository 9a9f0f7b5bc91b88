/* SPDX-License-Identifier: MIT */
/* The library's instances of the record type of records: one for each number of words. */
#include "tabia/record.h"

#include <string.h>

#include "batch.h"
#include "record_inline.h"

INLINE SlotRef record_slot_ref(const TabiaTable *t, TabiaKey key) {
    return slot_ref_of(t, key, epoch_tag_of(t), CACHE_LINE_BYTES, true);
}

/* The integrity is a constant where it matters, in the mode that is used; the others are for comparison. */
INLINE bool probe_of(const TabiaTable *t, SlotRef p, uint64_t *words, unsigned n) {
    if (LIKELY(t->integrity == TABIA_XOR)) return record_probe_inline(t, p, words, n, TABIA_XOR);
    return record_probe_inline(t, p, words, n, t->integrity);
}

INLINE CounterEvent store_of(const TabiaTable *t, SlotRef p, const uint64_t *words, unsigned n) {
    if (LIKELY(t->integrity == TABIA_XOR)) return record_store_inline(t, p, words, n, TABIA_XOR);
    return record_store_inline(t, p, words, n, t->integrity);
}

INLINE bool probe(const TabiaTable *t, SlotRef p, uint64_t *words) {
    switch (t->words) {
    case 1:
        return probe_of(t, p, words, 1);
    case 2:
        return probe_of(t, p, words, 2);
    case 3:
        return probe_of(t, p, words, 3);
    case 4:
        return probe_of(t, p, words, 4);
    case 5:
        return probe_of(t, p, words, 5);
    case 6:
        return probe_of(t, p, words, 6);
    default:
        return probe_of(t, p, words, 7);
    }
}

INLINE CounterEvent store(const TabiaTable *t, SlotRef p, const uint64_t *words) {
    switch (t->words) {
    case 1:
        return store_of(t, p, words, 1);
    case 2:
        return store_of(t, p, words, 2);
    case 3:
        return store_of(t, p, words, 3);
    case 4:
        return store_of(t, p, words, 4);
    case 5:
        return store_of(t, p, words, 5);
    case 6:
        return store_of(t, p, words, 6);
    default:
        return store_of(t, p, words, 7);
    }
}

bool tabia_record_probe(const TabiaTable *t, TabiaKey key, uint64_t *words) {
    if (UNLIKELY(!t || t->options.probing_off)) return false;
    assert(t->options.type == TABIA_RECORDS);
    const SlotRef p = record_slot_ref(t, key);
    const bool there = probe(t, p, words);
    if (!t->counters) return there;
    tabia_count_event(t, COUNTED_probes);
    tabia_count_torn(t, p.bucket);
    if (there) tabia_count_event(t, COUNTED_hits);
    return there;
}

INLINE void probe_batch(const TabiaTable *t, const TabiaKey *keys, uint64_t *words, bool *there, size_t n,
                        unsigned each) {
    const BatchView v = batch_view_of(t);
    const size_t followed = batch_followed(n);
    for (size_t i = 0; i < n - followed; i++) batch_prefetch(v, keys[i]);
    for (size_t i = 0; i < n; i++) {
        if (i < followed) batch_prefetch(v, keys[i + BATCH_AHEAD]);
        there[i] = record_probe_inline(t, batch_slot_ref(v, keys[i]), words + i * each, each, TABIA_XOR);
    }
}

void tabia_record_probe_batch(const TabiaTable *t, const TabiaKey *keys, uint64_t *words, bool *there, size_t n) {
    if (!t) {
        memset(there, 0, n * sizeof *there);
        return;
    }
    assert(t->options.type == TABIA_RECORDS);
    if (t->counters || t->options.probing_off || t->integrity != TABIA_XOR) {
        for (size_t i = 0; i < n; i++) there[i] = tabia_record_probe(t, keys[i], words + i * t->words);
        return;
    }
    switch (t->words) {
    case 1:
        probe_batch(t, keys, words, there, n, 1);
        return;
    case 2:
        probe_batch(t, keys, words, there, n, 2);
        return;
    case 3:
        probe_batch(t, keys, words, there, n, 3);
        return;
    default:
        probe_batch(t, keys, words, there, n, t->words);
        return;
    }
}

/* With all that is rare. */
NOINLINE void store_slowly(const TabiaTable *t, SlotRef p, const uint64_t *words) {
    if (t->options.probing_off) return;
    segment_prepare(t, p.bucket);
    const CounterEvent event = store(t, p, words);
    if (!t->counters) return;
    tabia_count_event(t, COUNTED_stores);
    tabia_count_event(t, event);
}

void tabia_record_store(TabiaTable *t, TabiaKey key, const uint64_t *words) {
    if (UNLIKELY(!t)) return;
    assert(t->options.type == TABIA_RECORDS);
    const SlotRef p = record_slot_ref(t, key);
    if (UNLIKELY(t->counters || t->options.probing_off || segment_stale(t, p.bucket)))
        store_slowly(t, p, words);
    else
        store(t, p, words);
}
