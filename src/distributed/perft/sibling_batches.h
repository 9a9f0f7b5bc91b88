/* SPDX-License-Identifier: MIT */
/*
 * Batches of sibling sets on their way to the ranks that own the children, on the side of the rank that asks. A sibling
 * set is a position of a leaf-parent ply and those of its moves that lead to one owner.
 *
 *     asker (here)                                   owner (batch_server.h)
 *     open batch: set, set, ...   --- BATCH --->     a queue; each child: from its own table, or counted and stored
 *     batch in flight             <-- SUMS ----      one sum for each set
 *
 * A batch whose owner died, or that is not answered for four times the timeout, is recounted: this rank counts what it
 * asked for. A sum is used once, whatever is lost, doubled or late, because an answer must name a batch that is in
 * flight to its sender. To one owner at most BATCHES_PER_OWNER are in flight; a rank without a free batch does other
 * work first.
 *
 * Of one thread, the rank's first.
 */
#pragma once
#include "batch_server.h"
#include "leaf_parent.h"
#include "rank_context.h"

enum { BATCHES_MAX = 2048, BATCHES_PER_OWNER = 1024 };

typedef struct SiblingBatches SiblingBatches;

/* Where sums go: called once for each sibling set, from receive_sums(). */
typedef struct {
    void *context;
    void (*call)(void *context, LeafParentRef parent, U128 sum);
} SumCallback;

/* *rank must outlive the batches. NULL with an error when memory is out. */
SiblingBatches *sibling_batches_create(const RankContext *rank, SumCallback answered, TabiaError *error);
void sibling_batches_destroy(SiblingBatches *b);

/* Where the moves of the next set for an owner are written, with room for all of a position; NULL: no batch is free
   just now. May send the open batch of that owner when it is full or of another depth. */
Move *sibling_batches_reserve(SiblingBatches *b, unsigned owner, int child_depth);

/* Appends a set whose moves (1 to MOVES_MAX) were written where reserve() said. */
void sibling_batches_append(SiblingBatches *b, unsigned owner, const LeafParent *parent, unsigned moves);

/* Sends every open batch that is not empty. */
void sibling_batches_flush(SiblingBatches *b);

/* A SUMS message. What answers no batch in flight is ignored. */
void sibling_batches_receive_sums(SiblingBatches *b, unsigned from, const void *bytes, size_t n);

/* Has this rank's batch server count what was asked of the dead, or too long ago. */
void sibling_batches_recount_lost(SiblingBatches *b, BatchServer *server);

/* Adds sibling_sets_sent and sibling_sets_recounted. */
void sibling_batches_add_stats(const SiblingBatches *b, DistributedPerftStats *stats);
