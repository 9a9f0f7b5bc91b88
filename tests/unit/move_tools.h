/* SPDX-License-Identifier: MIT */
/* Tables of every record type filled with what their keys say, so that whatever comes back can be judged by its key alone. */
#pragma once
#include "table_tools.h"

#include "tabia/counts.h"
#include "tabia/entry.h"
#include "tabia/record.h"
#include "table/table_internal.h"

/* What is stored under key number i. */
static inline TabiaKey key_at(uint64_t i) {
    uint64_t seed = i * 2 + 1;
    return random_key(&seed);
}

static inline TabiaEntry entry_at(uint64_t i) {
    uint64_t seed = ~i;
    const uint64_t r = random_next(&seed);
    return (TabiaEntry){.score = (int16_t)(r >> 16),
                        .evaluation = (int16_t)(r >> 32),
                        .draft = (uint8_t)(r >> 48),
                        .bound = 1 + i % 3,
                        .user = (uint16_t)random_next(&seed),
                        .move = (uint32_t)random_next(&seed) | 1};
}

/* As much of an entry as the layout of a table has room for. */
static inline TabiaEntry entry_within(const TabiaTable *t, TabiaEntry e) {
    e.move &= ~(uint32_t)0 >> (32 - t->options.move_bits);
    e.user &= (uint16_t)((1u << t->options.user_bits) - 1);
    return e;
}

static inline void store_at(TabiaTable *t, TabiaRecordType type, unsigned words, uint64_t i) {
    uint64_t record[TABIA_RECORD_WORDS_MAX];
    for (unsigned w = 0; w < words; w++) record[w] = i * 100 + w;
    if (type == TABIA_ENTRIES) tabia_entry_store(t, key_at(i), i * 7, entry_at(i));
    if (type == TABIA_COUNTS) tabia_counts_store(t, key_at(i), 5, 1 + entry_at(i).draft);
    if (type == TABIA_RECORDS) tabia_record_store(t, key_at(i), record);
}

/* Is it there? What is found must be right, path and all. */
static inline bool find_at(const TabiaTable *t, TabiaRecordType type, unsigned words, uint64_t i) {
    if (type == TABIA_ENTRIES) {
        const TabiaHit hit = tabia_entry_probe(t, key_at(i), i * 7);
        const TabiaEntry e = entry_within(t, entry_at(i));
        if (hit.move_ok) assert_memory_equal(&hit.entry, &e, sizeof e);
        if (hit.move_ok) assert_true(hit.score_ok);
        return hit.move_ok;
    }
    if (type == TABIA_COUNTS) {
        const uint64_t n = tabia_counts_probe(t, key_at(i), 5);
        if (n) assert_int_equal(n, 1 + entry_at(i).draft);
        return n != 0;
    }
    uint64_t record[TABIA_RECORD_WORDS_MAX];
    if (!tabia_record_probe(t, key_at(i), record)) return false;
    for (unsigned w = 0; w < words; w++) assert_int_equal(record[w], i * 100 + w);
    return true;
}

/* Which of the first n keys are there, one byte each; the caller frees it. */
static inline uint8_t *found_of(const TabiaTable *t, TabiaRecordType type, unsigned words, uint64_t n) {
    uint8_t *found = malloc(n);
    for (uint64_t i = 0; i < n; i++) found[i] = find_at(t, type, words, i);
    return found;
}

/* Every record type and width that moving must know, by turns. */
typedef struct {
    TabiaOptions options;
    unsigned words;
} Kind;

enum { KINDS_STANDARD = 24, KINDS = 32 };

/* Entries of other layouts. */
static inline Kind of_layout(unsigned i, Kind k) {
    k.options.type = TABIA_ENTRIES;
    k.words = 1, k.options.record_words = 0;
    k.options.move_bits = i % 3 ? 32 : 27;
    k.options.user_bits = i % 4;
    k.options.counters = i % 8 == 6;
    k.options.exact_bonus = i % 3 * 5;
    k.options.keep_margin = i % 5 ? 0 : TABIA_KEEP_NEVER;
    k.options.refresh_on_hit = i % 8 < 2;
    return k;
}

static inline Kind kind_at(unsigned i) {
    Kind k = {{.type = (TabiaRecordType)(i % 3), .threads = 1 + i % 2}, 1};
    if (k.options.type == TABIA_RECORDS) k.words = k.options.record_words = 1 + i / 3 % 7;
    k.options.counters = i / 12 % 2 != 0;
    if (i % 5 == 1) k.options.path_bits = TABIA_NO_PATH_BITS;
    if (i % 5 == 2) k.options.path_bits = 7;
    if (i >= KINDS_STANDARD) return of_layout(i, k);
    if (i % 4 == 3) k.options.signature_bits = 40;
    return k;
}
