/* SPDX-License-Identifier: MIT */
/* A perft on ranks over a simulated network in one process, for the tests of each game. */
#pragma once
#include "unit.h"

#include "cluster/transport_simulated.h"
#include "distributed/perft/distributed_perft.h"
#include "notation/fen.h"

enum { RANKS_MAX = 5, NO_RANK_DIES = 99 };

typedef struct {
    const char *fen;
    int depth;
    U128 nodes;
    SimulatedNetworkOptions net;
    unsigned dies;       /* this rank, */
    unsigned after;      /* after so many rounds of steps */
    uint64_t hash_bytes; /* UINT64_MAX: off */
    bool private_tables;
    size_t target_units;
    size_t stop_after; /* units; 0: never */
    unsigned threads;  /* of each rank; 0: 1 */
} PerftCase;

typedef struct {
    SimulatedNetwork *net;
    DistributedPerft *rank[RANKS_MAX];
    PerftState state[RANKS_MAX];
    DistributedPerftStatus last[RANKS_MAX];
    DistributedPerftStats tally;
    TabiaError error;
    size_t stop_after;
} PerftRun;

static bool wants_stop(void *context, const PerftState *state) {
    const PerftRun *run = context;
    return run->stop_after && state->units_done >= run->stop_after;
}

static void begin(PerftRun *run, const PerftCase *c, PerftJob *job) {
    *run = (PerftRun){.stop_after = c->stop_after};
    *job = (PerftJob){.depth = c->depth, .hash_bytes = 1 << 22, .keys_seed = 1, .threads = c->threads};
    if (c->hash_bytes) job->hash_bytes = c->hash_bytes == UINT64_MAX ? 0 : c->hash_bytes;
    job->watch = wants_stop, job->context = run;
    assert_true(fen_parse(&job->root, c->fen, &run->error));
    run->net = simulated_network_create(c->net, &run->error);
    for (unsigned r = 0; r < c->net.ranks; r++) {
        const DistributedPerftJob perft_job = {.job = job,
                                               .transport = simulated_network_rank(run->net, r),
                                               .program = "test",
                                               .timeout = 0.5,
                                               .handshake_timeout = 0.5,
                                               .target_units = c->target_units,
                                               .private_tables = c->private_tables};
        run->rank[r] = distributed_perft_create(&perft_job, &run->state[r], &run->error);
        if (!run->rank[r]) fail_msg("%s", run->error.text);
    }
}

/* Takes turns until all that live are done. */
static void take_turns(PerftRun *run, const PerftCase *c) {
    unsigned running = c->net.ranks;
    for (unsigned round = 0; running && round < 50000000; round++) {
        if (c->dies < c->net.ranks && round == c->after) {
            if (run->last[c->dies] >= DISTRIBUTED_PERFT_DONE) fail_msg("rank %u was done before it could die", c->dies);
            simulated_network_kill(run->net, c->dies);
            run->last[c->dies] = DISTRIBUTED_PERFT_DONE, running--;
        }
        for (unsigned r = 0; r < c->net.ranks; r++) {
            if (run->last[r] >= DISTRIBUTED_PERFT_DONE) continue;
            run->last[r] = distributed_perft_step(run->rank[r], &run->error);
            running -= run->last[r] >= DISTRIBUTED_PERFT_DONE;
        }
    }
    if (running) fail_msg("%u ranks came to no end", running);
    run->tally = distributed_perft_stats(run->rank[0]);
}

static void end(PerftRun *run, const PerftCase *c) {
    for (unsigned r = 0; r < c->net.ranks; r++) {
        assert_true(distributed_perft_close(run->rank[r], &run->error));
        perft_state_free(&run->state[r]);
    }
    simulated_network_destroy(run->net);
}

static DistributedPerftStats exact(PerftCase c) {
    PerftRun run;
    PerftJob job;
    if (!c.dies) c.dies = NO_RANK_DIES;
    begin(&run, &c, &job);
    take_turns(&run, &c);
    if (run.last[0] != DISTRIBUTED_PERFT_DONE) fail_msg("%s", run.error.text);
    assert_true(run.state[0].complete);
    if (run.state[0].nodes != c.nodes)
        fail_msg("seed %u: %llu and not %llu", (unsigned)c.net.seed, (unsigned long long)run.state[0].nodes,
                 (unsigned long long)c.nodes);
    end(&run, &c);
    return run.tally;
}
