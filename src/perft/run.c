/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/threads.h"
#include "fen.h"
#include "ledger.h"
#include "movegen.h"
#include "share.h"

/* What the threads have in common. Everything behind the lock changes once for each finished unit. */
typedef struct {
    const PerftJob *job;
    const PerftPath *path;
    Zobrist zobrist;
    TabiaTable *table; /* NULL: none */
    atomic_bool stop;
    uint32_t *todo; /* the units that the ledger does not hold */
    size_t todo_count;
    Share *shares;
    unsigned threads;
    Ledger *ledger;

    pthread_mutex_t lock;
    pthread_cond_t ended;
    unsigned working;
    PerftState *state;
    Fault *fault;
    bool failed;
} Run;

typedef struct {
    Run *run;
    unsigned number;
    pthread_t thread;
} Worker;

static void add_unit(PerftState *s, size_t unit, U128 leaves) {
    const Frontier *f = &s->frontier;
    if (f->ply == 0) s->nodes += leaves;
    for (unsigned r = 0; f->ply && r < f->roots; r++) {
        const U128 paths = leaves * f->share[unit * f->roots + r];
        s->divide[r] += paths;
        s->nodes += paths;
    }
    s->units_done++;
}

static void finish_unit(Run *run, size_t unit, U128 leaves, const CountContext *c) {
    pthread_mutex_lock(&run->lock);
    if (run->ledger && !run->failed && !ledger_append(run->ledger, unit, leaves, run->fault)) {
        run->failed = true;
        atomic_store(&run->stop, true);
    }
    add_unit(run->state, unit, leaves);
    run->state->probes += c->probes;
    run->state->hits += c->hits;
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *context) {
    const Worker *me = context;
    Run *run = me->run;
    const Frontier *f = &run->state->frontier;
    const int below = run->job->depth - f->ply;
    int64_t next;
    while (!atomic_load(&run->stop) && (next = share_take(run->shares, run->threads, me->number)) >= 0) {
        CountContext c = {.zobrist = &run->zobrist, .table = run->table, .stop = &run->stop};
        const size_t unit = run->todo[next];
        const U128 leaves = run->path->count(&c, &f->position[unit], f->key[unit], below);
        if (!atomic_load(&run->stop)) finish_unit(run, unit, leaves, &c);
    }
    pthread_mutex_lock(&run->lock);
    run->working--;
    pthread_cond_signal(&run->ended);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Waits for the workers; every fifth of a second lets the caller look. */
static void watch(Run *run, double start_wall, double start_cpu) {
    PerftState *s = run->state;
    pthread_mutex_lock(&run->lock);
    while (run->working) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000, until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&run->ended, &run->lock, &until);
        s->wall = tabia_clock_wall() - start_wall;
        s->cpu = tabia_clock_cpu() - start_cpu;
        if (run->job->watch && run->job->watch(run->job->context, s)) atomic_store(&run->stop, true);
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- before the threads start ---- */

/* Enough units that no thread waits for another's last one, and that a killed run loses little. */
static FrontierLimits frontier_limits(const PerftJob *job, unsigned threads) {
    if (!job->hash_bytes && !job->ledger)
        return (FrontierLimits){
            .max_ply = job->depth > 4 ? job->depth - 3 : job->depth > 0, .enough = 100 * threads, .most = 200000};
    return (FrontierLimits){.max_ply = job->depth > 5 ? job->depth - 4 : job->depth > 0,
                            .enough = 20000,
                            .most = 1000000,
                            .merge = job->hash_bytes != 0};
}

typedef struct {
    Run *run;
    bool *done;
} Resume;

static void resume_unit(void *context, uint64_t unit, U128 leaves) {
    Resume *r = context;
    if (unit >= r->run->state->frontier.units || r->done[unit]) return;
    r->done[unit] = true;
    add_unit(r->run->state, unit, leaves);
    r->run->state->units_resumed++;
    r->run->state->nodes_resumed = r->run->state->nodes;
}

/* One number for all the positions that the units are, in their order. */
static uint64_t units_fingerprint(const Frontier *f) {
    uint64_t sum = f->units;
    for (size_t u = 0; u < f->units; u++) {
        uint64_t words[sizeof(Position) / 8];
        memcpy(words, &f->position[u], sizeof words);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            uint64_t state = sum ^ words[i];
            sum = random_next(&state);
        }
    }
    return sum;
}

/* The run's name holds the units themselves, not only how many: a program that would number them in another order must
   not take over these counts. It stands in front of the FEN, which a refusal may cut off. */
static bool open_ledger(Run *run, bool *done, Fault *fault) {
    const PerftJob *job = run->job;
    const Frontier *f = &run->state->frontier;
    char fen[FEN_MAX], name[FEN_MAX + 100];
    fen_write(&job->root, FEN_SHREDDER, fen);
    snprintf(name, sizeof name, "perft %d in %zu units (%016" PRIx64 ") at ply %d of %s", job->depth, f->units,
             units_fingerprint(f), f->ply, fen);
    Resume resume = {run, done};
    run->ledger = ledger_open(job->ledger, name, resume_unit, &resume, &run->state->ledger_cut, fault);
    return run->ledger != NULL;
}

/*
 * The units are worked through in the order of their kinship, so that what one leaves in the table is still there when
 * the next one asks: with a table a tenth of the size of the tree, a tenth less is counted.
 */
typedef struct {
    Kinship kinship;
    uint32_t unit;
} Kin;

static int compare_kin(const void *left, const void *right) {
    const Kin *a = left, *b = right;
    for (int i = 0; i < 4; i++)
        if (a->kinship.word[i] != b->kinship.word[i]) return a->kinship.word[i] < b->kinship.word[i] ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static bool order_todo(Run *run, Fault *fault) {
    Kin *kin = malloc((run->todo_count + 1) * sizeof *kin);
    if (!kin) return tabia_fault(fault, "not enough memory to sort %zu units of work", run->todo_count);
    for (size_t i = 0; i < run->todo_count; i++)
        kin[i] = (Kin){position_kinship(&run->state->frontier.position[run->todo[i]]), run->todo[i]};
    qsort(kin, run->todo_count, sizeof *kin, compare_kin);
    for (size_t i = 0; i < run->todo_count; i++) run->todo[i] = kin[i].unit;
    free(kin);
    return true;
}

static bool list_todo(Run *run, Fault *fault) {
    const size_t units = run->state->frontier.units;
    bool *done = calloc(units + 1, sizeof *done);
    run->todo = malloc((units + 1) * sizeof *run->todo);
    run->shares = aligned_alloc(64, run->threads * sizeof *run->shares);
    bool good = done && run->todo && run->shares;
    if (!good) tabia_fault(fault, "not enough memory for %zu units of work", units);
    if (good && run->job->ledger) good = open_ledger(run, done, fault);
    for (size_t u = 0; good && u < units; u++)
        if (!done[u]) run->todo[run->todo_count++] = (uint32_t)u;
    free(done);
    if (good && run->job->hash_bytes) good = order_todo(run, fault);
    if (good) share_out(run->shares, run->threads, run->todo_count);
    return good;
}

/*
 * No more table than the work can fill: the system clears every page before its first use, and for a short count that
 * would take longer than the count. Every path from the units down to the lowest merged ply, twice, is enough.
 */
static uint64_t table_bytes(const PerftJob *job, const Frontier *f) {
    enum { SAMPLE = 500, LEAST = 1 << 20, LOWEST_MERGED = 2, SLOT_BYTES = 16 };
    uint64_t moves = 0, sampled = 0;
    for (size_t u = 0; u < f->units; u += f->units / SAMPLE + 1, sampled++) moves += moves_count(&f->position[u]);
    const double branching = sampled ? (double)moves / (double)sampled + 1 : 1;
    double paths = (double)f->units, entries = 0;
    for (int depth = job->depth - f->ply - 1; depth >= LOWEST_MERGED; depth--) entries += paths *= branching;
    const double bytes = LEAST + 2 * entries * SLOT_BYTES;
    return bytes < (double)job->hash_bytes ? (uint64_t)bytes : job->hash_bytes;
}

static bool make_table(Run *run, Fault *fault) {
    const PerftJob *job = run->job;
    TabiaOptions options = job->table;
    options.face = TABIA_COUNTS;
    options.touch = TABIA_TOUCH_LATER; /* by whoever stores there first */
    options.bytes = options.name ? job->hash_bytes : table_bytes(job, &run->state->frontier);
    options.identity = job->keys_seed;
    TabiaReason why;
    run->state->hash_bytes = options.bytes;
    return tabia_table_create(&run->table, &options, &why) == TABIA_OK || tabia_fault(fault, "%s", why.text);
}

/* What is left to say of the table when the work is done. */
static void note_table(const Run *run) {
    TabiaInfo info;
    tabia_table_info(run->table, &info);
    run->state->page_bytes = info.page_bytes;
    run->state->table_full = tabia_table_hashfull(run->table);
}

static bool prepare(Run *run, Fault *fault) {
    const PerftJob *job = run->job;
    zobrist_init(&run->zobrist, job->keys_seed);
    if (!frontier_make(&run->state->frontier, &job->root, &run->zobrist, frontier_limits(job, run->threads), fault))
        return false;
    return (!job->hash_bytes || make_table(run, fault)) && list_todo(run, fault);
}

/* Runs the workers to their end. If a thread cannot be started, those that could do all the work. */
static bool run_workers(Run *run, Fault *fault) {
    const double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    Worker *workers = calloc(run->threads, sizeof *workers);
    if (!workers) return tabia_fault(fault, "not enough memory for %u threads", run->threads);
    unsigned started = 0;
    run->working = run->threads;
    for (; started < run->threads; started++) {
        workers[started] = (Worker){.run = run, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started])) break;
    }
    pthread_mutex_lock(&run->lock);
    run->working -= run->threads - started;
    pthread_mutex_unlock(&run->lock);
    watch(run, wall, cpu);
    for (unsigned i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
    free(workers);
    return started || tabia_fault(fault, "the system starts no thread; try again with fewer processes running");
}

static void clean_up(Run *run) {
    tabia_table_destroy(run->table);
    free(run->todo);
    free(run->shares);
    pthread_cond_destroy(&run->ended);
    pthread_mutex_destroy(&run->lock);
}

bool perft_run(const PerftJob *job, PerftState *state, Fault *fault) {
    memset(state, 0, sizeof *state);
    state->job = job;
    Run *run = aligned_alloc(64, (sizeof(Run) + 63) / 64 * 64);
    if (!run) return tabia_fault(fault, "not enough memory to begin");
    *run = (Run){.job = job, .state = state, .fault = fault};
    run->path = job->path ? job->path : perft_path_at(0);
    run->threads = job->threads ? job->threads : tabia_threads_usable();
    state->threads = run->threads;
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->ended, NULL);
    bool good = prepare(run, fault) && run_workers(run, fault) && !run->failed;
    if (run->table) note_table(run);
    state->complete = good && state->units_done == state->frontier.units;
    if (run->ledger && !ledger_close(run->ledger, fault)) good = false;
    clean_up(run);
    free(run);
    return good;
}

void perft_state_free(PerftState *state) {
    frontier_free(&state->frontier);
}
