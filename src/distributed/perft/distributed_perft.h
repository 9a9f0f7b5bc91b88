/* SPDX-License-Identifier: MIT */
/*
 * A whole perft on the ranks of a cluster.
 *
 * Rank 0 makes the units (perft/frontier.h), assigns them, adds up the results and keeps the ledger (coordinator.h), and
 * works as all others do (rank_worker.h). A rank expands units ply by ply, merging transpositions and without what its own
 * table knows, down to four plies from the end (unit_group.h). There every position's children have owners: the owner is a
 * hash of the pieces of the side that has just moved (partition.h). A position is sent to the owners of its children
 * (batch_client.h), each counts its own and answers the sum (batch_server.h).
 *
 * Why owners. The costly part is the last plies, whose positions are too many to be requested one by one (a request
 * costs as much as a tenth of the answer). Positions two plies from the end transpose between parents that differ in
 * the last move, so that the side that has not moved last stands the same in all of them, but for captures. Where that
 * side's pieces choose the owner, parents of one position meet on one rank, in its own table, and hardly anything is
 * counted twice: 1 to 2 % more on two ranks, where parents spread by a hash of the position would count 40 to 50 % more
 * (docs/cluster.md). It is transposition-driven scheduling (Romein, Plaat, Bal, Schaeffer, AAAI 1999) with a coarse
 * hash, applied one ply above the last that is expanded.
 *
 * What keeps the total exact: a unit's count is the sum of answers each of which came whole and is used once; what is
 * not answered is counted by the sender. The units of a worker that dies are assigned again; what was sent to it is
 * counted by the senders. If rank 0 dies, the others end with an error, and the next start resumes from the ledger.
 *
 * Nothing here waits: a step does a piece of work that takes microseconds to milliseconds, so that ranks of a simulated
 * network can take turns in one thread. One thread of each rank does all that is described here; further ones count
 * (worker_pool.h).
 */
#pragma once
#include <stdio.h>

#include "perft/run.h"
#include "tabia/cluster.h"

typedef struct {
    const PerftJob *job;       /* hash_bytes: of each rank. watch is called on rank 0 only; threads: of each rank,
                                  the same on all; 0: 1 */
    TabiaTransport *transport; /* the caller's */
    const char *program;       /* version of the program: must be the same on all ranks */
    double timeout;            /* seconds of silence after which a rank counts as dead. 0: 30 */
    double handshake_timeout;  /* seconds for all ranks to come. 0: 60 */
    size_t target_units;       /* the units stand no deeper than where there are so many. 0: as perft_run makes them */
    bool private_tables;       /* for comparison: no rank asks another, every rank counts alone */
    FILE *log;                 /* where rank 0 reports ranks that died; may be NULL */
    const char *log_name;      /* the program's name in these lines */
} DistributedPerftJob;

/* What a rank did; of all ranks that came to the end in an orderly way, once rank 0 is done. Travels as it is. */
typedef struct {
    unsigned ranks;                        /* whose figures these are */
    double cpu;                            /* seconds */
    uint64_t probes, hits, leaves_counted; /* as in PerftState */
    /* A sibling set is a position and those of its moves that lead to one owner: sent to another rank; counted for
       another rank; counted by the asker, because no answer came. */
    uint64_t sibling_sets_sent, sibling_sets_served, sibling_sets_recounted;
    uint64_t idle_steps;           /* steps without work */
    double frontier_seconds;       /* in which rank 0 made the frontier */
    TabiaClusterCounters messages; /* those of messages and polls; there are no others */
} DistributedPerftStats;

typedef struct DistributedPerft DistributedPerft;

typedef enum {
    DISTRIBUTED_PERFT_BUSY, /* there is more to do */
    DISTRIBUTED_PERFT_IDLE, /* nothing to do just now: the caller may sleep a little */
    DISTRIBUTED_PERFT_DONE,
    DISTRIBUTED_PERFT_FAILED, /* *error says why */
} DistributedPerftStatus;

/* Begins on this rank. *state (of rank 0 the whole count's, as perft_run leaves it; of others only figures of their
   own) must live until the end; free it by perft_state_free. *job is copied, what it points to is not. NULL with an
   error when it cannot be done. */
DistributedPerft *distributed_perft_create(const DistributedPerftJob *job, PerftState *state, TabiaError *error);

/* A piece of work. After DONE or FAILED only distributed_perft_stats, _is_orderly and _close may follow. */
DistributedPerftStatus distributed_perft_step(DistributedPerft *p, TabiaError *error);

/* Steps until the end, resting while there is nothing to do (pacing.h). DONE or FAILED. */
DistributedPerftStatus distributed_perft_run(DistributedPerft *p, TabiaError *error);

/* This rank's figures; on rank 0, when done, those of all. */
DistributedPerftStats distributed_perft_stats(const DistributedPerft *p);

/* Did all ranks come to the end together? Then they close in an orderly way (tabia_transport_close). */
bool distributed_perft_is_orderly(const DistributedPerft *p);

/* Closes ledger and tables. False with an error if the ledger could not be written. NULL is fine. */
bool distributed_perft_close(DistributedPerft *p, TabiaError *error);
