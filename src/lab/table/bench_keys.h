/* SPDX-License-Identifier: MIT */
/*
 * Keys for the measurements: a cheap function of a number, so that the keys that were stored can be asked for again in
 * the same order, which to the memory is no order at all. Half of the numbers are stored, which half is random, so that
 * no processor can foresee whether a probe will hit.
 */
#pragma once
#include <assert.h>

#include "base/bits.h"
#include "base/error.h"
#include "tabia/counts.h"
#include "tabia/entry.h"
#include "tabia/record.h"

INLINE TabiaKey bench_key(uint64_t number) {
    uint64_t z = number * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 32) * 0xbf58476d1ce4e5b9ull;
    z ^= z >> 29;
    return (TabiaKey){z, z * 0xda942042e4dd58b5ull};
}

/* Where in the span the batch of operations begins that is numbered from `from`: anywhere. */
INLINE uint64_t bench_begin(uint64_t from, uint64_t span) {
    return (uint64_t)((unsigned __int128)(from * 0x9e3779b97f4a7c15ull) * span >> 64);
}

/* Is it one of those that bench_fill stores? A bit that neither bucket nor signature depends on. */
INLINE bool bench_stored(TabiaKey key) {
    return key.index & 1;
}

/* Where the numbers begin again: twice as many as the table has slots. */
uint64_t bench_span(const TabiaTable *table);

/* Stores every key of the span that is to be stored: the table is about four fifths full afterwards. In parallel. */
bool bench_fill(TabiaTable *table, unsigned threads, TabiaError *error);

INLINE TabiaEntry bench_entry(TabiaKey key) {
    return (TabiaEntry){.move = (uint16_t)(key.check | 1),
                        .score = (int16_t)(key.check >> 16),
                        .evaluation = (int16_t)(key.check >> 32),
                        .draft = key.check >> 48 & 31,
                        .bound = key.check >> 56 & 3};
}

enum { BENCH_DEPTH = 5 };

enum { BENCH_MANY = 4096 };

/* BENCH_MANY probes at most, by the one call for many. All answers are written to memory; one is looked at. */
INLINE uint64_t bench_probe_many(const TabiaTable *t, TabiaRecordType type, const TabiaKey *keys, unsigned n) {
    union {
        TabiaHit hits[BENCH_MANY];
        uint64_t counts[BENCH_MANY];
        uint64_t words[BENCH_MANY][3];
    } found;
    bool there[BENCH_MANY];
    assert(n > 0 && n <= BENCH_MANY);
    switch (type) {
    case TABIA_ENTRIES:
        tabia_entry_probe_batch(t, keys, NULL, found.hits, n);
        return (uint64_t)found.hits[n - 1].entry.score;
    case TABIA_COUNTS:
        tabia_counts_probe_batch(t, keys, BENCH_DEPTH, found.counts, n);
        return found.counts[n - 1];
    default:
        tabia_record_probe_batch(t, keys, found.words[0], there, n);
        return there[n - 1];
    }
}

INLINE void bench_store(TabiaTable *t, TabiaRecordType type, TabiaKey key) {
    const uint64_t words[TABIA_RECORD_WORDS_MAX] = {key.check, key.index, key.check, key.index,
                                                    key.check, key.index, key.check};
    switch (type) {
    case TABIA_ENTRIES:
        tabia_entry_store(t, key, 0, bench_entry(key));
        return;
    case TABIA_COUNTS:
        tabia_counts_store(t, key, BENCH_DEPTH, key.check | 1);
        return;
    default:
        tabia_record_store(t, key, words);
        return;
    }
}

INLINE void bench_prefetch(const TabiaTable *t, TabiaRecordType type, TabiaKey key) {
    if (type == TABIA_COUNTS)
        tabia_counts_prefetch(t, key, BENCH_DEPTH);
    else
        tabia_table_prefetch(t, key);
}
