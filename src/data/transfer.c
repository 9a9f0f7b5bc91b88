/* SPDX-License-Identifier: MIT */
#include "data/transfer.h"

#include <assert.h>
#include <stdlib.h>

#include "base/random.h"

/* A random number below n, n > 0; the bias is below 2^-32 for n < 2^32. */
static uint64_t random_index(uint64_t *seed, uint64_t n) {
    assert(n);
    return (uint64_t)((unsigned __int128)random_next(seed) * n >> 64);
}
static double random_fraction(uint64_t *seed) {
    return (double)(random_next(seed) >> 11) * 0x1p-53;
}

const DataFormat *data_output_format(const DataSource *s, const DataFormat *wanted, const char *path,
                                     TabiaError *error) {
    const DataFormat *from = data_source_format(s, error);
    if (!from || !data_check_output_name(path, error)) return NULL;
    const DataFormat *to = wanted ? wanted : path ? data_format_by_extension(path) : NULL;
    if (!to && path && data_has_extension(path))
        return tabia_fail(error, "--out %.300s: its extension is that of no format; name the format with --to", path),
               (DataFormat *)NULL;
    if (!to) to = from;
    if (!to->write)
        return tabia_fail(error, "%s is only read; name another format with --to", to->name), (DataFormat *)NULL;
    if (!(to->requires & ~from->fields)) return to;
    tabia_fail(error, "%s needs moves, and %s stores none: its records cannot be converted", to->name, from->name);
    return NULL;
}

DataOutcome data_convert(DataSource *s, DataWriter *w, TabiaError *error) {
    DataRecord r;
    while (data_source_next(s, &r, error))
        if (!data_write(w, &r, error)) return DATA_SYSTEM_ERROR;
    return s->outcome;
}

/* ---- samples ---- */

static bool begins_unit(const DataRecord *r, bool by_games) {
    return !by_games || r->starts_game;
}

/* Where one unit ends and the next begins, and whether anything of this one could be written so far. */
typedef struct {
    const DataFormat *format;
    bool by_games, writable;
} UnitCursor;

/* Moves on to the record. True at the first record of each unit that the format can hold: only such units are drawn. */
static bool unit_becomes_writable(UnitCursor *c, const DataRecord *r) {
    if (begins_unit(r, c->by_games)) c->writable = false;
    if (c->writable || data_rejection(c->format, r) != DATA_ACCEPT) return false;
    return c->writable = true;
}

static DataOutcome count_units(DataSource *s, UnitCursor c, uint64_t *units, TabiaError *error) {
    DataRecord r;
    *units = 0;
    while (data_source_next(s, &r, error)) *units += unit_becomes_writable(&c, &r);
    if (s->outcome == DATA_DONE && !data_source_rewind(s, error)) return DATA_BAD_INPUT;
    return s->outcome;
}

static bool too_few(const DataSampleOptions *options, uint64_t units, const DataFormat *format, TabiaError *error) {
    return tabia_fail(error, "--count: %ju %s were asked for, and %ju can be written as %s", (uintmax_t)options->units,
                      options->by_games ? "games" : "records", (uintmax_t)units, format->name);
}

static DataOutcome sample_count(DataSource *s, DataWriter *w, const DataSampleOptions *options, TabiaError *error) {
    const UnitCursor begin = {.format = data_writer_format(w), .by_games = options->by_games};
    UnitCursor c = begin;
    uint64_t seed = options->seed, units_left = 0, wanted = options->units;
    DataRecord r;
    bool chosen = false;
    const DataOutcome counted = count_units(s, begin, &units_left, error);
    if (counted != DATA_DONE) return counted;
    if (wanted > units_left) return too_few(options, units_left, begin.format, error), DATA_BAD_INPUT;
    while (data_source_next(s, &r, error)) {
        if (begins_unit(&r, options->by_games)) chosen = false;
        if (unit_becomes_writable(&c, &r)) {
            assert(units_left >= wanted);
            chosen = random_index(&seed, units_left--) < wanted;
            wanted -= chosen;
        }
        if (chosen && !data_write(w, &r, error)) return DATA_SYSTEM_ERROR;
    }
    return s->outcome;
}

static DataOutcome sample_fraction(DataSource *s, DataWriter *w, const DataSampleOptions *options, TabiaError *error) {
    uint64_t seed = options->seed;
    DataRecord r;
    bool chosen = false;
    while (data_source_next(s, &r, error)) {
        if (begins_unit(&r, options->by_games)) chosen = random_fraction(&seed) < options->fraction;
        if (chosen && !data_write(w, &r, error)) return DATA_SYSTEM_ERROR;
    }
    return s->outcome;
}

DataOutcome data_sample(DataSource *s, DataWriter *w, const DataSampleOptions *options, TabiaError *error) {
    return options->units ? sample_count(s, w, options, error) : sample_fraction(s, w, options, error);
}

DataOutcome data_split(DataSource *s, DataWriter *const *w, const DataSplitOptions *options, TabiaError *error) {
    uint64_t seed = options->seed;
    double sum = 0;
    unsigned to = 0;
    DataRecord r;
    for (unsigned i = 0; i < options->n; i++) sum += options->weight[i];
    while (data_source_next(s, &r, error)) {
        if (begins_unit(&r, options->by_games)) {
            double x = sum * random_fraction(&seed);
            for (to = 0; to + 1 < options->n && x >= options->weight[to]; to++) x -= options->weight[to];
        }
        if (!data_write(w[to], &r, error)) return DATA_SYSTEM_ERROR;
    }
    return s->outcome;
}
