/* SPDX-License-Identifier: MIT */
/* One stress experiment: a table of a few lines, threads on it, and the sums. */
#include <stdlib.h>

#include "base/random.h"
#include "base/threads.h"
#include "base/time.h"
#include "stress_world.h"

enum { ROUNDS_AT_ONCE = 256 }; /* between two looks at whether it is time to end: a millisecond or so */

/* Seen by all threads while they run. */
typedef struct {
    const StressWorld *world;
    const StressJob *job;
    _Atomic uint64_t probes, accepted;
    _Atomic bool stopped;
    StressWorker *worker;
    double began;
} StressThreads;

static bool finished(StressThreads *c) {
    const uint64_t probes = atomic_load_explicit(&c->probes, memory_order_relaxed);
    if (atomic_load_explicit(&c->stopped, memory_order_relaxed) || probes >= c->job->probes_most) return true;
    return probes >= c->job->probes && (c->job->probes >= c->job->probes_most || atomic_load(&c->accepted));
}

/* The calling thread asks whether to go on. */
static void ask(StressThreads *c, double *asked) {
    const double now = tabia_clock_wall();
    if (!c->job->watch || now - *asked < 0.2) return;
    *asked = now;
    const StressResult so_far = {
        .probes = atomic_load(&c->probes), .accepted = atomic_load(&c->accepted), .seconds = now - c->began};
    if (c->job->watch(c->job->context, &so_far)) atomic_store(&c->stopped, true);
}

static void work(void *context, unsigned number) {
    StressThreads *c = context;
    StressWorker *me = &c->worker[number];
    double asked = c->began;
    while (!finished(c)) {
        const uint64_t accepted = me->sum.accepted;
        if (c->world->what.way == STRESS_PLAIN)
            stress_rounds_plain(c->world, me, ROUNDS_AT_ONCE);
        else
            stress_rounds_paused(c->world, me, ROUNDS_AT_ONCE);
        atomic_fetch_add_explicit(&c->probes, ROUNDS_AT_ONCE * STRESS_ROUND, memory_order_relaxed);
        atomic_fetch_add_explicit(&c->accepted, me->sum.accepted - accepted, memory_order_relaxed);
        if (number) continue;
        tabia_table_new_generation(c->world->table); /* so that all entries leave some day */
        ask(c, &asked);
    }
}

void stress_add(StressResult *sum, const StressResult *part) {
    sum->probes += part->probes, sum->hits += part->hits, sum->accepted += part->accepted;
    sum->stores += part->stores, sum->looked += part->looked;
    sum->mixed += part->mixed, sum->believed += part->believed;
    if (part->seconds > sum->seconds) sum->seconds = part->seconds;
}

bool stress_threads(const StressWorld *w, const StressJob *job, StressResult *result, TabiaError *error) {
    enum { APART = 128 }; /* bytes, so that no two workers write one line */
    assert(job->threads > 0 && job->threads <= STRESS_THREADS_MAX);
    const size_t bytes = (job->threads * sizeof(StressWorker) + APART - 1) / APART * APART;
    StressThreads c = {.world = w, .job = job, .worker = aligned_alloc(APART, bytes), .began = tabia_clock_wall()};
    *result = (StressResult){0};
    if (!c.worker) return tabia_fail(error, "no memory for %u threads", job->threads);
    uint64_t seed = job->seed + 1 + w->process;
    for (unsigned i = 0; i < job->threads; i++) c.worker[i] = (StressWorker){.seed = random_next(&seed)};
    const bool good = tabia_threads_run(job->threads, work, &c, error);
    for (unsigned i = 0; i < job->threads; i++) stress_add(result, &c.worker[i].sum);
    result->seconds = tabia_clock_wall() - c.began;
    free(c.worker);
    return good;
}

bool stress_table(TabiaTable **table, const StressCase *what, const StressJob *job, const char *name,
                  TabiaError *error) {
    const TabiaOptions options = {.bytes = (uint64_t)job->lines * CACHE_LINE_BYTES,
                                  .type = what->type,
                                  .record_words = what->type == TABIA_RECORDS ? what->words : 0,
                                  .integrity = what->integrity,
                                  .pages = TABIA_PAGES_SMALL,
                                  .threads = 1,
                                  .name = name};
    return !tabia_table_create(table, &options, error);
}

bool stress_run(const StressCase *what, const StressJob *job, StressResult *result, TabiaError *error) {
    if (job->processes > 1) return stress_processes(what, job, result, error);
    TabiaTable *table;
    StressWorld *world = malloc(sizeof *world);
    *result = (StressResult){0};
    if (!world) return tabia_fail(error, "no memory to begin with");
    bool good = stress_table(&table, what, job, NULL, error);
    if (good) {
        stress_world_fill(world, table, what, job);
        good = stress_threads(world, job, result, error);
        tabia_table_destroy(table);
    }
    free(world);
    return good;
}
