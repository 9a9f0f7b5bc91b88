/* SPDX-License-Identifier: MIT */
/*
 * One UCI engine on the ranks of a job. A client talks to rank 0 and sees one engine:
 *
 *     client --> rank 0 ----- its lines, down a tree -----> ranks 1 .. P-1, each an engine that reads them
 *                   ^  <----- nodes up the tree; answers ------+
 *                   |
 *     every rank: threads that search the same root over a table that is spread over all ranks (tabia/cluster.h)
 *
 * Time, limits and ponder are rank 0's alone: the others search until it tells them to stop. Then each says how deep it
 * came and what it thinks; the deepest, and of these the highest score, is played.
 *
 * Every rank starts the same program. Not thread-safe: one call in a process.
 */
#pragma once
#include <stdio.h>

#include "base/fault.h"
#include "tabia/cluster.h"

typedef struct {
    TabiaTransport *transport; /* the caller's */
    const char *program;       /* name and version: the same on all ranks */
    FILE *in, *out;            /* the client's; rank 0 only */
    int store_depth;           /* entries of this depth and more go to their owners. 0: 5 */
    int ask_depth;             /* nodes of this depth and more are asked for. 0: 5 */
    double linger;             /* seconds that a message waits to be filled. 0: 0.0005 */
    double patience;           /* seconds after which a silent rank counts as dead. 0: 30 */
    bool private_tables;       /* nobody asks or tells anything about positions: for comparison */
} EnsembleWish;

/* The conversation, up to "quit" or the end of `in`; on the other ranks, until rank 0 says so or is silent for too
   long. False with a fault: the ranks do not agree, or there is no memory. *all_well: all ranks end in the same way
   now. */
bool ensemble_run(const EnsembleWish *wish, bool *all_well, Fault *fault);
