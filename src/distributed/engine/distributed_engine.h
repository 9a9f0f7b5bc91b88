/* SPDX-License-Identifier: MIT */
/*
 * One UCI engine on the ranks of a job. A client talks to rank 0 and sees one engine:
 *
 *     client --> rank 0 --- its commands ---------------> ranks 1 .. P-1, each an engine that reads them
 *                   ^  <--- node counts, results -------------------------+
 *                   |
 *     every rank: threads that search the same root over a table distributed over all ranks (tabia/cluster.h)
 *
 * Time, limits and pondering belong to rank 0 alone: the others search until it stops them. Then each sends its depth,
 * score and moves; the deepest result, among these the highest score, is played.
 *
 * Every rank starts the same program. One call in a process; not thread-safe.
 */
#pragma once
#include <stdio.h>

#include "base/error.h"
#include "search/search.h"
#include "tabia/cluster.h"

typedef struct {
    TabiaTransport *transport; /* the caller's */
    const char *program;       /* name and version: the same on all ranks */
    FILE *in, *out;            /* the client's; rank 0 only */
    const Network *network;    /* the caller's; NULL: the one that is built in. The same on all ranks */
    int store_depth;           /* entries of this depth and more go to their owners. 0: 5 */
    int probe_depth;           /* nodes of this depth and more are requested from their owners. 0: 5 */
    double batching_delay;     /* seconds that a message waits to be filled. 0: 0.0005 */
    double timeout;            /* seconds of silence after which a rank counts as dead. 0: 30 */
    bool private_tables;       /* no probes and stores between ranks: for comparison */
    bool unserved;             /* searching threads receive no messages: for comparison */
} DistributedEngineOptions;

/* Runs the UCI loop up to "quit" or the end of `in`; on the other ranks until rank 0 ends or is silent for the timeout.
   False with an error: the ranks do not agree, or memory is short. *orderly: all ranks end in the same way now, so that
   the transport may be closed by all together. */
bool distributed_engine_run(const DistributedEngineOptions *options, bool *orderly, TabiaError *error);
