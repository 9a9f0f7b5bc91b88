/* SPDX-License-Identifier: MIT */
#include "coordinator.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "outbox.h"
#include "scheduler.h"
#include "unit_group.h"

/* What rank 0 knows of a rank. */
typedef struct {
    bool is_finished;                      /* its last message has come */
    bool is_dead;                          /* silent for the timeout, and not heard since */
    bool is_reported;                      /* as silent */
    uint64_t probes, hits, leaves_counted; /* of its last report, as what follows */
    double cpu;                            /* seconds */
} RankReport;

struct Coordinator {
    const RankContext *rank;
    CoordinatorOptions options;
    bool is_stopped, is_late; /* is_late: a rank has not finished in time */
    size_t counted;           /* units, in this run */
    Scheduler *scheduler;
    PartitionMap map;
    Ledger *ledger;
    RankReport *report;                                    /* of each rank */
    unsigned finished;                                     /* ranks, besides this one */
    bool any_died;                                         /* ever */
    double started, finished_at, watched_at, heartbeat_at; /* seconds */
    double resumed_at; /* when this rank was last stopped itself: nothing was received before */
    double overdue_at; /* when overdue units were looked for */
    DistributedPerftStats stats;
};

static double elapsed(const Coordinator *c) {
    return c->rank->now - c->started;
}

/* ---- creation ---- */

Coordinator *coordinator_create(const RankContext *rank, const CoordinatorOptions *options, TabiaError *error) {
    Coordinator *c = calloc(1, sizeof *c);
    if (c) {
        c->rank = rank, c->options = *options;
        c->report = calloc(rank->ranks, sizeof *c->report);
        if (c->report) return c;
    }
    coordinator_close(c, NULL);
    return tabia_fail(error, "not enough memory to begin"), NULL;
}

bool coordinator_close(Coordinator *c, TabiaError *error) {
    if (!c) return true;
    const bool good = !c->ledger || ledger_close(c->ledger, error);
    scheduler_destroy(c->scheduler);
    free(c->report);
    free(c);
    return good;
}

/* ---- the frontier ---- */

static int unit_depth(const Coordinator *c) {
    return c->options.job->depth - c->options.state->frontier.ply;
}

/* From the units down to the leaf parents. */
static int plies_to_leaf_parents(const Coordinator *c) {
    const int depth = unit_depth(c), leaf_parents = leaf_parent_depth(depth);
    return depth > leaf_parents ? depth - leaf_parents : 0;
}

bool coordinator_make_units(Coordinator *c, TabiaError *error) {
    const PerftJob *job = c->options.job;
    PerftState *state = c->options.state;
    const double began = tabia_clock_wall();
    if (!frontier_make(&state->frontier, &job->root, &c->rank->zobrist, c->options.limits, error)) return false;
    c->stats.frontier_seconds = tabia_clock_wall() - began;
    units_sum(state);
    if (!partition_build(&c->map, &state->frontier, plies_to_leaf_parents(c), c->rank->ranks, error)) return false;
    if (!(c->scheduler = scheduler_create(&state->frontier, error))) return false;
    if (job->ledger && !(c->ledger = scheduler_open_ledger(c->scheduler, job, state, error))) return false;
    const SchedulerOptions options = {.ranks = c->rank->ranks,
                                      .merged = c->rank->merges,
                                      .map = c->rank->is_shared ? &c->map : NULL,
                                      .plies = plies_to_leaf_parents(c)};
    return scheduler_order(c->scheduler, &options, error);
}

void coordinator_start(Coordinator *c) {
    c->started = c->rank->now;
}

/* ---- assigning ---- */

/* How many units a rank does in a quarter of a second; at most its part of half of what is left. */
static size_t fair_number(const Coordinator *c) {
    enum { UNITS_MAX = 2048 };
    static const double interval = 0.25;
    const unsigned ranks = c->rank->ranks;
    const double rate = c->counted ? (double)c->counted / (elapsed(c) + 1e-3) / ranks : 0, each = rate * interval;
    const int depth = unit_depth(c);
    const size_t min = c->rank->merges && depth >= LEAF_PARENT_DEPTH_MIN ? unit_group_size(depth) : 1;
    const size_t fair = scheduler_remaining(c->scheduler) / (2 * ranks) + 1;
    const size_t n = each < (double)min ? min : each > UNITS_MAX ? UNITS_MAX : (size_t)each;
    return n < fair ? n : fair;
}

/* Units that are out for too long are requeued once there is nothing else to assign. */
static void requeue_overdue(Coordinator *c) {
    const double now = elapsed(c);
    if (scheduler_remaining(c->scheduler) || now - c->overdue_at < c->rank->timeout / 4) return;
    c->overdue_at = now;
    scheduler_requeue_overdue(c->scheduler, now - c->rank->timeout);
}

static void send_units(Coordinator *c, unsigned to) {
    enum { UNIT_WORDS = sizeof(WireUnit) / sizeof(uint64_t) };
    const Frontier *f = &c->options.state->frontier;
    uint64_t message[1 + WIRE_UNITS_MAX * UNIT_WORDS];
    size_t n = 0;
    int64_t unit;
    message[0] = (uint64_t)unit_depth(c);
    for (size_t left = fair_number(c); left && (unit = scheduler_next(c->scheduler, to, elapsed(c))) >= 0; left--) {
        const WireUnit one = {
            (uint64_t)unit, {f->units.key[unit][0], f->units.key[unit][1]}, position_pack(&f->units.position[unit])};
        memcpy(message + 1 + n++ * UNIT_WORDS, &one, sizeof one);
        if (n < WIRE_UNITS_MAX) continue;
        outbox_send(c->rank->outbox, to, WIRE_UNITS, message, sizeof *message + n * sizeof one);
        n = 0;
    }
    if (n) outbox_send(c->rank->outbox, to, WIRE_UNITS, message, sizeof *message + n * sizeof(WireUnit));
}

void coordinator_receive_request(Coordinator *c, unsigned from, bool wants_map) {
    if (wants_map) outbox_send(c->rank->outbox, from, WIRE_PARTITION, &c->map, sizeof c->map);
    requeue_overdue(c);
    send_units(c, from);
}

/* ---- results ---- */

static void use_result(Coordinator *c, size_t unit, U128 leaves) {
    TabiaError error;
    switch (scheduler_finish(c->scheduler, unit, leaves)) {
    case UNIT_REPEATED:
        return;
    case UNIT_CONTRADICTED:
        run_error_set(c->rank->error,
                      "unit %zu was counted twice, with two results: a machine or its memory is not to be trusted",
                      unit);
        return;
    case UNIT_COUNTED:
        break;
    }
    if (c->ledger && !ledger_append(c->ledger, unit, leaves, &error)) run_error_set(c->rank->error, "%s", error.text);
    c->counted++;
    units_add(c->options.state, unit, leaves);
}

enum { RESULTS_HEADER_WORDS = 4 }; /* probes, hits, leaves counted, processor time */

static WireResult result_at(const void *report, size_t i) {
    WireResult result;
    memcpy(&result, (const char *)report + RESULTS_HEADER_WORDS * sizeof(uint64_t) + i * sizeof result, sizeof result);
    return result;
}

void coordinator_receive_results(Coordinator *c, unsigned from, const void *bytes, size_t n) {
    enum { AHEAD = 8 }; /* units, whose rows lie anywhere in a large table */
    uint64_t header[RESULTS_HEADER_WORDS];
    if (n < sizeof header || (n - sizeof header) % sizeof(WireResult)) return;
    memcpy(header, bytes, sizeof header);
    c->report[from].probes = header[0], c->report[from].hits = header[1], c->report[from].leaves_counted = header[2];
    memcpy(&c->report[from].cpu, header + 3, sizeof c->report[from].cpu);
    const size_t units = c->options.state->frontier.units.n;
    const size_t results = (n - sizeof header) / sizeof(WireResult);
    for (size_t i = 0; i < results; i++) {
        const WireResult one = result_at(bytes, i), ahead = result_at(bytes, i + AHEAD < results ? i + AHEAD : i);
        if (ahead.unit < units) units_prefetch(c->options.state, ahead.unit);
        if (one.unit < units) use_result(c, one.unit, wire_u128(one.low, one.high));
    }
}

/* ---- which ranks are alive ---- */

/* The others are informed, and the units of the dead go to them. */
static void mark_dead(Coordinator *c, unsigned rank) {
    const RankContext *here = c->rank;
    const uint64_t number = rank;
    assert(rank != here->rank && rank < here->ranks);
    c->report[rank].is_dead = c->any_died = true;
    tabia_cluster_mark_dead(here->cluster, rank);
    for (unsigned to = 1; to < here->ranks; to++)
        if (!c->report[to].is_dead) outbox_send(here->outbox, to, WIRE_RANK_DEAD, &number, sizeof number);
    const size_t units = scheduler_requeue_rank(c->scheduler, rank);
    if (c->options.log)
        fprintf(c->options.log, "%s perft: rank %u has been silent for %.3g seconds; its %zu units go to others\n",
                c->options.log_name, rank, here->timeout, units);
}

/* A rank that sends nothing for two seconds is reported once, and named in each line of progress. */
static void note_silence(Coordinator *c, unsigned rank, double silence) {
    static const double reported_after = 2;
    PerftState *s = c->options.state;
    bool *is_reported = &c->report[rank].is_reported;
    const bool is_silent = silence > reported_after && silence < c->rank->timeout;
    if (is_silent && silence > s->silence) s->silent_rank = rank, s->silence = silence;
    if (is_silent && !*is_reported && c->options.log)
        fprintf(c->options.log,
                "%s perft: waiting for rank %u, silent for %.0f seconds; after %.3g (--rank-timeout) the others "
                "continue without it\n",
                c->options.log_name, rank, silence, c->rank->timeout);
    *is_reported = is_silent;
}

/* Sends heartbeats, and takes back a rank that sends again. Ranks that have finished send nothing more. */
static void monitor_ranks(Coordinator *c) {
    const RankContext *here = c->rank;
    c->options.state->silence = 0;
    const double interval = here->timeout / 5;
    const bool is_due = here->now - c->heartbeat_at > (interval < 1 ? interval : 1);
    for (unsigned rank = 1; rank < here->ranks; rank++) {
        bool *is_dead = &c->report[rank].is_dead;
        const double silence = fmin(tabia_cluster_silence(here->cluster, rank), here->now - c->resumed_at);
        if (c->report[rank].is_finished) continue;
        if (is_due && !*is_dead) outbox_send(here->outbox, rank, WIRE_HEARTBEAT, NULL, 0);
        note_silence(c, rank, silence);
        if (!*is_dead && silence > here->timeout)
            mark_dead(c, rank);
        else if (*is_dead && silence < here->timeout / 2)
            *is_dead = false;
    }
    if (is_due) c->heartbeat_at = here->now;
}

/* ---- steps ---- */

static void update_state(Coordinator *c) {
    PerftState *s = c->options.state;
    s->probes = s->hits = s->leaves_counted = 0, s->cpu = 0;
    for (unsigned rank = 0; rank < c->rank->ranks; rank++) {
        const RankReport *r = &c->report[rank];
        s->probes += r->probes, s->hits += r->hits, s->leaves_counted += r->leaves_counted, s->cpu += r->cpu;
    }
    s->wall = elapsed(c);
}

void coordinator_stop(Coordinator *c) {
    c->is_stopped = true;
}

/* Ten times a second. */
static bool is_watch_due(Coordinator *c) {
    if (c->rank->now - c->watched_at < 0.1) return false;
    if (c->rank->now - c->watched_at > 1) c->resumed_at = c->rank->now;
    c->watched_at = c->rank->now;
    return true;
}

static void watch(Coordinator *c) {
    const PerftJob *job = c->options.job;
    if (!is_watch_due(c)) return;
    monitor_ranks(c);
    update_state(c);
    if (job->watch && job->watch(job->context, c->options.state)) c->is_stopped = true;
}

static bool is_complete(const Coordinator *c) {
    return c->options.state->units_done == c->options.state->frontier.units.n;
}

bool coordinator_step(Coordinator *c) {
    watch(c);
    return c->is_stopped || c->rank->error->is_set || is_complete(c);
}

/* ---- the end ---- */

static void add_stats(DistributedPerftStats *sum, const DistributedPerftStats *s) {
    sum->ranks += s->ranks, sum->cpu += s->cpu, sum->probes += s->probes, sum->hits += s->hits;
    sum->leaves_counted += s->leaves_counted;
    sum->idle_steps += s->idle_steps;
    sum->sibling_sets_sent += s->sibling_sets_sent, sum->sibling_sets_served += s->sibling_sets_served;
    sum->sibling_sets_recounted += s->sibling_sets_recounted;
#define ADD(name, text) sum->messages.name += s->messages.name;
    TABIA_CLUSTER_COUNTERS(ADD)
#undef ADD
    for (unsigned i = 0; i < TABIA_CLUSTER_WAITS; i++) sum->messages.waits[i] += s->messages.waits[i];
}

void coordinator_finish(Coordinator *c, const DistributedPerftStats *own) {
    c->finished_at = c->rank->now;
    update_state(c);
    c->options.state->complete = !c->rank->error->is_set && is_complete(c);
    add_stats(&c->stats, own);
    for (unsigned to = 1; to < c->rank->ranks; to++)
        if (!c->report[to].is_dead) outbox_send(c->rank->outbox, to, WIRE_FINISH, NULL, 0);
}

void coordinator_receive_stats(Coordinator *c, unsigned from, const void *bytes, size_t n) {
    DistributedPerftStats stats;
    if (n != sizeof stats || c->report[from].is_finished) return;
    memcpy(&stats, bytes, n);
    add_stats(&c->stats, &stats);
    c->report[from].is_finished = true;
    c->finished++;
    assert(c->finished < c->rank->ranks);
}

bool coordinator_is_over(Coordinator *c) {
    const unsigned ranks = c->rank->ranks;
    unsigned awaited = 0;
    if (is_watch_due(c)) monitor_ranks(c);
    for (unsigned rank = 1; rank < ranks; rank++) awaited += !c->report[rank].is_dead && !c->report[rank].is_finished;
    if (awaited && c->rank->now - c->finished_at <= c->rank->timeout) return false;
    if (c->finished + 1 < ranks) c->is_late = true;
    const uint64_t is_orderly = !coordinator_lost_rank(c);
    for (unsigned to = 1; to < ranks; to++)
        if (c->report[to].is_finished) outbox_send(c->rank->outbox, to, WIRE_SHUTDOWN, &is_orderly, sizeof is_orderly);
    c->options.state->probes = c->stats.probes, c->options.state->hits = c->stats.hits;
    c->options.state->leaves_counted = c->stats.leaves_counted;
    c->options.state->cpu = c->stats.cpu;
    return true;
}

bool coordinator_lost_rank(const Coordinator *c) {
    return c->is_late || c->any_died;
}

DistributedPerftStats coordinator_stats(const Coordinator *c) {
    return c->stats;
}
