/* SPDX-License-Identifier: MIT */
/* Tables, rounds and medians; and the list of experiments. */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "bench_inside.h"

static const struct {
    const char *name;
    bool (*run)(Bench *b);
} experiments[BENCH_N] = {[BENCH_LINE] = {"line", bench_line}, [BENCH_MODES] = {"modes", bench_modes}};

const char *bench_name(BenchExperiment e) {
    assert(e < BENCH_N);
    return experiments[e].name;
}

bool bench_run(const BenchJob *job, bool *stopped, TabiaError *error) {
    Bench b = {.job = job, .error = error};
    bool good = true;
    for (unsigned e = 0; e < BENCH_N && good && !b.stopped; e++)
        if (job->chosen >> e & 1) good = experiments[e].run(&b);
    if (!good && tabia_stop_requested()) good = b.stopped = true; /* what failed is what was not made any more */
    *stopped = b.stopped;
    return good;
}

/* ---- building tables ---- */

BenchTable *bench_table(Bench *b, BenchExperiment e, const char *unit, const char *title, ...) {
    BenchTable *t = calloc(1, sizeof *t);
    if (!t) return tabia_fail(b->error, "no memory for a table of measurements"), NULL;
    t->experiment = e;
    b->table = t, b->row = b->done = b->all = 0;
    t->unit = unit;
    va_list arguments;
    va_start(arguments, title);
    vsnprintf(t->title, sizeof t->title, title, arguments);
    va_end(arguments);
    return t;
}

/* Rows beyond the last are folded into it: the lists of the experiments are shorter than there is room for. */
unsigned bench_row(BenchTable *t, unsigned threads, int against, const char *name, ...) {
    const unsigned n = t->rows < BENCH_ROWS_MAX ? t->rows++ : BENCH_ROWS_MAX - 1;
    BenchRow *row = &t->row[n];
    row->threads = threads;
    row->against = against;
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(row->name, sizeof row->name, name, arguments);
    va_end(arguments);
    return n;
}

void bench_note(BenchTable *t, const char *format, ...) {
    if (t->notes == BENCH_NOTES_MAX) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->note[t->notes++], BENCH_NOTE_MAX, format, arguments);
    va_end(arguments);
}

/* ---- rounds ---- */

static bool is_stopped(Bench *b) {
    const BenchJob *job = b->job;
    return b->stopped = b->stopped || tabia_stop_requested() ||
                        (job->watch && job->watch(job->context, b->table, b->row, b->done, b->all));
}

/* Every row once; samples go to number `round`, or nowhere when it is the warming up. */
static bool measure_round(Bench *b, BenchTable *t, unsigned turn, int round, BenchMeasure *measure, void *context) {
    const unsigned all = (b->job->rounds + turn - (unsigned)round) * t->rows;
    for (unsigned i = 0; i < t->rows; i++) {
        const unsigned row = turn & 1 ? t->rows - 1 - i : i;
        double figure = 0;
        assert(row < BENCH_ROWS_MAX && round < BENCH_ROUNDS_MAX);
        b->table = t, b->row = row, b->done = turn * t->rows + i, b->all = all;
        if (is_stopped(b)) return true;
        if (!measure(b, context, row, &figure)) return false;
        if (b->stopped || tabia_stop_requested()) return b->stopped = true; /* the sample is none */
        if (round >= 0) t->row[row].sample[round] = figure;
    }
    if (round >= 0) t->rounds = (unsigned)round + 1;
    return true;
}

bool bench_measure(Bench *b, BenchTable *t, BenchMeasure *measure, void *context) {
    bool good = measure_round(b, t, 0, -1, measure, context);
    for (unsigned r = 0; r < b->job->rounds && good && !b->stopped; r++)
        good = measure_round(b, t, r + 1, (int)r, measure, context);
    if (good && t->rounds && b->job->finished) b->job->finished(b->job->context, t);
    return good;
}

/* ---- what tables say ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

BenchSpread bench_spread(const double *sample, unsigned n) {
    double sorted[BENCH_ROUNDS_MAX];
    assert(n <= BENCH_ROUNDS_MAX);
    if (!n) return (BenchSpread){NAN, NAN, NAN};
    memcpy(sorted, sample, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    return (BenchSpread){(sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[0], sorted[n - 1]};
}

BenchSpread bench_figure(const BenchTable *t, unsigned row) {
    assert(row < t->rows);
    return bench_spread(t->row[row].sample, t->rounds);
}

BenchSpread bench_ratio(const BenchTable *t, unsigned row) {
    const BenchRow *r = &t->row[row];
    if (r->against < 0) return bench_spread(NULL, 0);
    assert(row < t->rows && (unsigned)r->against < t->rows);
    double ratio[BENCH_ROUNDS_MAX];
    for (unsigned i = 0; i < t->rounds; i++) ratio[i] = r->sample[i] / t->row[r->against].sample[i];
    return bench_spread(ratio, t->rounds);
}
