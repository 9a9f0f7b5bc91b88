/* SPDX-License-Identifier: MIT */
/*
 * The distributed perft on clusters that misbehave by a seed: messages are delayed, doubled, damaged and lost, ranks die, or
 * stop and come back. The count is exact, or refused for a reason; a count that rank 0 left behind is finished from its
 * ledger by other ranks. Some seeds run twice and must do the same.
 */
#include "unit.h"

#include <math.h>

#include "base/random.h"
#include "lab/cluster_simulation/simulation.h"
#include "notation/fen.h"

#ifndef SEEDS
#define SEEDS (whole_tests() ? 10000 : 300)
#endif

enum { FAULTS_MAX = 3, RUN_TWICE = 32 };

typedef struct {
    const char *fen;
    int depth;
    U128 nodes;
    double positions; /* that no table knows, about */
} Count;

static const Count counts[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609, 9000},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324, 77000},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603, 2000},
    {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3605103, 9000},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083, 9000},
};

/* A cluster, and what befalls it. */
typedef struct {
    const Count *count;
    PerftJob job;
    SimulationFault fault[FAULTS_MAX];
    Simulation s;
    size_t stop_after; /* units; 0: never */
    char ledger[64];
} Case;

typedef struct {
    unsigned complete, refused, resumed, stopped, died, recounted, damaged;
} Tally;

/* Between two numbers, each power of ten as likely as another. */
static double draw(uint64_t *random, double min, double max) {
    return min * pow(max / min, random_below(random, 1000001) / 1e6);
}

static bool wants_stop(void *context, const PerftState *state) {
    const Case *c = context;
    return c->stop_after && state->units_done >= c->stop_after;
}

static void draw_faults(Case *c, uint64_t *random) {
    const double seconds = 1e-3 + c->count->positions * c->s.costs.position * 1e-9 / c->s.network.ranks;
    c->s.fault = c->fault;
    for (unsigned left = random_below(random, FAULTS_MAX + 1); left; left--) {
        SimulationFault *f = c->fault + c->s.faults++;
        f->rank = random_below(random, c->s.network.ranks);
        f->at = random_below(random, 8) ? 0.005 + 3 * c->s.network.delay : 0; /* mostly after the handshake */
        f->at += draw(random, seconds / 100, seconds * 2);
        f->pause = random_below(random, 2) ? draw(random, 1e-3, 10) : 0;
    }
}

static void draw_case(Case *c, uint64_t seed) {
    uint64_t random = seed;
    *c = (Case){.count = counts + random_below(&random, sizeof counts / sizeof *counts)};
    c->job =
        (PerftJob){.depth = c->count->depth, .hash_bytes = 1 << 20, .keys_seed = 1, .watch = wants_stop, .context = c};
    assert_true(fen_parse(&c->job.root, c->count->fen, NULL));
    c->s = (Simulation){.costs = simulation_costs_default(), .limit = 1000};
    c->s.costs.position = draw(&random, 100, 50000);
    c->s.job = (DistributedPerftJob){.job = &c->job, .program = "test", .timeout = 0.5, .handshake_timeout = 0.5};
    if (!random_below(&random, 4)) c->s.job.target_units = 1 + random_below(&random, 100);
    c->s.network = (SimulatedNetworkOptions){.ranks = 2 + random_below(&random, 7), .seed = seed};
    c->s.network.delay = draw(&random, 1e-6, 0.05);
    c->s.network.capacity = 8 + random_below(&random, 200);
    if (random_below(&random, 4)) c->s.network.duplicated = random_below(&random, 600000);
    if (random_below(&random, 2)) c->s.network.lost = random_below(&random, 50000);
    if (random_below(&random, 2)) c->s.network.damaged = random_below(&random, 50000);
    if (!random_below(&random, 16)) c->stop_after = 1 + random_below(&random, 100);
    draw_faults(c, &random);
}

static bool dies(const Case *c, unsigned rank) {
    for (unsigned i = 0; i < c->s.faults; i++)
        if (c->fault[i].rank == rank && !c->fault[i].pause) return true;
    return false;
}

/* Other ranks, to which nothing happens, finish what the ledger of the last ones holds. */
static void resume(Case *c) {
    SimulationResult result;
    TabiaError error;
    c->s.faults = 0, c->stop_after = 0;
    c->s.network = (SimulatedNetworkOptions){.ranks = 10 - c->s.network.ranks, .seed = c->s.network.seed};
    if (!simulation_run(&c->s, &result, &error)) fail_msg("resumed: %s", error.text);
    assert_true(result.is_over && result.is_complete && result.nodes == c->count->nodes);
}

static SimulationResult run(Case *c, uint64_t seed, Tally *tally) {
    SimulationResult result;
    TabiaError error = {.text = "none"};
    const bool good = simulation_run(&c->s, &result, &error);
    const bool may_refuse = c->stop_after || dies(c, 0) || (c->s.faults && strstr(error.text, "has not answered for"));
    assert_true(result.stats.ranks <= c->s.network.ranks);
    if (!result.is_over) fail_msg("seed %u: no end", (unsigned)seed);
    if (good && result.is_complete && result.nodes != c->count->nodes)
        fail_msg("seed %u: %llu and not %llu", (unsigned)seed, (unsigned long long)result.nodes,
                 (unsigned long long)c->count->nodes);
    if (!result.is_complete && !may_refuse) fail_msg("seed %u: not counted: %s", (unsigned)seed, error.text);
    tally->complete += result.is_complete, tally->refused += !good, tally->stopped += good && !result.is_complete;
    const TabiaClusterCounters *counted = &result.stats.messages;
    uint64_t waited = 0;
    for (unsigned i = 0; i < TABIA_CLUSTER_WAITS; i++) waited += counted->waits[i];
    assert_in_range(waited, counted->received / 2, counted->received); /* a poll in progress has more */
    tally->recounted += result.stats.sibling_sets_recounted > 0;
    tally->damaged += counted->corrupt_messages > 0;
    return result;
}

static void counts_are_exact_or_refused(void **state) {
    Tally t = {0};
    Case c;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        draw_case(&c, seed);
        const bool has_ledger = seed % 4 == 0;
        if (has_ledger) close(temporary_file(c.ledger)), c.job.ledger = c.ledger;
        const SimulationResult first = run(&c, seed, &t);
        for (unsigned i = 0; i < c.s.faults; i++) t.died += !c.fault[i].pause;
        if (has_ledger && !first.is_complete) resume(&c), t.resumed++;
        if (has_ledger) unlink(c.ledger);
        if (seed % RUN_TWICE != 1) continue;
        const SimulationResult second = run(&c, seed, &(Tally){0});
        assert_true(first.trace == second.trace && first.seconds == second.seconds);
    }
    print_message("%u complete, %u refused, %u stopped, %u resumed; %u deaths; sets recounted in %u, damage in %u\n",
                  t.complete, t.refused, t.stopped, t.resumed, t.died, t.recounted, t.damaged);
    assert_true(t.complete && t.refused && t.stopped && t.resumed && t.died && t.recounted && t.damaged);
}

#include "test_cluster_seeds_list.h"
