/* SPDX-License-Identifier: MIT */
/*
 * The measuring half of the laboratory: how fast the table is, and what its choices cost.
 *
 *     experiment   line, modes: a file of its own
 *       table      what is compared with each other, in one unit
 *         row      one contender with one number of threads
 *           sample   one figure for each round
 *
 * The machine is noisy and drifts, hence: all rows of a table take turns in every round, forwards and backwards by
 * turns; the median of the rounds counts; and a ratio of two rows is formed within each round, from figures that were
 * taken seconds apart, before the median is taken.
 */
#pragma once
#include "base/error.h"
#include <stdint.h>

enum { BENCH_ROUNDS_MAX = 99, BENCH_ROWS_MAX = 160, BENCH_STEPS_MAX = 16, BENCH_NOTES_MAX = 8, BENCH_NOTE_MAX = 200 };

typedef enum { BENCH_LINE, BENCH_MODES, BENCH_N } BenchExperiment;

const char *bench_name(BenchExperiment e);

/* One contender. */
typedef struct {
    char name[48];
    unsigned threads;
    int against; /* the row whose figures are its unit in the ratio; -1: none */
    double sample[BENCH_ROUNDS_MAX];
} BenchRow;

typedef struct {
    BenchExperiment experiment;
    char title[120];
    const char *unit;
    unsigned rounds; /* complete ones */
    unsigned rows, notes;
    BenchRow row[BENCH_ROWS_MAX];
    char note[BENCH_NOTES_MAX][BENCH_NOTE_MAX];
} BenchTable;

/* What is to be measured. */
typedef struct {
    uint64_t bytes;                           /* of tables in memory */
    unsigned threads[BENCH_STEPS_MAX], steps; /* the numbers of threads to take, rising */
    unsigned rounds;                          /* 1 to BENCH_ROUNDS_MAX */
    uint64_t chosen;                          /* experiments, one bit each */
    bool quick;                               /* short samples: to see that it works */
    /* Before each sample, by the calling thread; true ends the run early. */
    bool (*watch)(void *context, const BenchTable *table, unsigned row, unsigned done, unsigned all);
    /* A table is finished; it is gone afterwards. */
    void (*finished)(void *context, const BenchTable *table);
    void *context;
} BenchJob;

/* Runs what the job chose. False with an error if the machine refuses something; a run that watch() ended is none, and
 *stopped tells; tables with complete rounds have been handed over in either case. */
bool bench_run(const BenchJob *job, bool *stopped, TabiaError *error);

/* ---- what tables say ---- */

/* Median, min and max of n samples, n of 1 to BENCH_ROUNDS_MAX. */
typedef struct {
    double median, min, max;
} BenchSpread;
BenchSpread bench_spread(const double *sample, unsigned n);

/* A row's figure; its ratio to the row it is set against, formed round by round. Not finite without complete rounds or
   such a row. */
BenchSpread bench_figure(const BenchTable *t, unsigned row);
BenchSpread bench_ratio(const BenchTable *t, unsigned row);
