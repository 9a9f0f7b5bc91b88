/* SPDX-License-Identifier: MIT */
/*
 * The same stress by several processes: each maps the named table for itself, at an address of its own, and runs its
 * threads on it.
 *
 *     parent: makes the table, forks --+--> child: joins the table by name ... its result ---> SharedState
 *                                      +--> runs its own part, waits, adds up
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "stress_world.h"

/* In memory that parent and children have in common. */
typedef struct {
    _Atomic unsigned ready; /* processes that have the table: nobody starts before all do */
    _Atomic bool stop;
    pid_t parent;
    struct {
        bool good;
        TabiaError error;
        StressResult result;
    } child[STRESS_PROCESSES_MAX];
} SharedState;

/* One experiment of several processes. */
typedef struct {
    const StressCase *what;
    const StressJob *job;
    const char *name; /* of the table */
    SharedState *shared;
} ProcessRun;

static bool child_watch(void *context, const StressResult *so_far) {
    (void)so_far;
    const SharedState *c = context;
    return atomic_load(&c->stop) || getppid() != c->parent;
}

/* False when the others failed to come. */
static bool wait_for_all(SharedState *c, unsigned processes) {
    assert(processes <= STRESS_PROCESSES_MAX);
    atomic_fetch_add(&c->ready, 1);
    while (atomic_load(&c->ready) < processes) {
        if (atomic_load(&c->stop) || (getpid() != c->parent && getppid() != c->parent)) return false;
        sched_yield();
    }
    return true;
}

/* One process's part on a table that is made or joined. */
static bool run_process(const ProcessRun *run, TabiaTable *table, unsigned process, StressResult *result,
                        TabiaError *error) {
    StressWorld *world = malloc(sizeof *world);
    if (!world) return tabia_fail(error, "no memory for a process's part");
    stress_world_fill(world, table, run->what, run->job);
    world->process = process;
    const bool good = !wait_for_all(run->shared, run->job->processes) || stress_threads(world, run->job, result, error);
    free(world);
    return good;
}

static bool join_and_run(const ProcessRun *run, unsigned process, StressResult *result, TabiaError *error) {
    TabiaTable *table;
    TabiaInfo info;
    if (!stress_table(&table, run->what, run->job, run->name, error)) return false;
    tabia_table_info(table, &info);
    const bool good = info.joined ? run_process(run, table, process, result, error)
                                  : tabia_fail(error, "a second process did not find the named table %s", run->name);
    tabia_table_destroy(table);
    return good;
}

/* Never returns. Ends without the cleaning up that is the parent's. */
static void run_child(const ProcessRun *run, unsigned number) {
    StressJob job = *run->job;
    ProcessRun own = *run;
    SharedState *c = run->shared;
    assert(number < STRESS_PROCESSES_MAX);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a lock that a killed parent holds would never be given back */
#endif
    job.watch = child_watch, job.context = c;
    own.job = &job;
    TabiaError error = {0};
    StressResult result = {0};
    c->child[number].good = join_and_run(&own, number + 1, &result, &error);
    c->child[number].error = error;
    c->child[number].result = result;
    if (!c->child[number].good) atomic_store(&c->stop, true);
    _exit(0);
}

/* Waits for the children that were started, and adds what they found. */
static bool collect(SharedState *c, const pid_t *pid, unsigned started, StressResult *result, TabiaError *error) {
    bool good = true;
    for (unsigned i = 0; i < started; i++) {
        int status = 0;
        while (waitpid(pid[i], &status, 0) < 0) continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            good = tabia_fail(error, "a process of the stress was killed");
        else if (!c->child[i].good)
            good = tabia_fail(error, "%s", c->child[i].error.text);
        stress_add(result, &c->child[i].result);
    }
    return good;
}

/* The parent's watch, which also tells the children. */
typedef struct {
    const StressJob *job;
    SharedState *shared;
} ParentWatch;

static bool parent_watch(void *context, const StressResult *so_far) {
    const ParentWatch *w = context;
    StressResult all = *so_far;
    all.probes *= w->job->processes; /* the others are about as far */
    if (w->job->watch && w->job->watch(w->job->context, &all)) atomic_store(&w->shared->stop, true);
    return atomic_load(&w->shared->stop);
}

static bool run_all(const ProcessRun *run, TabiaTable *table, StressResult *result, TabiaError *error) {
    const StressJob *job = run->job;
    SharedState *c = run->shared;
    StressJob share = *job;
    ProcessRun part = *run;
    part.job = &share;
    share.probes = (job->probes + job->processes - 1) / job->processes;
    share.probes_most = (job->probes_most + job->processes - 1) / job->processes;
    pid_t pid[STRESS_PROCESSES_MAX];
    unsigned started = 0;
    bool good = true;
    for (; started + 1 < job->processes && good; started += good) {
        pid[started] = fork();
        if (pid[started] == 0) run_child(&part, started);
        good = pid[started] > 0 || tabia_fail(error, "the system refused a process");
    }
    ParentWatch watch = {job, c};
    share.watch = parent_watch, share.context = &watch;
    if (good) good = run_process(&part, table, 0, result, error);
    if (!good) atomic_store(&c->stop, true);
    TabiaError of_child;
    const bool children_good = collect(c, pid, started, result, &of_child);
    if (good && !children_good) tabia_fail(error, "%s", of_child.text);
    return good && children_good;
}

bool stress_processes(const StressCase *what, const StressJob *job, StressResult *result, TabiaError *error) {
    char name[64];
    snprintf(name, sizeof name, "tabia-stress-%ld", (long)getpid());
    *result = (StressResult){0};
    SharedState *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED) return tabia_fail(error, "no memory for processes to share");
    c->parent = getpid();
    TabiaTable *table;
    bool good = stress_table(&table, what, job, name, error);
    if (good) {
        fflush(NULL); /* or the children would write it too */
        good = run_all(&(ProcessRun){what, job, name, c}, table, result, error);
        tabia_table_destroy(table);
    }
    munmap(c, sizeof *c);
    return good;
}
