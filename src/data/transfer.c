/* SPDX-License-Identifier: MIT */
#include "data/transfer.h"

#include <stdlib.h>

#include "base/random.h"

/* A number below n, which is not 0; equally likely to one part in 2^32 or so. */
static uint64_t below(uint64_t *seed, uint64_t n) {
    return (uint64_t)((unsigned __int128)random_next(seed) * n >> 64);
}
static double fraction(uint64_t *seed) {
    return (double)(random_next(seed) >> 11) * 0x1p-53;
}

DataOutcome data_convert(DataSource *s, DataWriter *w, Fault *fault) {
    DataRecord r;
    while (data_source_next(s, &r, fault))
        if (!data_write(w, &r, fault)) return DATA_OUTSIDE;
    return s->outcome;
}

/* ---- samples ---- */

static bool begins_unit(const DataRecord *r, bool by_games) {
    return !by_games || r->first;
}

/* Where one unit ends and the next begins, and whether anything of this one could be written so far. */
typedef struct {
    const DataFormat *format;
    bool by_games, writable;
} UnitCursor;

/* Moves on to the record. True at the first record of each unit that the format can hold: only such units are drawn. */
static bool unit_becomes_writable(UnitCursor *c, const DataRecord *r) {
    if (begins_unit(r, c->by_games)) c->writable = false;
    if (c->writable || data_unfit(c->format, r) != DATA_FIT) return false;
    return c->writable = true;
}

static DataOutcome count_units(DataSource *s, UnitCursor c, uint64_t *units, Fault *fault) {
    DataRecord r;
    *units = 0;
    while (data_source_next(s, &r, fault)) *units += unit_becomes_writable(&c, &r);
    if (s->outcome == DATA_DONE && !data_source_again(s, fault)) return DATA_INPUT;
    return s->outcome;
}

static bool too_few(const DataSample *how, uint64_t units, const DataFormat *format, Fault *fault) {
    return tabia_fault(fault, "--count: %ju %s were asked for, and %ju can be written as %s", (uintmax_t)how->units,
                       how->by_games ? "games" : "records", (uintmax_t)units, format->name);
}

static DataOutcome sample_count(DataSource *s, DataWriter *w, const DataSample *how, Fault *fault) {
    const UnitCursor begin = {.format = data_writer_format(w), .by_games = how->by_games};
    UnitCursor c = begin;
    uint64_t seed = how->seed, left = 0, wanted = how->units;
    DataRecord r;
    bool chosen = false;
    const DataOutcome counted = count_units(s, begin, &left, fault);
    if (counted != DATA_DONE) return counted;
    if (wanted > left) return too_few(how, left, begin.format, fault), DATA_INPUT;
    while (data_source_next(s, &r, fault)) {
        if (begins_unit(&r, how->by_games)) chosen = false;
        if (unit_becomes_writable(&c, &r)) {
            chosen = below(&seed, left--) < wanted;
            wanted -= chosen;
        }
        if (chosen && !data_write(w, &r, fault)) return DATA_OUTSIDE;
    }
    return s->outcome;
}

static DataOutcome sample_share(DataSource *s, DataWriter *w, const DataSample *how, Fault *fault) {
    uint64_t seed = how->seed;
    DataRecord r;
    bool chosen = false;
    while (data_source_next(s, &r, fault)) {
        if (begins_unit(&r, how->by_games)) chosen = fraction(&seed) < how->share;
        if (chosen && !data_write(w, &r, fault)) return DATA_OUTSIDE;
    }
    return s->outcome;
}

DataOutcome data_sample(DataSource *s, DataWriter *w, const DataSample *how, Fault *fault) {
    return how->units ? sample_count(s, w, how, fault) : sample_share(s, w, how, fault);
}

DataOutcome data_split(DataSource *s, DataWriter *const *w, const DataSplit *how, Fault *fault) {
    uint64_t seed = how->seed;
    double sum = 0;
    unsigned to = 0;
    DataRecord r;
    for (unsigned i = 0; i < how->n; i++) sum += how->share[i];
    while (data_source_next(s, &r, fault)) {
        if (begins_unit(&r, how->by_games)) {
            double x = sum * fraction(&seed);
            for (to = 0; to + 1 < how->n && x >= how->share[to]; to++) x -= how->share[to];
        }
        if (!data_write(w[to], &r, fault)) return DATA_OUTSIDE;
    }
    return s->outcome;
}
