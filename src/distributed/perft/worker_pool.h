/* SPDX-License-Identifier: MIT */
/*
 * The thread pool of a rank. The first thread alone handles messages, unit groups and batches; what is to be counted it
 * submits as work items, and every thread counts them, the first too when it has nothing else to do:
 *
 *     first thread     acquire -> submit                            collect -> recycle
 *     all of them                   \-> waiting -> counted -> done ->/
 *
 * A work item is four plies and more of counting, so that queue overhead under one lock is negligible. A rank of one
 * thread goes the same way without the lock.
 *
 * Ownership. Items belong to the pool; between acquire and submit, and between collect and recycle, one is the first
 * thread's, while it is counted the counting thread's. The lock orders all hand-overs.
 */
#pragma once
#include "base/error.h"
#include "base/u128.h"
#include "perft/kernel.h"
#include "unit_group.h"

/* Where a sum belongs is the business of who submitted the item. */
typedef enum { WORK_UNIT, WORK_LEAF_PARENT, WORK_SIBLINGS } WorkItemType;

typedef struct WorkItem {
    struct WorkItem *next; /* the pool's */
    WorkItemType type;
    int depth;      /* plies below the position; with moves, below what each leads to */
    unsigned moves; /* 0: the position is counted whole */
    Position position;
    Key key;
    Move move[MOVES_MAX];
    Key child[MOVES_MAX]; /* keys of what the moves lead to */
    U128 sum;             /* leaves */
    uint64_t probes, hits, leaves_counted;
    uint64_t unit;        /* of WORK_UNIT */
    LeafParentRef parent; /* of WORK_LEAF_PARENT */
    void *batch;          /* of WORK_SIBLINGS: a batch of the batch server, */
    unsigned sibling_set; /* and which set of it */
} WorkItem;

typedef struct WorkerPool WorkerPool;

/* Starts threads - 1 threads (threads: 1 or more). What *context points to is shared and must outlive the pool; its
   stop flag ends counts soon. NULL with an error. */
WorkerPool *worker_pool_create(unsigned threads, const KernelContext *context, const PerftKernel *kernel,
                               TabiaError *error);
/* Waits for the threads; what was submitted and not collected is dropped. NULL is fine. */
void worker_pool_destroy(WorkerPool *pool);

/* The rest is for the first thread. */

/* Are so many items free? */
bool worker_pool_has_room(const WorkerPool *pool, unsigned items);
/* A free item, of which there must be one. Its contents are undefined. */
WorkItem *worker_pool_acquire(WorkerPool *pool);
void worker_pool_submit(WorkerPool *pool, WorkItem *item);
/* Counts one waiting item. False: there is none. */
bool worker_pool_help(WorkerPool *pool);
/* An item that is counted, or NULL. */
WorkItem *worker_pool_collect(WorkerPool *pool);
/* Gives back an item that was collected, or acquired and not submitted. */
void worker_pool_recycle(WorkerPool *pool, WorkItem *item);
