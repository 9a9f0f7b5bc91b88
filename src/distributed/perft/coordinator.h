/* SPDX-License-Identifier: MIT */
/*
 * Rank 0's other part: it assigns the units of the whole count to ranks, and adds up their results.
 *
 *     frontier -> scheduler -> UNITS to the requesting rank -> RESULTS -> scheduler, ledger, sums
 *
 * What is assigned at a time is what that rank does in a quarter of a second, and less towards the end, so that no rank
 * waits for another's last unit. A unit's result counts when it is in the ledger. The units of a rank that is silent
 * for the timeout go to others first (scheduler.h). Towards the end, units that are out for longer
 * than the timeout are assigned a second time: a message may have been lost.
 *
 * Of one thread, that of rank 0.
 */
#pragma once
#include <stdio.h>

#include "rank_context.h"
#include "wire.h"

typedef struct Coordinator Coordinator;

typedef struct {
    const PerftJob *job;
    PerftState *state; /* the whole count's: frontier, sums, figures; written by the coordinator */
    FrontierLimits limits;
    FILE *log; /* where ranks that died are reported; may be NULL */
    const char *log_name;
} CoordinatorOptions;

/* *rank and what the options point to must outlive it. NULL with an error when memory is out. */
Coordinator *coordinator_create(const RankContext *rank, const CoordinatorOptions *options, TabiaError *error);
/* Closes the ledger. False with an error when it could not be written. NULL is fine. */
bool coordinator_close(Coordinator *c, TabiaError *error);

/* Makes the frontier, and lists what the ledger does not hold of it. False with an error. */
bool coordinator_make_units(Coordinator *c, TabiaError *error);

/* All ranks have met: the count's time begins. */
void coordinator_start(Coordinator *c);

/* Messages, while the ranks count. Malformed ones are ignored. */
void coordinator_receive_request(Coordinator *c, unsigned from, bool wants_map);
void coordinator_receive_results(Coordinator *c, unsigned from, const void *bytes, size_t n);
/* The last message of a worker, after coordinator_finish(). */
void coordinator_receive_stats(Coordinator *c, unsigned from, const void *bytes, size_t n);

/* A user asked for the end, on whichever rank. */
void coordinator_stop(Coordinator *c);

/* While the ranks count. True: all units are done, or the run is stopped or failed: coordinator_finish() follows. */
bool coordinator_step(Coordinator *c);
/* Ends the count on all ranks. own: the figures of rank 0. */
void coordinator_finish(Coordinator *c, const DistributedPerftStats *own);
/* Have all living ranks sent their last message, or is it overdue? Then they close: the end. */
bool coordinator_is_over(Coordinator *c);

/* Has a rank died or come too late? */
bool coordinator_lost_rank(const Coordinator *c);
/* The figures of all ranks, once it is over. */
DistributedPerftStats coordinator_stats(const Coordinator *c);
