/* SPDX-License-Identifier: MIT */
/* The library's instances of the record type of records. */
#include "tabia/record.h"

#include <string.h>

#include "batch.h"
#include "record_inline.h"

INLINE SlotRef record_slot_ref(const TabiaTable *t, TabiaKey key) {
    return slot_ref_of(t, key, epoch_tag_of(t));
}

/* The number of words is a constant: loops of so few rounds are none. */
INLINE bool probe(const TabiaTable *t, SlotRef p, uint64_t *words) {
    switch (t->words) {
    case 1:
        return record_probe_inline(p, words, 1);
    case 2:
        return record_probe_inline(p, words, 2);
    case 3:
        return record_probe_inline(p, words, 3);
    case 4:
        return record_probe_inline(p, words, 4);
    case 5:
        return record_probe_inline(p, words, 5);
    case 6:
        return record_probe_inline(p, words, 6);
    default:
        return record_probe_inline(p, words, TABIA_RECORD_WORDS_MAX);
    }
}

INLINE CounterEvent store(const TabiaTable *t, SlotRef p, const uint64_t *words) {
    switch (t->words) {
    case 1:
        return record_store_inline(t, p, words, 1);
    case 2:
        return record_store_inline(t, p, words, 2);
    case 3:
        return record_store_inline(t, p, words, 3);
    case 4:
        return record_store_inline(t, p, words, 4);
    case 5:
        return record_store_inline(t, p, words, 5);
    case 6:
        return record_store_inline(t, p, words, 6);
    default:
        return record_store_inline(t, p, words, TABIA_RECORD_WORDS_MAX);
    }
}

bool tabia_record_probe(const TabiaTable *t, TabiaKey key, uint64_t *words) {
    if (UNLIKELY(!t)) return false;
    assert(t->options.type == TABIA_RECORDS);
    const bool there = probe(t, record_slot_ref(t, key), words);
    if (UNLIKELY(t->probes_slowly)) count_probe(t, there);
    return there;
}

INLINE void probe_batch(const TabiaTable *t, const TabiaKey *keys, uint64_t *words, bool *there, size_t n,
                        unsigned each) {
    const BatchView v = batch_view_of(t);
    const size_t followed = batch_followed(n);
    for (size_t i = 0; i < n - followed; i++) batch_prefetch(v, keys[i]);
    for (size_t i = 0; i < n; i++) {
        if (i < followed) batch_prefetch(v, keys[i + BATCH_AHEAD]);
        there[i] = record_probe_inline(batch_slot_ref(v, keys[i], v.epoch_tag), words + i * each, each);
    }
}

void tabia_record_probe_batch(const TabiaTable *t, const TabiaKey *keys, uint64_t *words, bool *there, size_t n) {
    if (!t) {
        if (n) memset(there, 0, n * sizeof *there);
        return;
    }
    assert(t->options.type == TABIA_RECORDS);
    if (t->probes_slowly)
        for (size_t i = 0; i < n; i++) there[i] = tabia_record_probe(t, keys[i], words + i * t->words);
    else if (t->words == 1)
        probe_batch(t, keys, words, there, n, 1);
    else if (t->words == 3)
        probe_batch(t, keys, words, there, n, 3);
    else
        probe_batch(t, keys, words, there, n, t->words);
}

/* With counters, or the first into a segment after a clear. */
NOINLINE void store_slowly(const TabiaTable *t, SlotRef p, const uint64_t *words) {
    segment_prepare(t, p.bucket);
    count_store(t, store(t, p, words));
}

void tabia_record_store(TabiaTable *t, TabiaKey key, const uint64_t *words) {
    if (UNLIKELY(!t)) return;
    assert(t->options.type == TABIA_RECORDS);
    const SlotRef p = record_slot_ref(t, key);
    if (UNLIKELY(t->stores_slowly || segment_stale(t, p.bucket)))
        store_slowly(t, p, words);
    else
        store(t, p, words);
}
