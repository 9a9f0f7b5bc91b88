/* SPDX-License-Identifier: MIT */
/*
 * Duplicates are found with a set of keys in memory. If memory does not hold all keys, they are partitioned by their
 * value and the input is read once for each partition; a bit for each record marks the duplicates for a last pass, which
 * writes. So the result is that of one pass with enough memory.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "data/transfer.h"
#include "rules/zobrist.h"

/* Open addressing, at most half full. A zero key marks an empty slot; one position in 2^128 has it. */
typedef struct {
    Key *slot;
    uint64_t mask, used;
} RecordKeySet;

static bool key_set_insert(RecordKeySet *set, Key key) {
    assert(set->used < set->mask); /* else the search would not end */
    uint64_t slot = key[1] & set->mask;
    while (set->slot[slot][0] | set->slot[slot][1]) {
        if (key_same(set->slot[slot], key)) return false;
        slot = (slot + 1) & set->mask;
    }
    set->slot[slot] = key;
    set->used++;
    return true;
}

/* As many slots as memory allows and max_keys needs. */
static bool key_set_create(RecordKeySet *set, uint64_t memory, uint64_t max_keys) {
    uint64_t slots = 1024;
    while (slots / 2 <= max_keys && 2 * slots * sizeof(Key) <= memory) slots *= 2;
    assert((slots & (slots - 1)) == 0);
    *set = (RecordKeySet){.slot = calloc(slots, sizeof(Key)), .mask = slots - 1};
    return set->slot != NULL;
}

typedef struct {
    DataSource *source;
    Zobrist zobrist;
    RecordKeySet set;
    uint64_t records, passes;
    uint8_t *is_duplicate; /* one bit for each record; null with one pass */
} DedupeState;

static DataOutcome out_of_memory(TabiaError *error) {
    tabia_fail(error, "not enough memory to find duplicates; a smaller --memory needs less");
    return DATA_SYSTEM_ERROR;
}

static DataOutcome fail_of_many(const DedupeState *d, TabiaError *error) {
    tabia_fail(
        error,
        "more positions than --memory holds (%ju), and the input can be read once only; give files, or more --memory",
        (uintmax_t)d->set.used);
    return DATA_SYSTEM_ERROR;
}

/* For a set that holds all keys; or as many as memory does, of what can be read once only. */
static DataOutcome dedupe_single_pass(DedupeState *d, DataWriter *w, uint64_t *duplicates, TabiaError *error) {
    DataRecord r;
    while (data_source_next(d->source, &r, error)) {
        if (!r.skip && !key_set_insert(&d->set, zobrist_key(&d->zobrist, &r.position)))
            ++*duplicates;
        else if (!data_write(w, &r, error))
            return DATA_SYSTEM_ERROR;
        if (d->set.used > d->set.mask / 4 * 3) return fail_of_many(d, error);
    }
    return d->source->outcome;
}

static DataOutcome mark_duplicates(DedupeState *d, uint64_t pass, TabiaError *error) {
    DataRecord r;
    if (pass && !data_source_rewind(d->source, error)) return DATA_BAD_INPUT;
    for (uint64_t i = 0; i <= d->set.mask; i++) d->set.slot[i] = (Key){0, 0};
    d->set.used = 0;
    for (uint64_t n = 0; data_source_next(d->source, &r, error); n++) {
        const Key key = zobrist_key(&d->zobrist, &r.position);
        if (n >= d->records) return tabia_fail(error, "the input grew while it was read"), DATA_BAD_INPUT;
        if (r.skip || key[0] % d->passes != pass) continue;
        if (!key_set_insert(&d->set, key)) d->is_duplicate[n / 8] |= (uint8_t)(1u << n % 8);
        if (d->set.used > d->set.mask / 4 * 3) return out_of_memory(error);
    }
    return d->source->outcome;
}

static DataOutcome dedupe_multi_pass(DedupeState *d, DataWriter *w, uint64_t *duplicates, TabiaError *error) {
    DataRecord r;
    d->is_duplicate = calloc(d->records / 8 + 1, 1);
    if (!d->is_duplicate) return out_of_memory(error);
    for (uint64_t pass = 0; pass < d->passes; pass++) {
        const DataOutcome marked = mark_duplicates(d, pass, error);
        if (marked != DATA_DONE) return marked;
    }
    if (!data_source_rewind(d->source, error)) return DATA_BAD_INPUT;
    for (uint64_t n = 0; data_source_next(d->source, &r, error) && n < d->records; n++) {
        if (d->is_duplicate[n / 8] >> n % 8 & 1)
            ++*duplicates;
        else if (!data_write(w, &r, error))
            return DATA_SYSTEM_ERROR;
    }
    return d->source->outcome;
}

/* Sets an upper bound on the number of records: from the sizes of the files, or by counting if that bound is too large
   for the set; none is known of what can be read once only. */
static DataOutcome estimate_records(DedupeState *d, uint64_t memory, TabiaError *error) {
    DataRecord r;
    d->records = data_source_max_records(d->source);
    if (d->records == UINT64_MAX || d->records <= memory / sizeof(Key) / 4) return DATA_DONE;
    d->records = 0;
    while (data_source_next(d->source, &r, error)) d->records++;
    if (d->source->outcome == DATA_DONE && !data_source_rewind(d->source, error)) return DATA_BAD_INPUT;
    return d->source->outcome;
}

DataOutcome data_dedupe(DataSource *s, DataWriter *w, const DataDedupeOptions *options, uint64_t *duplicates,
                        TabiaError *error) {
    DedupeState *d = tabia_aligned_get(64, (sizeof *d + 63) / 64 * 64);
    *duplicates = 0;
    if (!d) return out_of_memory(error);
    *d = (DedupeState){.source = s};
    zobrist_init(&d->zobrist, 1);
    DataOutcome outcome = estimate_records(d, options->memory, error);
    if (outcome == DATA_DONE && !key_set_create(&d->set, options->memory, d->records)) outcome = out_of_memory(error);
    if (outcome == DATA_DONE) {
        d->passes = d->records == UINT64_MAX ? 1 : d->records / (d->set.mask / 2) + 1;
        outcome =
            d->passes == 1 ? dedupe_single_pass(d, w, duplicates, error) : dedupe_multi_pass(d, w, duplicates, error);
    }
    free(d->set.slot);
    free(d->is_duplicate);
    tabia_aligned_free(d);
    return outcome;
}
