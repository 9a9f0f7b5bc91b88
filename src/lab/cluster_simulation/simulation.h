/* SPDX-License-Identifier: MIT */
/*
 * The distributed perft on a simulated cluster: the code of all its ranks, in one thread and in simulated time.
 *
 *     rank 0   |step...|.|step.|          |step..|          each rank has a clock (cluster/transport_simulated.h);
 *     rank 1   |step|   |step.....|rest|                    the rank whose clock is behind takes the next step
 *
 * A step takes what its work costs: so much for each position that it counted, each sibling set that it served for another
 * rank, each message and each byte. A rank without work rests as in a real run (distributed/perft/pacing.h). Ranks may die
 * or stop for a while. The same simulation gives the same run: SimulationResult.trace is a hash of all that was received.
 *
 * Not simulated: contention in the network, ranks of unequal speed, what rank 0 does before all ranks have met.
 */
#pragma once
#include "cluster/transport_simulated.h"
#include "distributed/perft/distributed_perft.h"

/* member, unit, default, what it is. Measured on this project's machine, messages between two ranks over loopback TCP with
   Open MPI 4.1.4 (docs/experiments/2026-11-23-model-of-the-cluster.md). */
#define SIMULATION_COSTS(X)                                                                                            \
    X(position, "ns", 119, "processor time of a position that no table knows")                                         \
    X(siblings, "ns", 200, "of each sibling set counted for another rank, beyond its positions and its bytes")         \
    X(message, "us", 12, "of a message, both ends together")                                                           \
    X(byte, "ns", 0.17, "of each of its bytes, both ends together")                                                    \
    X(poll, "us", 0.58, "of a poll")                                                                                   \
    X(wake, "us", 15, "to fall asleep and to wake up")                                                                 \
    X(latency, "us", 8.9, "from one rank to another, one way, without the wait for a poll")

typedef struct {
#define SIMULATION_COST_MEMBER(member, unit, value, text) double member;
    SIMULATION_COSTS(SIMULATION_COST_MEMBER)
#undef SIMULATION_COST_MEMBER
} SimulationCosts;

SimulationCosts simulation_costs_default(void);
/* "message=1.2,latency=50": sets the constants it names. False with an error for anything else; nothing is negative. */
bool simulation_costs_parse(SimulationCosts *c, const char *text, TabiaError *error);

enum { SIMULATION_RANKS_MAX = 4096 };

/* At `at` seconds of its own clock, or at its first step after that, a rank dies (pause 0) or stops for so long. */
typedef struct {
    unsigned rank;
    double at, pause;
} SimulationFault;

typedef struct {
    DistributedPerftJob job;         /* without its transport; of one thread */
    SimulatedNetworkOptions network; /* ranks, seed, delay, lost ...; what follows from the costs is filled in */
    SimulationCosts costs;
    const SimulationFault *fault;
    unsigned faults;
    double limit; /* seconds of simulated time, at which the run is given up */
    /* Called at each step of rank 0 with the share of work done; true gives the run up. May be NULL. */
    bool (*watch)(void *context, double share);
    void *context;
} Simulation;

typedef struct {
    unsigned ranks;
    bool is_over;     /* every rank that lives came to its end */
    bool is_complete; /* rank 0 says that all is counted */
    U128 nodes;
    double seconds;    /* of the count, in simulated time */
    double efficiency; /* the work on positions as a share of all ranks' time */
    double messaging;  /* that of messages, polls and sibling sets */
    double waiting;    /* the rest */
    uint64_t counted;  /* positions that no table knew */
    uint64_t messages, bytes;
    uint64_t trace;
    DistributedPerftStats stats;
} SimulationResult;

/* False with an error when memory is out, watch() gave the run up, or rank 0 failed or died. */
bool simulation_run(const Simulation *s, SimulationResult *result, TabiaError *error);
