/* SPDX-License-Identifier: MIT */
#include "simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "distributed/perft/pacing.h"

static const double us = 1e-6, ns = 1e-9;
static const double turn = 1e-6; /* seconds, of a rest that gives way to others */

/* ---- the constants ---- */

typedef struct {
    const char *name;
    size_t offset;
} CostName;

static const CostName cost_names[] = {
#define COST_NAME(member, unit, value, text) {#member, offsetof(SimulationCosts, member)},
    SIMULATION_COSTS(COST_NAME)
#undef COST_NAME
};
enum { COSTS = sizeof cost_names / sizeof *cost_names };

SimulationCosts simulation_costs_default(void) {
    return (SimulationCosts){
#define COST_DEFAULT(member, unit, value, text) .member = value,
        SIMULATION_COSTS(COST_DEFAULT)
#undef COST_DEFAULT
    };
}

/* Parses one `name=number`, up to a comma or the end; returns the rest, or NULL if it is invalid. */
static const char *parse_one(SimulationCosts *c, const char *text) {
    for (unsigned i = 0; i < COSTS; i++) {
        const size_t length = strlen(cost_names[i].name);
        if (strncmp(text, cost_names[i].name, length) || text[length] != '=') continue;
        char *end;
        const double value = strtod(text + length + 1, &end);
        if (end == text + length + 1 || (*end && *end != ',') || !isfinite(value) || value < 0 || value > 1e9)
            return NULL;
        memcpy((char *)c + cost_names[i].offset, &value, sizeof value);
        return *end ? end + 1 : end;
    }
    return NULL;
}

bool simulation_costs_parse(SimulationCosts *c, const char *text, TabiaError *error) {
    SimulationCosts read = *c;
    for (const char *at = text; *at;) {
        const char *next = parse_one(&read, at);
        if (!next)
            return tabia_fail(
                error, "--costs: '%.60s' is no NAME=NUMBER of the list in --help; like latency=50,message=2", at);
        at = next;
    }
    *c = read;
    return true;
}

/* ---- ranks ---- */

typedef struct {
    DistributedPerft *perft;
    PerftState state;
    Backoff backoff;
    DistributedPerftStatus status;
    DistributedPerftStats stats; /* after its last step */
    double work;                 /* seconds, on positions */
    double busy;                 /* seconds, of all but rests, once all ranks have met */
    uint32_t faults_done;        /* a bit for each fault */
} SimulatedWorker;

typedef struct {
    const Simulation *s;
    SimulatedNetwork *network;
    SimulatedWorker *worker; /* of each rank */
    unsigned *queue, queued; /* a heap of the ranks that run, that of the least time on top */
    TabiaError error;        /* of rank 0 */
} SimulatedRun;

static bool is_before(const SimulatedRun *r, unsigned a, unsigned b) {
    const double x = simulated_network_now(r->network, a), y = simulated_network_now(r->network, b);
    return x < y || (x == y && a < b);
}

/* The clock of the rank on top has moved. */
static void sift_down(SimulatedRun *r) {
    for (unsigned i = 0, child; (child = 2 * i + 1) < r->queued; i = child) {
        if (child + 1 < r->queued && is_before(r, r->queue[child + 1], r->queue[child])) child++;
        if (!is_before(r, r->queue[child], r->queue[i])) return;
        const unsigned rank = r->queue[i];
        r->queue[i] = r->queue[child], r->queue[child] = rank;
    }
}

static void drop_first(SimulatedRun *r) {
    r->queue[0] = r->queue[--r->queued];
}

/* The due fault of the rank on top, if there is one. True: no step now. */
static bool apply_fault(SimulatedRun *r, unsigned rank) {
    SimulatedWorker *w = r->worker + rank;
    for (unsigned i = 0; i < r->s->faults; i++) {
        const SimulationFault *f = r->s->fault + i;
        if (f->rank != rank || w->faults_done >> i & 1 || simulated_network_now(r->network, rank) < f->at) continue;
        w->faults_done |= 1u << i;
        simulated_network_advance(r->network, rank, f->pause);
        if (f->pause > 0) return true;
        simulated_network_kill(r->network, rank);
        w->status = DISTRIBUTED_PERFT_FAILED;
        if (rank == 0) tabia_fail(&r->error, "rank 0 has died");
        drop_first(r);
        return true;
    }
    return false;
}

/* What positions and sibling sets of the last step cost, in seconds. */
static double price_step(SimulatedRun *r, SimulatedWorker *w) {
    const DistributedPerftStats now = distributed_perft_stats(w->perft), *before = &w->stats;
    const uint64_t counted = now.probes - now.hits, counted_before = before->probes - before->hits;
    if (now.ranks != 1 || counted < counted_before) return 0; /* the figures of all ranks, at the end */
    const double work = (double)(counted - counted_before) * r->s->costs.position * ns;
    const double sets = (double)(now.sibling_sets_served - before->sibling_sets_served) * r->s->costs.siblings * ns;
    w->stats = now;
    w->work += work;
    return work + sets;
}

static double rest_of(const SimulatedRun *r, SimulatedWorker *w) {
    const long rest = backoff_next(&w->backoff, w->status == DISTRIBUTED_PERFT_IDLE);
    return rest == BACKOFF_NONE ? 0 : rest == BACKOFF_YIELD ? turn : (double)rest * ns + r->s->costs.wake * us;
}

static void step(SimulatedRun *r, unsigned rank) {
    SimulatedWorker *w = r->worker + rank;
    TabiaError error;
    const double began = simulated_network_now(r->network, rank);
    w->status = distributed_perft_step(w->perft, &error);
    if (w->status != DISTRIBUTED_PERFT_IDLE) simulated_network_advance(r->network, rank, price_step(r, w));
    if (w->stats.ranks && w->status != DISTRIBUTED_PERFT_IDLE)
        w->busy += simulated_network_now(r->network, rank) - began;
    simulated_network_advance(r->network, rank, rest_of(r, w));
    if (w->status < DISTRIBUTED_PERFT_DONE) return;
    if (rank == 0 && w->status == DISTRIBUTED_PERFT_FAILED) r->error = error;
    drop_first(r);
}

static bool is_given_up(SimulatedRun *r, unsigned rank) {
    const PerftState *state = &r->worker->state;
    if (rank || !r->s->watch) return false;
    const double share = state->work_total ? (double)state->work_done / (double)state->work_total : 0;
    return r->s->watch(r->s->context, share) && !tabia_fail(&r->error, "stopped");
}

static bool run(SimulatedRun *r) {
    while (r->queued && simulated_network_now(r->network, r->queue[0]) < r->s->limit) {
        const unsigned rank = r->queue[0];
        if (is_given_up(r, rank)) return false;
        if (!apply_fault(r, rank)) step(r, rank);
        sift_down(r);
    }
    return true;
}

/* ---- the whole run ---- */

static SimulatedNetworkOptions network_options(const Simulation *s) {
    SimulatedNetworkOptions o = s->network;
    o.own_clocks = true;
    o.step = s->costs.poll * us / 3; /* a poll reads the clock twice */
    o.message = s->costs.message * us / 2, o.byte = s->costs.byte * ns / 2, o.latency = s->costs.latency * us;
    if (!o.capacity) o.capacity = 32 * o.ranks;
    return o;
}

static bool begin(SimulatedRun *r, const Simulation *s, TabiaError *error) {
    *r = (SimulatedRun){.s = s, .worker = calloc(s->network.ranks, sizeof *r->worker)};
    r->queue = calloc(s->network.ranks, sizeof *r->queue);
    assert(s->network.ranks <= SIMULATION_RANKS_MAX && s->faults <= 32);
    if (!r->worker || !r->queue) return tabia_fail(error, "not enough memory for %u ranks", s->network.ranks);
    if (!(r->network = simulated_network_create(network_options(s), error))) return false;
    for (; r->queued < s->network.ranks; r->queued++) {
        DistributedPerftJob job = s->job;
        job.transport = simulated_network_rank(r->network, r->queued);
        SimulatedWorker *w = r->worker + r->queued;
        if (!(w->perft = distributed_perft_create(&job, &w->state, error))) return false;
        r->queue[r->queued] = r->queued;
    }
    return true;
}

static bool end(SimulatedRun *r, TabiaError *error) {
    bool good = true;
    for (unsigned rank = 0; r->worker && rank < r->s->network.ranks; rank++) {
        good &= distributed_perft_close(r->worker[rank].perft, error);
        perft_state_free(&r->worker[rank].state);
    }
    simulated_network_destroy(r->network);
    free(r->worker);
    free(r->queue);
    return good;
}

static void sum_up(const SimulatedRun *r, SimulationResult *result) {
    const SimulatedWorker *first = r->worker;
    const SimulatedNetworkCounters count = simulated_network_counters(r->network);
    const DistributedPerftStats stats = distributed_perft_stats(first->perft);
    const double all = first->state.wall * r->s->network.ranks;
    double work = 0, busy = 0;
    for (unsigned rank = 0; rank < r->s->network.ranks; rank++)
        work += r->worker[rank].work, busy += r->worker[rank].busy;
    *result = (SimulationResult){.ranks = r->s->network.ranks,
                                 .is_over = !r->queued,
                                 .is_complete = first->state.complete && first->status == DISTRIBUTED_PERFT_DONE,
                                 .nodes = first->state.nodes,
                                 .seconds = first->state.wall,
                                 .counted = stats.probes - stats.hits,
                                 .messages = stats.messages.messages,
                                 .bytes = stats.messages.bytes,
                                 .trace = count.trace,
                                 .stats = stats};
    if (all <= 0) return;
    result->efficiency = work / all, result->messaging = (busy - work) / all;
    result->waiting = 1 - busy / all;
}

bool simulation_run(const Simulation *s, SimulationResult *result, TabiaError *error) {
    SimulatedRun r;
    bool good = begin(&r, s, error);
    if (good) {
        good = run(&r) && r.worker->status != DISTRIBUTED_PERFT_FAILED;
        if (!good) *error = r.error;
        sum_up(&r, result);
    }
    return end(&r, good ? error : NULL) && good;
}
