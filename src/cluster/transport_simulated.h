/* SPDX-License-Identifier: MIT */
/*
 * A simulated network of ranks in one process, for tests: messages are delayed, reordered, duplicated, lost and damaged
 * by a seeded random generator. The clock is simulated and advances by a fixed step at each poll of any rank, so that
 * whole runs are deterministic.
 *
 * With own_clocks each rank has a clock, which its polls, messages and simulated_network_advance() move. Whoever drives the
 * ranks always steps the one whose clock is behind all others: then no message comes from the future.
 *
 * Threads: one for all ranks of a network.
 */
#pragma once
#include "base/error.h"
#include "cluster/transport.h"

typedef struct {
    unsigned ranks;
    uint64_t seed;
    double step;    /* seconds that a poll or a reading of the clock takes. 0: 1e-6 */
    double delay;   /* the longest delay of a message in seconds; the shortest is 0, so that messages overtake */
    double latency; /* seconds, added to each delay */
    double message; /* processor seconds of a message at each end, with own_clocks, and */
    double byte;    /* of each of its bytes */
    bool own_clocks;
    unsigned lost;       /* messages of a million that never arrive */
    unsigned duplicated; /* of a million that arrive twice */
    unsigned damaged;    /* of a million in which one to three bits are flipped */
    unsigned capacity;   /* messages that may be in flight to one rank. 0: 64 */
} SimulatedNetworkOptions;

/* damaged: those that were delivered so. trace: a hash of who received how much from whom, and when. */
typedef struct {
    uint64_t sent, delivered, lost, duplicated, damaged, trace;
} SimulatedNetworkCounters;

typedef struct SimulatedNetwork SimulatedNetwork;

/* NULL with an error where memory is short. */
SimulatedNetwork *simulated_network_create(SimulatedNetworkOptions options, TabiaError *error);
/* Its transports need not be closed before. */
void simulated_network_destroy(SimulatedNetwork *network);

/* The transport of a rank, owned by the network: close() does nothing. */
TabiaTransport *simulated_network_rank(SimulatedNetwork *network, unsigned rank);

/* From now on nothing arrives from that rank, and messages to it are lost. */
void simulated_network_kill(SimulatedNetwork *network, unsigned rank);

/* With own_clocks: a rank's clock in seconds; and moves it on, as work or sleep does. */
double simulated_network_now(const SimulatedNetwork *network, unsigned rank);
void simulated_network_advance(SimulatedNetwork *network, unsigned rank, double seconds);

SimulatedNetworkCounters simulated_network_counters(const SimulatedNetwork *network);
