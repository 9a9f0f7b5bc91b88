/* SPDX-License-Identifier: MIT */
/* Threads that work for a while, tables that are full, and how much memory there is. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory_limit.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/time.h"
#include "bench_inside.h"
#include "bench_keys.h"

/* ---- rates ---- */

typedef struct {
    _Alignas(128) double rate;
    uint64_t sum;
} WorkerRate;

typedef struct {
    BenchWork *work;
    void *context;
    double seconds;
    bool own_time;
    uint64_t first; /* operation of the first thread */
    WorkerRate *worker;
} Rate;

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Some thousand operations between two looks at the clock. */
static void work_for_a_while(void *context, unsigned worker) {
    enum { BATCH = 1 << 14 };
    const Rate *r = context;
    WorkerRate *mine = &r->worker[worker];
    uint64_t at = r->first + ((uint64_t)worker << 40), done = 0, sum = 0;
    const double began = tabia_clock_wall(), own_began = thread_seconds();
    double lasted;
    do {
        sum += r->work(r->context, at + done, BATCH);
        done += BATCH;
        lasted = tabia_clock_wall() - began;
    } while (lasted < r->seconds && !tabia_stop_requested());
    mine->rate = (double)done / (r->own_time ? thread_seconds() - own_began : lasted);
    mine->sum = sum;
}

bool bench_rate(Bench *b, unsigned threads, double seconds, BenchWork *work, void *context, double *rate) {
    assert(threads > 0 && seconds > 0);
    static _Atomic uint64_t never_read; /* the compiler does not know that */
    WorkerRate *rates = aligned_alloc(_Alignof(WorkerRate), threads * sizeof *rates);
    if (!rates) return tabia_fail(b->error, "no memory for %u threads", threads);
    /* Every sample begins elsewhere, so that none finds in the caches what the last one left there. */
    const uint64_t first = (uint64_t)(tabia_clock_wall() * 1e6) * 0x9e3779b97f4a7c15ull >> 24;
    Rate r = {work, context, seconds, threads <= tabia_threads_usable(), first, rates};
    const bool good = tabia_threads_run(threads, work_for_a_while, &r, b->error);
    *rate = 0;
    for (unsigned i = 0; i < threads && good; i++) {
        *rate += rates[i].rate;
        atomic_fetch_add_explicit(&never_read, rates[i].sum, memory_order_relaxed);
    }
    free(rates);
    return good;
}

bool bench_millions(Bench *b, unsigned threads, BenchWork *work, void *context, double *figure) {
    double rate;
    if (!bench_rate(b, threads, bench_seconds(b), work, context, &rate)) return false;
    *figure = rate / 1e6;
    return true;
}

unsigned bench_threads_max(const Bench *b) {
    assert(b->job->steps > 0 && b->job->steps <= BENCH_STEPS_MAX);
    return b->job->threads[b->job->steps - 1];
}

double bench_seconds(const Bench *b) {
    return b->job->quick ? 0.03 : 0.3;
}

/* ---- full tables ---- */

typedef struct {
    TabiaTable *table;
    TabiaRecordType type;
    uint64_t span;
    unsigned threads;
} Fill;

uint64_t bench_span(const TabiaTable *table) {
    TabiaInfo info;
    tabia_table_info(table, &info);
    return 2 * info.slots;
}

/* Stores are not waited for: the line is asked for some keys ahead. */
static void fill_part(void *context, unsigned worker) {
    enum { AHEAD = 16, LOOK = 1 << 16 };
    const Fill *f = context;
    const uint64_t from = f->span / f->threads * worker;
    assert(worker < f->threads);
    const uint64_t to = worker + 1 == f->threads ? f->span : from + f->span / f->threads;
    for (uint64_t i = from; i < to; i++) {
        if (i % LOOK == 0 && tabia_stop_requested()) return;
        const TabiaKey ahead = bench_key(i + AHEAD), key = bench_key(i);
        if (bench_stored(ahead)) bench_prefetch(f->table, f->type, ahead);
        if (bench_stored(key)) bench_store(f->table, f->type, key);
    }
}

bool bench_fill(TabiaTable *table, unsigned threads, TabiaError *error) {
    TabiaInfo info;
    tabia_table_info(table, &info);
    Fill f = {table, info.type, 2 * info.slots, threads};
    return tabia_threads_run(threads, fill_part, &f, error) &&
           (!tabia_stop_requested() || tabia_fail(error, "stopped"));
}

bool bench_create_table(Bench *b, TabiaTable **table, const TabiaOptions *options) {
    if (tabia_stop_requested()) return tabia_fail(b->error, "stopped");
    TabiaOptions watched = *options;
    watched.watch = &(TabiaWatch){.stop = tabia_stop_watch};
    return !tabia_table_create(table, &watched, b->error);
}

/* ---- memory ---- */

uint64_t bench_affordable(uint64_t bytes, unsigned tables) {
    enum { BYTES_MIN = 1 << 20 };
    const MemoryLimit there = tabia_memory_limit("");
    const uint64_t room = (there.bytes - there.swap) / 10 * 9;
    while (bytes > BYTES_MIN && bytes > room / tables) bytes /= 2;
    return bytes;
}

void bench_note_memory(BenchTable *t, const TabiaTable *table, uint64_t asked) {
    char size[SHORT_TEXT_MAX], wanted[SHORT_TEXT_MAX], page[SHORT_TEXT_MAX];
    TabiaInfo info;
    tabia_table_info(table, &info);
    bench_note(t, "tables of %s in pages of %s", tabia_size_text(info.bytes, size),
               tabia_size_text(info.page_bytes, page));
    if (info.bytes + 64 * 64 < asked)
        bench_note(t, "the machine has no memory free for more: %s were asked for", tabia_size_text(asked, wanted));
}
