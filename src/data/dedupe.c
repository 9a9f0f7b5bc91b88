/* SPDX-License-Identifier: MIT */
/*
 * Duplicates are found with a set of keys in memory. If it cannot hold them all, the keys are parted by their value and
 * the input is read once for each part; a bit for each record remembers the duplicates until the last reading, which
 * writes. So the result is that of one reading with enough memory.
 */
#include <stdlib.h>

#include "data/transfer.h"
#include "rules/zobrist.h"

/* Open addressing; half of it at most is used. A key of zeros is an empty slot: one position in 2^128. */
typedef struct {
    Key *slot;
    uint64_t mask, used;
} KeySet;

static bool set_add(KeySet *set, Key key) {
    uint64_t at = key[1] & set->mask;
    while (set->slot[at][0] | set->slot[at][1]) {
        if (key_same(set->slot[at], key)) return false;
        at = (at + 1) & set->mask;
    }
    set->slot[at] = key;
    set->used++;
    return true;
}

/* As many slots as memory allows and records need. */
static bool set_make(KeySet *set, uint64_t memory, uint64_t most) {
    uint64_t slots = 1024;
    while (slots / 2 <= most && 2 * slots * sizeof(Key) <= memory) slots *= 2;
    *set = (KeySet){.slot = calloc(slots, sizeof(Key)), .mask = slots - 1};
    return set->slot != NULL;
}

typedef struct {
    DataSource *source;
    Zobrist zobrist;
    KeySet set;
    uint64_t records, parts;
    uint8_t *twice; /* a bit for each record; null with one part */
} Dedupe;

static DataOutcome out_of_memory(Fault *fault) {
    tabia_fault(fault, "not enough memory to find duplicates; --memory takes less");
    return DATA_OUTSIDE;
}

/* The whole work where the set holds all. */
static DataOutcome in_one(Dedupe *d, DataWriter *w, uint64_t *twice, Fault *fault) {
    DataRecord r;
    while (data_source_next(d->source, &r, fault)) {
        if (!r.skip && !set_add(&d->set, zobrist_key(&d->zobrist, &r.position)))
            ++*twice;
        else if (!data_write(w, &r, fault))
            return DATA_OUTSIDE;
    }
    return d->source->outcome;
}

static DataOutcome find_part(Dedupe *d, uint64_t part, Fault *fault) {
    DataRecord r;
    if (part && !data_source_again(d->source, fault)) return DATA_INPUT;
    for (uint64_t i = 0; i <= d->set.mask; i++) d->set.slot[i] = (Key){0, 0};
    d->set.used = 0;
    for (uint64_t n = 0; data_source_next(d->source, &r, fault); n++) {
        const Key key = zobrist_key(&d->zobrist, &r.position);
        if (n >= d->records) return tabia_fault(fault, "the input has grown while it was read"), DATA_INPUT;
        if (r.skip || key[0] % d->parts != part) continue;
        if (!set_add(&d->set, key)) d->twice[n / 8] |= (uint8_t)(1u << n % 8);
        if (d->set.used > d->set.mask / 4 * 3) return out_of_memory(fault);
    }
    return d->source->outcome;
}

static DataOutcome in_parts(Dedupe *d, DataWriter *w, uint64_t *twice, Fault *fault) {
    DataRecord r;
    d->twice = calloc(d->records / 8 + 1, 1);
    if (!d->twice) return out_of_memory(fault);
    for (uint64_t part = 0; part < d->parts; part++) {
        const DataOutcome found = find_part(d, part, fault);
        if (found != DATA_DONE) return found;
    }
    if (!data_source_again(d->source, fault)) return DATA_INPUT;
    for (uint64_t n = 0; data_source_next(d->source, &r, fault) && n < d->records; n++) {
        if (d->twice[n / 8] >> n % 8 & 1)
            ++*twice;
        else if (!data_write(w, &r, fault))
            return DATA_OUTSIDE;
    }
    return d->source->outcome;
}

/* How many records there are at most: bounded by the files' sizes, or counted if that bound is too much for the set. */
static DataOutcome bound(Dedupe *d, uint64_t memory, Fault *fault) {
    DataRecord r;
    d->records = data_source_most(d->source);
    if (d->records <= memory / sizeof(Key) / 4) return DATA_DONE;
    d->records = 0;
    while (data_source_next(d->source, &r, fault)) d->records++;
    if (d->source->outcome == DATA_DONE && !data_source_again(d->source, fault)) return DATA_INPUT;
    return d->source->outcome;
}

DataOutcome data_dedupe(DataSource *s, DataWriter *w, const DataDedupe *how, uint64_t *twice, Fault *fault) {
    Dedupe *d = aligned_alloc(64, (sizeof *d + 63) / 64 * 64);
    *twice = 0;
    if (!d) return out_of_memory(fault);
    *d = (Dedupe){.source = s};
    zobrist_init(&d->zobrist, 1);
    DataOutcome outcome = bound(d, how->memory, fault);
    if (outcome == DATA_DONE && !set_make(&d->set, how->memory, d->records)) outcome = out_of_memory(fault);
    if (outcome == DATA_DONE) {
        d->parts = d->records / (d->set.mask / 2) + 1;
        outcome = d->parts == 1 ? in_one(d, w, twice, fault) : in_parts(d, w, twice, fault);
    }
    free(d->set.slot);
    free(d->twice);
    free(d);
    return outcome;
}
