/* SPDX-License-Identifier: MIT */
/*
 * Splits the moves of a leaf-parent position by the ranks that own their children. One pass of the generator finds the
 * moves and their owners, and writes each where it is needed:
 *
 *     e2e4 ----------------> the open batch for owner 1
 *     b1c3 --> this rank --> a work item of its pool, with the key of what it leads to
 *     d2d4 ----------------> the same batch
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "partition.h"
#include "rank_context.h"
#include "sibling_batches.h"
#include "worker_pool.h"

typedef struct SiblingSplitter SiblingSplitter;

/* Called for each set that goes to another rank; may be NULL. */
typedef struct {
    TabiaClusterTrace *call;
    void *context;
} SplitterTrace;

/* All pointers must outlive the splitter; the map is read at each split. NULL with an error when memory is out. */
SiblingSplitter *sibling_splitter_create(const RankContext *rank, const PartitionMap *map, SiblingBatches *batches,
                                         WorkerPool *pool, TabiaError *error);
void sibling_splitter_destroy(SiblingSplitter *s);
void sibling_splitter_set_trace(SiblingSplitter *s, SplitterTrace trace);

/* Sends a position's moves to their owners; the pool must have room for one item, which carries those whose owner is
   this rank. How many sums will come back (0: the position has no moves); -1, and nothing is done, if no batch is free
   for an owner. */
int sibling_splitter_split(SiblingSplitter *s, const LeafParent *parent);

/* Ranks that were dead and are alive again own what they owned before. */
void sibling_splitter_restore_owners(SiblingSplitter *s);
