/* SPDX-License-Identifier: MIT */
/*
 * How soon a large table is ready, against a single thread that writes zeros over as much fresh memory, as engines do;
 * and what forgetting everything takes, which is a new number and no work on memory.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/time.h"
#include "bench_inside.h"

/* ---- ready ---- */

typedef enum { ZEROED_SMALL, ZEROED_LARGE, CREATED, CREATED_LATER } CreateMethod;

typedef struct {
    uint64_t bytes;
    struct {
        CreateMethod how;
        unsigned threads;
    } row[BENCH_ROWS_MAX];
} Creates;

static bool zero_alone(Bench *b, uint64_t bytes, bool large, double *seconds) {
    const uint64_t mib = 1 << 20;
    const double began = tabia_clock_wall();
    char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return tabia_fail(b->error, "no memory to zero");
    madvise(at, bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    for (uint64_t done = 0; done < bytes && !b->stopped; done += 64 * mib) {
        memset(at + done, 0, bytes - done < 64 * mib ? bytes - done : 64 * mib);
        bench_stopped(b);
    }
    *seconds = tabia_clock_wall() - began;
    munmap(at, bytes);
    return true;
}

static bool create(Bench *b, uint64_t bytes, CreateMethod how, unsigned threads, double *seconds) {
    assert(how == CREATED || how == CREATED_LATER);
    const TabiaOptions options = {
        .bytes = bytes, .threads = threads, .touch = how == CREATED ? TABIA_TOUCH_PARALLEL : TABIA_TOUCH_LATER};
    TabiaTable *table;
    const double began = tabia_clock_wall();
    if (!bench_create_table(b, &table, &options)) return false;
    *seconds = tabia_clock_wall() - began;
    tabia_table_destroy(table);
    return true;
}

static bool measure_ready(Bench *b, void *context, unsigned row, double *figure) {
    const Creates *c = context;
    const CreateMethod how = c->row[row].how;
    if (how == ZEROED_SMALL || how == ZEROED_LARGE) return zero_alone(b, c->bytes, how == ZEROED_LARGE, figure);
    return create(b, c->bytes, how, c->row[row].threads, figure);
}

static void add_row(Creates *c, BenchTable *t, CreateMethod how, unsigned threads, int against, const char *name) {
    const unsigned row = bench_row(t, threads, against, "%s", name);
    c->row[row].how = how, c->row[row].threads = threads;
}

static bool compare_ready(Bench *b, uint64_t asked) {
    Creates c = {.bytes = bench_affordable(asked, 1)};
    char size[BENCH_SIZE_TEXT], wanted[BENCH_SIZE_TEXT];
    BenchTable *t = bench_table(b, BENCH_create, "seconds", "Until %s are ready", bench_size_text(c.bytes, size));
    if (!t) return false;
    add_row(&c, t, ZEROED_SMALL, 0, -1, "memset by one thread, small pages");
    add_row(&c, t, ZEROED_LARGE, 0, 0, "memset by one thread, huge pages asked for");
    for (unsigned s = 0; s < b->job->steps; s++) add_row(&c, t, CREATED, b->job->threads[s], 0, "create");
    add_row(&c, t, CREATED_LATER, 0, 0, "create, touched later");
    if (c.bytes < asked)
        bench_note(t, "the machine has no memory free for more: %s were meant", bench_size_text(asked, wanted));
    const bool good = bench_measure(b, t, false, measure_ready, &c);
    free(t);
    return good;
}

/* ---- forgetting ---- */

enum { SIZES = 3 };

typedef struct {
    TabiaTable *table[SIZES];
} Clears;

static uint64_t clear_often(void *table, unsigned worker, uint64_t from, unsigned n) {
    (void)worker, (void)from;
    for (unsigned i = 0; i < n; i++) tabia_table_clear(table);
    return 0;
}

static uint64_t begin_generations(void *table, unsigned worker, uint64_t from, unsigned n) {
    (void)worker, (void)from;
    for (unsigned i = 0; i < n; i++) tabia_table_new_generation(table);
    return 0;
}

static bool measure_clear(Bench *b, void *context, unsigned row, double *figure) {
    const Clears *c = context;
    double rate;
    if (!bench_rate(b, 1, bench_seconds(b) / 3, row & 1 ? begin_generations : clear_often, c->table[row / 2], &rate))
        return false;
    *figure = 1e9 / rate;
    return true;
}

static bool compare_clears(Bench *b, const uint64_t size[SIZES]) {
    Clears c = {0};
    BenchTable *t = bench_table(b, BENCH_create, "ns", "Forgetting everything, and beginning a generation");
    bool good = t != NULL;
    for (unsigned i = 0; i < SIZES && good; i++) {
        char text[BENCH_SIZE_TEXT];
        const TabiaOptions options = {.bytes = bench_affordable(size[i], 1), .touch = TABIA_TOUCH_LATER};
        bench_size_text(options.bytes, text);
        good = bench_create_table(b, &c.table[i], &options);
        bench_row(t, 0, -1, "clear, %s", text);
        bench_row(t, 0, -1, "new generation, %s", text);
    }
    good = good && bench_measure(b, t, true, measure_clear, &c);
    for (unsigned i = 0; i < SIZES; i++) tabia_table_destroy(c.table[i]);
    free(t);
    return good;
}

bool bench_create(Bench *b) {
    const uint64_t large = 8 * b->job->bytes;
    const uint64_t size[SIZES] = {1 << 20, b->job->bytes, large};
    return compare_ready(b, large) && (b->stopped || compare_clears(b, size));
}
