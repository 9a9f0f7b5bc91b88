/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/time.h"
#include "units.h"
#include "work_queue.h"

/* What the threads have in common. Everything behind the lock changes once for each finished unit. */
typedef struct {
    const PerftJob *job;
    const PerftKernel *kernel;
    Zobrist zobrist;
    TabiaTable **tables; /* one, or one for each thread; NULL: none */
    unsigned tables_count;
    atomic_bool stop;
    uint32_t *remaining; /* the units that the ledger does not hold */
    size_t remaining_count;
    WorkRange *ranges;
    unsigned threads;
    Ledger *ledger;

    pthread_mutex_t lock;
    pthread_cond_t ended;
    unsigned working;
    PerftState *state;
    TabiaError *error;
    bool failed;
} PerftRun;

typedef struct {
    PerftRun *run;
    unsigned number;
    pthread_t thread;
} PerftWorker;

static TabiaTable *table_of(const PerftRun *run, unsigned thread) {
    return run->tables ? run->tables[run->tables_count == 1 ? 0 : thread] : NULL;
}

static void finish_unit(PerftRun *run, size_t unit, U128 leaves, const KernelContext *c) {
    pthread_mutex_lock(&run->lock);
    if (run->ledger && !run->failed && !ledger_append(run->ledger, unit, leaves, run->error)) {
        run->failed = true;
        atomic_store(&run->stop, true);
    }
    units_add(run->state, unit, leaves);
    if (run->job->kinds) units_add_kinds(run->state, unit, c->kinds);
    run->state->probes += c->probes;
    run->state->hits += c->hits;
    run->state->leaves_counted += c->leaves_counted;
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *context) {
    const PerftWorker *me = context;
    PerftRun *run = me->run;
    const Frontier *f = &run->state->frontier;
    const int below = run->job->depth - f->ply;
    int64_t next;
    while (!atomic_load(&run->stop) && (next = work_ranges_pop(run->ranges, run->threads, me->number)) >= 0) {
        KernelContext c = {.zobrist = &run->zobrist, .table = table_of(run, me->number), .stop = &run->stop};
        assert((size_t)next < run->remaining_count);
        const size_t unit = run->remaining[next];
        units_prefetch(run->state, unit);
        if ((size_t)next + 1 < run->remaining_count) frontier_prefetch(f, run->remaining[next + 1]);
        const Position *p = &f->units.position[unit];
        const U128 leaves = run->job->kinds ? run->kernel->kinds(&c, p, below)
                                            : (run->job->mates ? run->kernel->mates
                                                               : run->kernel->count)(&c, p, f->units.key[unit], below);
        if (!atomic_load(&run->stop)) finish_unit(run, unit, leaves, &c);
    }
    pthread_mutex_lock(&run->lock);
    assert(run->working > 0);
    run->working--;
    pthread_cond_signal(&run->ended);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

static void update_times(PerftState *s, double start_wall, double start_cpu) {
    s->wall = tabia_clock_wall() - start_wall;
    s->cpu = tabia_clock_cpu() - start_cpu;
}

/* Waits for the workers; 25 times a second calls the watch callback. */
static void watch(PerftRun *run, double start_wall, double start_cpu) {
    PerftState *s = run->state;
    pthread_mutex_lock(&run->lock);
    while (run->working) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 40 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&run->ended, &run->lock, &until);
        update_times(s, start_wall, start_cpu);
        if (run->job->watch && run->job->watch(run->job->context, s)) atomic_store(&run->stop, true);
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- before the threads start ---- */

static bool list_remaining(PerftRun *run, TabiaError *error) {
    const size_t units = run->state->frontier.units.n;
    bool *done = calloc(units + 1, sizeof *done);
    run->remaining = malloc((units + 1) * sizeof *run->remaining);
    run->ranges = tabia_aligned_get(64, run->threads * sizeof *run->ranges);
    bool good = done && run->remaining && run->ranges;
    if (!good) tabia_fail(error, "not enough memory for %zu units of work", units);
    if (good && run->job->ledger) {
        run->ledger = units_open_ledger(run->job, run->state, done, NULL, error);
        good = run->ledger != NULL;
    }
    for (size_t u = 0; good && u < units; u++)
        if (!done[u]) run->remaining[run->remaining_count++] = (uint32_t)u;
    free(done);
    if (good && run->job->hash_bytes)
        good = units_order(&run->state->frontier, run->remaining, run->remaining_count, error);
    if (good) work_ranges_divide(run->ranges, run->threads, run->remaining_count);
    return good;
}

/* Of a table that holds mates: no count of leaves is taken from it. */
static const uint64_t mates_identity = 0x6d61746573;

/* Of each of the tables. A named one may have to serve another count. */
static uint64_t bytes_of_table(const PerftJob *job, const Frontier *f, unsigned tables) {
    const uint64_t useful = units_table_bytes(job, f), max = job->hash_bytes / tables;
    return job->table.name || max < useful ? max : useful;
}

static TabiaOptions table_options(const PerftRun *run, unsigned tables) {
    const PerftJob *job = run->job;
    TabiaOptions options = job->table;
    options.type = TABIA_COUNTS;
    options.touch = TABIA_TOUCH_LATER; /* by whoever stores there first */
    options.bytes = bytes_of_table(job, &run->state->frontier, tables);
    options.identity = zobrist_identity(job->keys_seed) ^ (job->mates ? mates_identity : 0);
    return options;
}

static bool make_tables(PerftRun *run, TabiaError *error) {
    const unsigned tables = run->job->private_tables ? run->threads : 1;
    const TabiaOptions options = table_options(run, tables);
    assert(!options.name || tables == 1);
    run->tables = calloc(tables, sizeof *run->tables);
    if (!run->tables) return tabia_fail(error, "not enough memory for %u tables", tables);
    int code = TABIA_OK;
    for (unsigned i = 0; i < tables && code == TABIA_OK; i++) {
        code = tabia_table_create(&run->tables[i], &options, error);
        if (code == TABIA_OK) run->tables_count++;
    }
    run->state->hash_bytes = tables * options.bytes;
    run->state->refused = code == TABIA_ERROR_OPTION || code == TABIA_ERROR_FOREIGN;
    return code == TABIA_OK;
}

/* What is left to say of the tables when the work is done. */
static void note_tables(const PerftRun *run) {
    TabiaInfo info;
    unsigned full = 0;
    tabia_table_info(run->tables[0], &info);
    for (unsigned i = 0; i < run->tables_count; i++) full += tabia_table_hashfull(run->tables[i]);
    run->state->page_bytes = info.page_bytes;
    run->state->table_full = full / run->tables_count;
}

static bool prepare(PerftRun *run, TabiaError *error) {
    const PerftJob *job = run->job;
    zobrist_init(&run->zobrist, job->keys_seed);
    if (!frontier_make(&run->state->frontier, &job->root, &run->zobrist, units_limits(job, run->threads), error))
        return false;
    units_sum(run->state);
    return (!job->hash_bytes || job->kinds || make_tables(run, error)) && list_remaining(run, error);
}

/* Runs the workers to their end. If a thread cannot be started, those that could do all the work. */
static bool run_workers(PerftRun *run, TabiaError *error) {
    const double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    PerftWorker *workers = calloc(run->threads, sizeof *workers);
    if (!workers) return tabia_fail(error, "not enough memory for %u threads", run->threads);
    unsigned started = 0;
    run->working = run->threads;
    for (; started < run->threads; started++) {
        workers[started] = (PerftWorker){.run = run, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started])) break;
    }
    pthread_mutex_lock(&run->lock);
    run->working -= run->threads - started;
    pthread_mutex_unlock(&run->lock);
    watch(run, wall, cpu);
    for (unsigned i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
    update_times(run->state, wall, cpu); /* they may have been done before anybody waited */
    free(workers);
    return started || tabia_fail(error, "the system starts no thread; try again with fewer processes running");
}

static void release(PerftRun *run) {
    for (unsigned i = 0; i < run->tables_count; i++) tabia_table_destroy(run->tables[i]);
    free(run->tables);
    free(run->remaining);
    tabia_aligned_free(run->ranges);
    pthread_cond_destroy(&run->ended);
    pthread_mutex_destroy(&run->lock);
}

bool perft_run(const PerftJob *job, PerftState *state, TabiaError *error) {
    memset(state, 0, sizeof *state);
    state->job = job;
    PerftRun *run = tabia_aligned_get(64, (sizeof(PerftRun) + 63) / 64 * 64);
    if (!run) return tabia_fail(error, "not enough memory to begin");
    *run = (PerftRun){.job = job, .state = state, .error = error};
    run->kernel = job->kernel ? job->kernel : perft_kernel_at(0);
    run->threads = job->threads ? job->threads : tabia_threads_usable();
    state->threads = run->threads;
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->ended, NULL);
    bool good = prepare(run, error) && run_workers(run, error) && !run->failed;
    assert(state->units_done <= state->frontier.units.n && !run->working);
    if (run->tables_count) note_tables(run);
    state->complete = good && state->units_done == state->frontier.units.n;
    if (run->ledger && !ledger_close(run->ledger, error)) good = false;
    release(run);
    tabia_aligned_free(run);
    return good;
}

bool perft_plan(const PerftJob *job, PerftPlan *plan, TabiaError *error) {
    Zobrist zobrist;
    Frontier f;
    PerftJob all = *job;
    all.hash_bytes = UINT64_MAX;
    zobrist_init(&zobrist, job->keys_seed);
    *plan = (PerftPlan){.threads = job->threads ? job->threads : tabia_threads_usable()};
    const FrontierLimits limits = units_limits(job, plan->threads);
    const unsigned tables = job->private_tables ? plan->threads : 1;
    if (!frontier_make(&f, &job->root, &zobrist, limits, error)) return false;
    plan->ply = f.ply, plan->units = f.units.n, plan->merges = limits.merge, plan->paths = f.ply == 0;
    for (size_t i = 0; f.ply && i < f.units.n * f.roots; i++) plan->paths += f.multiplicity[i];
    plan->useful_bytes = units_table_bytes(&all, &f);
    if (job->hash_bytes && !job->kinds) plan->table_bytes = tables * bytes_of_table(job, &f, tables);
    frontier_free(&f);
    return true;
}

void perft_state_free(PerftState *state) {
    frontier_free(&state->frontier);
}
