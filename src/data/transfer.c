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

static DataOutcome count_units(DataSource *s, bool by_games, uint64_t *units, Fault *fault) {
    DataRecord r;
    *units = 0;
    while (data_source_next(s, &r, fault)) *units += begins_unit(&r, by_games);
    if (s->outcome == DATA_DONE && !data_source_again(s, fault)) return DATA_INPUT;
    return s->outcome;
}

DataOutcome data_sample(DataSource *s, DataWriter *w, const DataSample *how, Fault *fault) {
    uint64_t seed = how->seed, left = 0, wanted = how->units;
    if (wanted) {
        const DataOutcome counted = count_units(s, how->by_games, &left, fault);
        if (counted != DATA_DONE) return counted;
        if (wanted > left)
            return tabia_fault(fault, "%ju were asked for, and there are %ju", (uintmax_t)wanted, (uintmax_t)left),
                   DATA_INPUT;
    }
    DataRecord r;
    bool taken = false;
    while (data_source_next(s, &r, fault)) {
        if (begins_unit(&r, how->by_games)) {
            taken = how->units ? below(&seed, left--) < wanted : fraction(&seed) < how->share;
            wanted -= how->units && taken;
        }
        if (taken && !data_write(w, &r, fault)) return DATA_OUTSIDE;
    }
    return s->outcome;
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
