/* SPDX-License-Identifier: MIT */
/*
 * One stress experiment: a table of a few lines, the threads of one process or of several on it, and the sums.
 *
 *     parent: makes the table, forks --+--> child: joins the table by name, runs its threads --> its part of Shared
 *                                      +--> runs its own threads, waits, adds up
 *
 * Each process maps the named table for itself, at an address of its own. All count into the same memory, which says when
 * there were enough probes. At the end: which experiments, and what each should show.
 */
#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/random.h"
#include "base/threads.h"
#include "base/time.h"
#include "stress.h"
#include "stress_fixture.h"

enum { ROUNDS_AT_ONCE = 256 }; /* between two looks at whether it is time to end: a millisecond or so */

/* What a child found. */
typedef struct {
    bool good;
    TabiaError error;
    StressResult result;
} StressPart;

/* In memory that parent and children have in common. */
typedef struct {
    _Atomic uint64_t probes, accepted; /* of all */
    _Atomic bool stopped;
    _Atomic unsigned ready; /* processes that have the table: none starts before all do */
    pid_t parent;
    StressPart part[STRESS_PROCESSES_MAX];
} StressShared;

/* What a process has. */
typedef struct {
    const StressCase *what;
    const StressJob *job;
    const char *name; /* of the table; NULL: one process has it alone */
    StressShared *shared;
    unsigned process; /* 0: the parent */
    const StressFixture *fixture;
    StressWorker *worker;
    double began;
} StressRun;

static void stop(const StressRun *r) {
    atomic_store(&r->shared->stopped, true);
}

static bool is_stopped(const StressRun *r) {
    return atomic_load_explicit(&r->shared->stopped, memory_order_relaxed);
}

/* ---- the threads of a process ---- */

static bool finished(const StressRun *r) {
    const uint64_t probes = atomic_load_explicit(&r->shared->probes, memory_order_relaxed);
    if (is_stopped(r) || probes >= r->job->probes_max) return true;
    return probes >= r->job->probes && (r->job->probes >= r->job->probes_max || atomic_load(&r->shared->accepted));
}

/* By the first thread of each process: the parent asks whether to go on, a child whether there still is a parent. */
static void ask(const StressRun *r, double *asked) {
    const double now = tabia_clock_wall();
    if (now - *asked < 0.2) return;
    *asked = now;
    if (r->process && getppid() != r->shared->parent) stop(r);
    if (r->process || !r->job->watch) return;
    const StressResult so_far = {.probes = atomic_load(&r->shared->probes),
                                 .accepted = atomic_load(&r->shared->accepted),
                                 .seconds = now - r->began};
    if (r->job->watch(r->job->context, &so_far)) stop(r);
}

static void work(void *context, unsigned number) {
    static StressRounds *const rounds[] = {[STRESS_PAUSED] = stress_rounds_paused,
                                           [STRESS_CALLS] = stress_rounds_calls,
                                           [STRESS_PLAIN] = stress_rounds_plain,
                                           [STRESS_NONE] = stress_rounds_none};
    const StressRun *r = context;
    StressWorker *me = &r->worker[number];
    double asked = r->began;
    do { /* once at least: a late worker must disturb the others too */
        const uint64_t accepted = me->sum.accepted, probes = me->sum.probes;
        rounds[r->what->way](r->fixture, me, ROUNDS_AT_ONCE);
        atomic_fetch_add_explicit(&r->shared->probes, me->sum.probes - probes, memory_order_relaxed);
        atomic_fetch_add_explicit(&r->shared->accepted, me->sum.accepted - accepted, memory_order_relaxed);
        if (number == 0) {
            tabia_table_new_generation(r->fixture->table); /* so that all entries leave some day */
            ask(r, &asked);
        }
    } while (!finished(r));
}

/* Of the times the longest. */
static void add(StressResult *sum, const StressResult *part) {
    sum->probes += part->probes, sum->hits += part->hits, sum->accepted += part->accepted;
    sum->stores += part->stores, sum->looked += part->looked;
    sum->mixed += part->mixed, sum->believed += part->believed;
    if (part->seconds > sum->seconds) sum->seconds = part->seconds;
}

static bool run_threads(StressRun *r, StressResult *result, TabiaError *error) {
    enum { APART = 128 }; /* bytes, so that no two workers write one line */
    const unsigned threads = r->job->threads;
    assert(threads > 0 && threads <= STRESS_THREADS_MAX);
    r->worker = aligned_alloc(APART, (threads * sizeof(StressWorker) + APART - 1) / APART * APART);
    if (!r->worker) return tabia_fail(error, "no memory for %u threads", threads);
    uint64_t seed = r->job->seed + 1 + r->process;
    for (unsigned i = 0; i < threads; i++) r->worker[i] = (StressWorker){.seed = random_next(&seed)};
    r->began = tabia_clock_wall();
    const bool good = tabia_threads_run(threads, work, r, error);
    for (unsigned i = 0; i < threads; i++) add(result, &r->worker[i].sum);
    result->seconds = tabia_clock_wall() - r->began;
    free(r->worker);
    return good;
}

/* ---- a process ---- */

static bool make_table(TabiaTable **table, const StressRun *r, TabiaError *error) {
    const StressCase *what = r->what;
    const TabiaOptions options = {.bytes = (uint64_t)r->job->lines * CACHE_LINE_BYTES,
                                  .type = what->type,
                                  .record_words = what->type == TABIA_RECORDS ? what->words : 0,
                                  .pages = TABIA_PAGES_SMALL,
                                  .threads = 1,
                                  .name = r->name};
    return !tabia_table_create(table, &options, error);
}

/* False when another process failed. */
static bool wait_for_all(const StressRun *r) {
    atomic_fetch_add(&r->shared->ready, 1);
    while (atomic_load(&r->shared->ready) < r->job->processes) {
        if (r->process && getppid() != r->shared->parent) stop(r);
        if (is_stopped(r)) return false;
        sched_yield();
    }
    return true;
}

/* This process's part, on its own mapping of the table. */
static bool run_process(StressRun *r, TabiaTable *table, StressResult *result, TabiaError *error) {
    StressFixture fixture;
    stress_fixture_fill(&fixture, table, r->what, r->job);
    r->fixture = &fixture;
    return !wait_for_all(r) || run_threads(r, result, error);
}

/* Never returns. Ends without the cleaning up that is the parent's. */
static void run_child(StressRun r, unsigned process) {
    StressPart *part = &r.shared->part[process];
    TabiaTable *table;
    TabiaInfo info;
    r.process = process;
    part->good = make_table(&table, &r, &part->error);
    if (part->good) {
        tabia_table_info(table, &info);
        part->good = info.joined ? run_process(&r, table, &part->result, &part->error)
                                 : tabia_fail(&part->error, "a process did not find the named table %s", r.name);
    }
    if (!part->good) stop(&r);
    _exit(0);
}

/* Waits for a child, and adds what it found. */
static bool collect(pid_t pid, const StressPart *part, StressResult *result, TabiaError *error) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) continue;
    add(result, &part->result);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) return tabia_fail(error, "a process of the stress was killed");
    return part->good || tabia_fail(error, "%s", part->error.text);
}

static bool run_processes(StressRun *r, TabiaTable *table, StressResult *result, TabiaError *error) {
    pid_t pid[STRESS_PROCESSES_MAX];
    TabiaError of_child;
    unsigned started = 1;
    bool good = true;
    fflush(NULL); /* or the children would write it too */
    for (; started < r->job->processes && good; started += good) {
        pid[started] = fork();
        if (pid[started] == 0) run_child(*r, started);
        good = pid[started] > 0 || tabia_fail(error, "the system refused a process");
    }
    good = good && run_process(r, table, result, error);
    if (!good) stop(r);
    for (unsigned i = 1; i < started; i++)
        if (!collect(pid[i], &r->shared->part[i], result, &of_child) && good)
            good = tabia_fail(error, "%s", of_child.text);
    return good;
}

bool stress_run(const StressCase *what, const StressJob *job, StressResult *result, TabiaError *error) {
    char name[64];
    snprintf(name, sizeof name, "tabia-stress-%ld", (long)getpid());
    *result = (StressResult){0};
    assert(job->processes > 0 && job->processes <= STRESS_PROCESSES_MAX);
    StressRun r = {.what = what, .job = job, .name = job->processes > 1 ? name : NULL};
    r.shared = mmap(NULL, sizeof *r.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r.shared == MAP_FAILED) return tabia_fail(error, "no memory to begin with");
    r.shared->parent = getpid();
    TabiaTable *table;
    bool good = make_table(&table, &r, error);
    if (good) {
        good = run_processes(&r, table, result, error);
        tabia_table_destroy(table);
    }
    munmap(r.shared, sizeof *r.shared);
    return good;
}

/* ---- plans ---- */

static bool chosen(unsigned set, unsigned member) {
    return set >> member & 1;
}

/* The numbers of words that a record type comes in: those chosen for records, else 1. */
static unsigned words_of(const StressChoice *choice, TabiaRecordType type) {
    return type == TABIA_RECORDS ? choice->words : 1u << 1;
}

unsigned stress_plan(const StressChoice *choice, StressCase cases[STRESS_CASES_MAX]) {
    unsigned n = 0;
    for (unsigned way = STRESS_PAUSED; way <= STRESS_NONE; way++)
        for (unsigned type = TABIA_ENTRIES; type <= TABIA_RECORDS; type++)
            for (unsigned words = 1; words <= TABIA_RECORD_WORDS_MAX; words++)
                for (unsigned payload = STRESS_RANDOM; payload <= STRESS_SMALL; payload++) {
                    const StressCase c = {(TabiaRecordType)type, words, (StressPayload)payload, (StressWay)way};
                    if (chosen(choice->ways, way) && chosen(choice->types, type) &&
                        chosen(words_of(choice, c.type), words) && chosen(choice->payloads, payload) &&
                        n < STRESS_CASES_MAX)
                        cases[n++] = c;
                }
    return n;
}

void stress_amount(const StressCase *what, uint64_t probes, StressJob *job) {
    const uint64_t generous = 1000000000;
    const bool free = what->way == STRESS_NONE;
    job->probes = free ? probes / 100 : what->way == STRESS_PAUSED ? probes : probes / 10;
    if (!job->probes) job->probes = 1;
    assert(job->probes <= probes || probes == 0);
    const bool must_show = free && job->probes < generous;
    job->probes_max = must_show ? generous : job->probes;
}

bool stress_is_protected(const StressCase *what) {
    return what->way == STRESS_PAUSED || what->way == STRESS_CALLS;
}

bool stress_as_should_be(const StressCase *what, const StressResult *result) {
    if (stress_is_protected(what)) return result->accepted == 0;
    return what->way == STRESS_PLAIN || result->accepted > 0;
}
