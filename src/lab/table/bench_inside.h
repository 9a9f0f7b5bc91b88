/* SPDX-License-Identifier: MIT */
/* What the experiments share among themselves. */
#pragma once
#include <assert.h>

#include "bench.h"
#include "tabia/table.h"

typedef struct {
    const BenchJob *job;
    bool stopped;
    TabiaError *error;
    const BenchTable *table; /* what is being measured, for watch() */
    unsigned row, done, all;
} Bench;

/* One for each experiment. False with b->error if something failed. */
bool bench_line(Bench *b);
bool bench_modes(Bench *b);

/* ---- tables ---- */

/* A table without rows, to be freed by the caller. NULL with b->error if there is no memory. */
BenchTable *bench_table(Bench *b, BenchExperiment e, const char *unit, const char *title, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a row and returns its number. */
unsigned bench_row(BenchTable *t, unsigned threads, int against, const char *name, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a line that stands below the table. More than there is room for are dropped. */
void bench_note(BenchTable *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One figure of a row. False with b->error. */
typedef bool BenchMeasure(Bench *b, void *context, unsigned row, double *figure);

/* Measures every row in every round, once unrecorded beforehand, and hands the table over. */
bool bench_measure(Bench *b, BenchTable *t, BenchMeasure *measure, void *context);

/* ---- work ---- */

/* n operations of a thread, numbered from `from`; what it returns is used, so that nothing is left out. */
typedef uint64_t BenchWork(void *context, uint64_t from, unsigned n);

/* Operations a second of that many threads together, working for about that long. A thread is timed by its own
   processor time where each has a processor, so that other programs count little, and by the clock on the wall
   otherwise. */
bool bench_rate(Bench *b, unsigned threads, double seconds, BenchWork *work, void *context, double *rate);

/* The same in millions, for as long as a sample should last. */
bool bench_millions(Bench *b, unsigned threads, BenchWork *work, void *context, double *figure);

/* The greatest number of threads of the job. */
unsigned bench_threads_max(const Bench *b);

/* How long a sample should last. */
double bench_seconds(const Bench *b);

/* ---- memory and machine ---- */

/* `bytes` or, if the memory that is free has no room for `tables` of them, fewer: halved until there is. */
uint64_t bench_affordable(uint64_t bytes, unsigned tables);

/* Makes a table, or leaves the library's line in b->error. One that is filled next is touched by that
   (TABIA_TOUCH_LATER), which a request to stop ends, and making it is not. */
bool bench_create_table(Bench *b, TabiaTable **table, const TabiaOptions *options);

/* Notes what pages the table lies in, and that it is smaller than asked for where it is. */
void bench_note_memory(BenchTable *t, const TabiaTable *table, uint64_t asked);
