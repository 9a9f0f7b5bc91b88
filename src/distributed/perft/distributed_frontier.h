/* SPDX-License-Identifier: MIT */
/*
 * The frontier made by all ranks: each position has one owner, by its key, which finds out that it is the same as
 * another and adds up the paths that lead to it.
 *
 *     every rank   makes the first plies for itself (the base, some thousand positions), and expands its part of them
 *         |  CHILDREN: parent, its multiplicities, those of its moves that lead to positions of that owner
 *         v
 *     owners       merge what they get; each reports to rank 0 how many positions it has (PLY_SIZE)
 *         |        rank 0: NEXT_PLY, each expands its own; or gather
 *         v
 *     rank 0       gets of each position its least path and its multiplicities (GATHER), sorts and plays the paths, and
 *                  has the same units in the same order as frontier_make() would have made (frontier_gather.h)
 *
 * The order. frontier_make() numbers units in the order in which a breadth-first walk meets them: by the least parent,
 * then by the move. Hence by the least path of move numbers below the base, which travels with each child as its
 * origin, 9 bits per ply; an owner keeps the least it has seen. So a ledger holds for one process and for any number of
 * ranks.
 *
 * What may go wrong. A message doubled or out of order changes nothing. When a message is lost or a rank dies, rank 0
 * makes the frontier alone, once a rank is known to be dead or nothing more has come for the timeout.
 *
 * Rank 0 needs about half as long to sort and play what it gets as to make the frontier alone, so only a very large
 * frontier gains by it: docs/experiments, perft with a table.
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "perft/frontier.h"
#include "rank_context.h"
#include "wire.h"

typedef struct DistributedFrontier DistributedFrontier;

typedef struct {
    const Position *root;
    FrontierLimits limits;
    size_t moves_min; /* moves to be made below the base from which on it is distributed; 0: 1,000,000 */
} DistributedFrontierOptions;

/* All ranks come to the same decision: *f is NULL where rank 0 is to make the frontier alone. *rank must outlive it; its
   cluster and outbox are needed from the first step on. False with an error when memory is out. */
bool distributed_frontier_create(DistributedFrontier **f, const RankContext *rank,
                                 const DistributedFrontierOptions *options, TabiaError *error);
/* NULL is fine. */
void distributed_frontier_destroy(DistributedFrontier *f);

/* All ranks have met: silence counts from now on. */
void distributed_frontier_start(DistributedFrontier *f);

/* A piece of work, some tens of microseconds. False: there is none. */
bool distributed_frontier_step(DistributedFrontier *f);

/* A message: CHILDREN, PLY_SIZE, NEXT_PLY or GATHER. Malformed and repeated ones are ignored; NEXT_PLY counts from rank
   0 only, PLY_SIZE and GATHER on rank 0 only. */
void distributed_frontier_receive(DistributedFrontier *f, WireType type, unsigned from, const void *bytes, size_t n);

/* Of rank 0. When everything has come, fills *out, which is then the caller's to free, and returns true. *distributed:
   how many units the owners found; 0: the base is the frontier. */
bool distributed_frontier_finish(DistributedFrontier *f, Frontier *out, uint64_t *distributed);
/* Of rank 0: nothing has come for the timeout, or what came does not fit together. */
bool distributed_frontier_has_failed(const DistributedFrontier *f);
