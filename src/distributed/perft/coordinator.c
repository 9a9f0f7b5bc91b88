/* SPDX-License-Identifier: MIT */
/*
 * Rank 0's other part: the units of the whole count, who has them, and what came of them.
 *
 * Units go out in an order of their own (handout.h), the large ones first. What is handed out at a time is what that
 * rank does in a quarter of a second, and less towards the end, so that nobody waits for another's last one.
 *
 * A unit's result counts when it is in the ledger. A rank that is silent for the patience is dead: its units are
 * orphans and go to others first; should it speak again, what it counted is welcome, and must be the same. Towards the
 * end, units that are out for longer than the patience are handed out a second time: a message may have been lost.
 */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "perft/units.h"
#include "scheduler.h"
#include "state.h"

typedef enum { UNIT_WAITS, UNIT_IS_OUT, UNIT_DONE } UnitIs;

typedef struct {
    bool dead, parted;
    bool wants, wants_homes; /* before there are units */
    double heard_at;
    uint64_t probes, hits;
    double cpu;
} Rank;

struct Coordinator {
    FrontierLimits limits;
    bool ready; /* there are units */
    size_t units;
    Scheduler handout;
    uint8_t *is;   /* UnitIs, of each unit */
    uint32_t *by;  /* who has it */
    float *out_at; /* seconds since the beginning */
    U128 *leaves;
    uint32_t *orphan;
    size_t orphans, counted; /* counted: in this run */
    Ledger *ledger;
    Rank *rank;
    PartitionMap homes;
    double said_alive_at, watched_at, second_look_at;
    unsigned parted;
};

static double since_begin(const DistributedPerft *r) {
    return ranks_now(r) - r->wall_began;
}

/* ---- beginning ---- */

static bool get_memory(Coordinator *c, Fault *fault) {
    c->is = calloc(c->units + 1, sizeof *c->is);
    c->by = malloc((c->units + 1) * sizeof *c->by);
    c->out_at = malloc((c->units + 1) * sizeof *c->out_at);
    c->leaves = calloc(c->units + 1, sizeof *c->leaves);
    c->orphan = malloc((c->units + 1) * sizeof *c->orphan);
    return (c->is && c->by && c->out_at && c->leaves && c->orphan) ||
           tabia_fault(fault, "not enough memory for %zu units of work", c->units);
}

/* From the units to the parents of what goes home. */
static int plies_to_floor(const DistributedPerft *r) {
    const int depth = r->job.job->depth - r->state->frontier.ply, floor = leaf_parent_depth(depth);
    return depth > floor ? depth - floor : 0;
}

static bool list_units(DistributedPerft *r, Fault *fault) {
    Coordinator *c = r->coordinator;
    const PerftJob *job = r->job.job;
    bool *done = calloc(c->units + 1, sizeof *done);
    bool good = done || tabia_fault(fault, "not enough memory for %zu units of work", c->units);
    if (good && job->ledger) good = (c->ledger = units_open_ledger(job, r->state, done, c->leaves, fault)) != NULL;
    size_t todo = 0; /* listed where orphans will be, of which there are none yet */
    for (size_t u = 0; good && u < c->units; u++) {
        if (done[u])
            c->is[u] = UNIT_DONE;
        else
            c->orphan[todo++] = (uint32_t)u;
    }
    free(done);
    const SchedulerOptions plan = {.ranks = r->ranks,
                                   .merged = job->hash_bytes,
                                   .homes = r->job.private_tables ? NULL : &c->homes,
                                   .plies = plies_to_floor(r)};
    return good && scheduler_init(&c->handout, &r->state->frontier, c->orphan, todo, &plan, fault);
}

/* The frontier is there: what is left to do of it. */
static bool take_frontier(DistributedPerft *r, double seconds, Fault *fault) {
    Coordinator *c = r->coordinator;
    c->units = r->state->frontier.units;
    r->tally.frontier_seconds = seconds;
    if (!partition_build(&c->homes, &r->state->frontier, plies_to_floor(r), r->ranks, fault)) return false;
    return c->ready = get_memory(c, fault) && list_units(r, fault);
}

static bool make_alone(DistributedPerft *r, Fault *fault) {
    Coordinator *c = r->coordinator;
    const double began = tabia_clock_wall();
    owners_end(r);
    return frontier_make(&r->state->frontier, &r->job.job->root, &r->zobrist, c->limits, fault) &&
           take_frontier(r, tabia_clock_wall() - began, fault);
}

bool coordinator_begin(DistributedPerft *r, FrontierLimits limits, Fault *fault) {
    Coordinator *c = r->coordinator = calloc(1, sizeof *c);
    if (!c || !(c->rank = calloc(r->ranks, sizeof *c->rank))) return tabia_fault(fault, "not enough memory to begin");
    c->limits = limits;
    return r->owners || make_alone(r, fault);
}

/* ---- handing out ---- */

/* A call of the system, so only for who wants to know. */
static double handing_clock(const DistributedPerft *r) {
    return r->job.time_scheduling ? tabia_clock_cpu() : 0;
}

/* How many units a rank does in a quarter of a second; not more than its part of half of what is left. */
static size_t fair_number(const DistributedPerft *r) {
    enum { MOST = 2048 };
    static const double piece = 0.25;
    const Coordinator *c = r->coordinator;
    const double each = c->counted ? (double)c->counted / (since_begin(r) + 1e-3) / r->ranks * piece : 0;
    const int depth = r->job.job->depth - r->state->frontier.ply;
    const size_t least = r->merges && depth >= 4 ? unit_group_size(depth) : 1;
    const size_t left = (scheduler_remaining(&c->handout) + c->orphans) / (2 * r->ranks) + 1;
    size_t n = each < (double)least ? least : each > MOST ? MOST : (size_t)each;
    return n < left ? n : left;
}

/* Units that are out for too long become orphans once there is nothing else to do. */
static void look_again(DistributedPerft *r) {
    Coordinator *c = r->coordinator;
    const double now = since_begin(r);
    if (now - c->second_look_at < r->job.timeout / 4) return;
    c->second_look_at = now;
    for (size_t u = 0; u < c->units; u++)
        if (c->is[u] == UNIT_IS_OUT && now - c->out_at[u] > r->job.timeout) {
            c->out_at[u] = (float)now;
            c->orphan[c->orphans++] = (uint32_t)u;
        }
}

static bool next_unit(DistributedPerft *r, unsigned to, size_t *unit) {
    Coordinator *c = r->coordinator;
    while (c->orphans) {
        *unit = c->orphan[--c->orphans];
        if (c->is[*unit] != UNIT_DONE) return true;
    }
    const int64_t next = scheduler_next(&c->handout, to);
    *unit = (size_t)next;
    return next >= 0;
}

static void hand_out(DistributedPerft *r, unsigned from, bool homes_too) {
    Coordinator *c = r->coordinator;
    const Frontier *f = &r->state->frontier;
    uint64_t message[1 + WIRE_UNITS_MAX * sizeof(WireUnit) / 8];
    size_t n = 0, unit;
    message[0] = (uint64_t)(r->job.job->depth - f->ply);
    if (homes_too) ranks_post(r, from, WIRE_PARTITION, &c->homes, sizeof c->homes);
    if (!scheduler_remaining(&c->handout) && !c->orphans) look_again(r);
    for (size_t most = fair_number(r); most && next_unit(r, from, &unit); most--) {
        const WireUnit one = {unit, {f->key[unit][0], f->key[unit][1]}, wire_position(&f->position[unit])};
        memcpy(message + 1 + n++ * sizeof one / 8, &one, sizeof one);
        c->is[unit] = UNIT_IS_OUT, c->by[unit] = from, c->out_at[unit] = (float)since_begin(r);
        if (n < WIRE_UNITS_MAX) continue;
        ranks_post(r, from, WIRE_UNITS, message, 8 + n * sizeof one);
        n = 0;
    }
    if (n) ranks_post(r, from, WIRE_UNITS, message, 8 + n * sizeof(WireUnit));
}

void coordinator_wanted(DistributedPerft *r, unsigned from, bool homes_too) {
    Coordinator *c = r->coordinator;
    if (!c || r->phase != PHASE_COUNTING) return;
    if (!c->ready) {
        c->rank[from].wants = true, c->rank[from].wants_homes |= homes_too;
        return;
    }
    const double began = handing_clock(r);
    hand_out(r, from, homes_too);
    r->tally.handing += handing_clock(r) - began;
}

/* While all make the frontier: is it there? Where a rank has died, or nothing comes, rank 0 makes it. */
static void await_frontier(DistributedPerft *r) {
    Coordinator *c = r->coordinator;
    bool good = true, lost = owners_late(r);
    for (unsigned rank = 1; rank < r->ranks; rank++) lost |= c->rank[rank].dead;
    if (owners_gathered(r)) {
        owners_end(r);
        good = take_frontier(r, since_begin(r), &r->fault);
    } else if (lost) {
        good = make_alone(r, &r->fault);
    }
    if (!good) ranks_fail(r, "%s", r->fault.text);
    if (!c->ready) return;
    r->wall_began = ranks_now(r);
    for (unsigned rank = 0; rank < r->ranks; rank++)
        if (c->rank[rank].wants && !c->rank[rank].dead) coordinator_wanted(r, rank, c->rank[rank].wants_homes);
}

/* ---- what comes back ---- */

static void unit_done(DistributedPerft *r, size_t unit, U128 leaves) {
    Coordinator *c = r->coordinator;
    if (c->is[unit] == UNIT_DONE) {
        if (c->leaves[unit] != leaves)
            ranks_fail(r, "unit %zu was counted twice, with two results: a machine or its memory is not to be trusted",
                       unit);
        return;
    }
    if (c->ledger && !ledger_append(c->ledger, unit, leaves, &r->fault)) ranks_fail(r, "%s", r->fault.text);
    c->is[unit] = UNIT_DONE;
    c->leaves[unit] = leaves;
    c->counted++;
    units_add(r->state, unit, leaves);
}

/* Of a report: behind the three words of its head. */
static WireResult done_at(const void *report, size_t i) {
    WireResult done;
    memcpy(&done, (const char *)report + 3 * sizeof(uint64_t) + i * sizeof done, sizeof done);
    return done;
}

void coordinator_done(DistributedPerft *r, unsigned from, const void *bytes, size_t n) {
    enum { EXPECTED = 8 }; /* units ahead, whose rows lie anywhere in a large table */
    Coordinator *c = r->coordinator;
    uint64_t head[3];
    if (!c || n < sizeof head || (n - sizeof head) % sizeof(WireResult) || r->phase != PHASE_COUNTING) return;
    memcpy(head, bytes, sizeof head);
    c->rank[from].probes = head[0], c->rank[from].hits = head[1];
    memcpy(&c->rank[from].cpu, head + 2, sizeof c->rank[from].cpu);
    const double began = handing_clock(r);
    const size_t all = (n - sizeof head) / sizeof(WireResult);
    for (size_t i = 0; i < all; i++) {
        const WireResult one = done_at(bytes, i), coming = done_at(bytes, i + EXPECTED < all ? i + EXPECTED : i);
        if (coming.unit < c->units) units_expect(r->state, coming.unit);
        if (one.unit < c->units) unit_done(r, one.unit, wire_u128(one.low, one.high));
    }
    r->tally.handing += handing_clock(r) - began;
}

/* ---- from time to time ---- */

static void bury(DistributedPerft *r, unsigned rank) {
    Coordinator *c = r->coordinator;
    size_t lost = 0;
    const uint64_t number = rank;
    c->rank[rank].dead = true;
    r->orderly = false;
    tabia_cluster_mark_dead(r->cluster, rank);
    for (unsigned to = 1; to < r->ranks; to++)
        if (!c->rank[to].dead) ranks_post(r, to, WIRE_RANK_DEAD, &number, sizeof number);
    for (size_t u = 0; u < c->units; u++)
        if (c->is[u] == UNIT_IS_OUT && c->by[u] == rank) c->orphan[c->orphans++] = (uint32_t)u, lost++;
    if (r->job.say)
        fprintf(r->job.say, "tabia-mpi perft: rank %u has been silent for %.3g seconds; its %zu units go to others\n",
                rank, r->job.timeout, lost);
}

/* Signs of life, and their absence. */
static void look_after_ranks(DistributedPerft *r) {
    Coordinator *c = r->coordinator;
    const double now = ranks_now(r), still = r->job.timeout / 5;
    const bool say = now - c->said_alive_at > (still < 1 ? still : 1);
    for (unsigned rank = 1; rank < r->ranks; rank++) {
        const double silence = tabia_cluster_silence(r->cluster, rank);
        if (say && !c->rank[rank].dead) ranks_post(r, rank, WIRE_HEARTBEAT, NULL, 0);
        if (!c->rank[rank].dead && silence > r->job.timeout)
            bury(r, rank);
        else if (c->rank[rank].dead && silence < r->job.timeout / 2)
            c->rank[rank].dead = false;
    }
    if (say) c->said_alive_at = now;
}

static void add_up(DistributedPerft *r) {
    const Coordinator *c = r->coordinator;
    PerftState *s = r->state;
    s->probes = s->hits = 0, s->cpu = 0;
    for (unsigned rank = 0; rank < r->ranks; rank++)
        s->probes += c->rank[rank].probes, s->hits += c->rank[rank].hits, s->cpu += c->rank[rank].cpu;
    s->wall = since_begin(r);
}

static void part(DistributedPerft *r) {
    r->phase = PHASE_PARTING;
    r->parting_at = ranks_now(r);
    atomic_store(&r->stop, true);
    add_up(r);
    r->state->complete = !r->failed && r->coordinator->ready && r->state->units_done == r->coordinator->units;
    r->tally = worker_tally(r);
    for (unsigned to = 1; to < r->ranks; to++)
        if (!r->coordinator->rank[to].dead) ranks_post(r, to, WIRE_FINISH, NULL, 0);
}

void coordinator_stop(DistributedPerft *r) {
    r->asked_to_stop = true;
}

static void watch(DistributedPerft *r) {
    Coordinator *c = r->coordinator;
    const double now = ranks_now(r);
    if (now - c->watched_at < 0.1) return;
    c->watched_at = now;
    look_after_ranks(r);
    add_up(r);
    const PerftJob *job = r->job.job;
    if (job->watch && job->watch(job->context, r->state)) coordinator_stop(r);
}

static void add_tally(DistributedPerftStats *sum, const DistributedPerftStats *t) {
    sum->ranks += t->ranks, sum->cpu += t->cpu, sum->probes += t->probes, sum->hits += t->hits,
        sum->idle_steps += t->idle_steps;
    sum->sibling_sets_sent += t->sibling_sets_sent, sum->sibling_sets_served += t->sibling_sets_served;
    sum->sibling_sets_recounted += t->sibling_sets_recounted;
#define ADD(name, text) sum->table.name += t->table.name;
    TABIA_CLUSTER_COUNTERS(ADD)
#undef ADD
}

void coordinator_parted(DistributedPerft *r, unsigned from, const void *bytes, size_t n) {
    Coordinator *c = r->coordinator;
    DistributedPerftStats t;
    if (!c || n != sizeof t || c->rank[from].parted) return;
    memcpy(&t, bytes, n);
    add_tally(&r->tally, &t);
    c->rank[from].parted = true;
    c->parted++;
}

/* All have said their last word, or it takes too long: then those who are left go without a farewell. */
static void see_off(DistributedPerft *r) {
    Coordinator *c = r->coordinator;
    unsigned living = 0;
    for (unsigned rank = 1; rank < r->ranks; rank++) living += !c->rank[rank].dead && !c->rank[rank].parted;
    const bool late = ranks_now(r) - r->parting_at > r->job.timeout;
    if (living && !late) return;
    if (c->parted + 1 < r->ranks) r->orderly = false;
    const uint64_t orderly = r->orderly;
    for (unsigned to = 1; to < r->ranks; to++)
        if (c->rank[to].parted) ranks_post(r, to, WIRE_SHUTDOWN, &orderly, sizeof orderly);
    r->state->probes = r->tally.probes, r->state->hits = r->tally.hits;
    r->state->cpu = r->tally.cpu;
    r->phase = PHASE_OVER;
}

void coordinator_step(DistributedPerft *r) {
    if (r->phase == PHASE_COUNTING) {
        watch(r);
        if (!r->coordinator->ready) await_frontier(r);
        const bool done = r->coordinator->ready && r->state->units_done == r->coordinator->units;
        if (r->asked_to_stop || r->failed || done) part(r);
    } else if (r->phase == PHASE_PARTING) {
        see_off(r);
    }
}

bool coordinator_end(DistributedPerft *r, Fault *fault) {
    Coordinator *c = r->coordinator;
    if (!c) return true;
    const bool good = !c->ledger || ledger_close(c->ledger, fault);
    scheduler_release(&c->handout);
    free(c->is);
    free(c->by);
    free(c->out_at);
    free(c->leaves);
    free(c->orphan);
    free(c->rank);
    free(c);
    return good;
}
