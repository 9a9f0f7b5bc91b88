/* SPDX-License-Identifier: MIT */
/*
 * Ranks in one process, for tests: a net whose messages are late, out of order, doubled, lost and damaged as a seed
 * says. The clock is the net's own and goes on by a fixed step at each poll of any rank, so that whole runs repeat to
 * the bit.
 *
 * Threads: one for all ranks of a net.
 */
#pragma once
#include "base/fault.h"
#include "cluster/transport.h"

typedef struct {
    unsigned ranks;
    uint64_t seed;
    double step;      /* seconds that a poll or a look at the clock takes. 0: 1e-6 */
    double delay;     /* most seconds that a message is under way; the least is 0, so that they overtake each other */
    unsigned lost;    /* messages of a million that never arrive */
    unsigned doubled; /* of a million that arrive twice */
    unsigned damaged; /* of a million in which one to three bits arrive turned */
    unsigned room;    /* messages that may be under way to one rank. 0: 64 */
} LabWish;

/* What the net did. Damaged are those that were delivered so. */
typedef struct {
    uint64_t sent, delivered, lost, doubled, damaged;
} LabTally;

typedef struct LabNet LabNet;

/* NULL with a fault where memory is out. */
LabNet *lab_net_new(LabWish wish, Fault *fault);
/* After all its transports have been closed, or without that. */
void lab_net_free(LabNet *net);

/* The transport of a rank, owned by the net: close() does nothing. */
TabiaTransport *lab_net_rank(LabNet *net, unsigned rank);

/* From now on nothing comes from that rank, and what is sent to it is lost. */
void lab_net_kill(LabNet *net, unsigned rank);

LabTally lab_net_tally(const LabNet *net);
