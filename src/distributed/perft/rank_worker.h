/* SPDX-License-Identifier: MIT */
/*
 * What every rank does, rank 0 too: it requests units from rank 0, expands them in groups, sends leaf parents to the
 * owners of their children, counts what others send, and reports finished units.
 *
 *     units -> unit groups -> batch client --> other ranks
 *                                  |                |
 *                                  v      sums      v
 *                             worker pool  <--  batch server
 *
 * The worker owns these modules and connects them. Of one thread, the rank's first.
 */
#pragma once
#include "distributed_perft.h"
#include "rank_context.h"
#include "wire.h"

typedef struct RankWorker RankWorker;

/* *rank, whose table, cluster and outbox are there, must outlive the worker; threads: 1 or more. NULL with an error. */
RankWorker *rank_worker_create(const RankContext *rank, unsigned threads, TabiaError *error);
/* Waits for the threads; the rank's stop flag is set. NULL is fine. */
void rank_worker_destroy(RankWorker *w);

/* All ranks have met: processor time counts from here on. */
void rank_worker_start(RankWorker *w);

/* Messages. Malformed ones are ignored. */
void rank_worker_receive_partition(RankWorker *w, const void *bytes, size_t n);
void rank_worker_receive_units(RankWorker *w, const void *bytes, size_t n);
void rank_worker_receive_batch(RankWorker *w, unsigned from, const void *bytes, size_t n);
void rank_worker_receive_sums(RankWorker *w, unsigned from, const void *bytes, size_t n);

/* Sends reports and requests for units when they are due. */
void rank_worker_report(RankWorker *w);

/* Submits up to so many rounds of work, each a sibling set of another rank and a leaf parent of this one (or a unit),
   then counts. False: there was nothing to do. */
bool rank_worker_step(RankWorker *w, unsigned rounds);

/* Recounts here what was sent to dead or silent ranks. */
void rank_worker_recount_lost(RankWorker *w);

/* Adds this rank's figures: processor time, probes, hits, sibling sets. */
void rank_worker_add_stats(const RankWorker *w, DistributedPerftStats *stats);
