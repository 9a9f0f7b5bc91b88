/* SPDX-License-Identifier: MIT */
/*
 * Splits the moves of a leaf-parent position by the ranks that own their children. A sibling set is such a position and
 * those of its moves that lead to one owner. One pass of the generator finds the moves and their owners, and writes each
 * where it is needed:
 *
 *     e2e4 ----------------> the open batch for owner 1
 *     b1c3 --> this rank --> a work item of its pool, with the key of what it leads to
 *     d2d4 ----------------> the same batch
 *
 *     asker (here)                                   owner (batch_server.h)
 *     open batch: set, set, ...   --- BATCH --->     a queue; each child: from its own table, or counted and stored
 *     batch in flight             <-- SUMS ----      one sum for each set
 *
 * A batch whose owner died, or that is not answered for four times the timeout, is recounted: this rank counts what it
 * asked for. A sum is used once, whatever is lost, doubled or late, because an answer must name the use of a batch that
 * is in flight to its sender, and no use has the number of another. A rank without a free batch does other work first.
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "batch_server.h"
#include "partition.h"
#include "rank_context.h"
#include "unit_group.h"
#include "worker_pool.h"

typedef struct BatchClient BatchClient;

/* Where sums go: called once for each sibling set that was sent, from batch_client_receive_sums(). */
typedef struct {
    void *context;
    void (*call)(void *context, LeafParentRef parent, U128 sum);
} SumCallback;

/* All pointers must outlive it; the map is read at each split. NULL with an error when memory is out. */
BatchClient *batch_client_create(const RankContext *rank, const PartitionMap *map, WorkerPool *pool,
                                 SumCallback answered, TabiaError *error);
void batch_client_destroy(BatchClient *s);

/* Sends a position's moves to their owners; the pool must have room for one item, which carries those whose owner is
   this rank. How many sums will come back (0: the position has no moves); -1, and nothing is done, if no batch is free
   for an owner. */
int batch_client_split(BatchClient *s, const LeafParent *parent);

/* Sends every open batch that is not empty. */
void batch_client_flush(BatchClient *s);

/* A SUMS message. What answers no batch in flight is ignored. */
void batch_client_receive_sums(BatchClient *s, unsigned from, const void *bytes, size_t n);

/* Has this rank's batch server count what was asked of the dead, or too long ago. Ranks that were dead and are alive again
   own what they owned before. */
void batch_client_recount_lost(BatchClient *s, BatchServer *server);

/* Adds sibling_sets_sent and sibling_sets_recounted. */
void batch_client_add_stats(const BatchClient *s, DistributedPerftStats *stats);
