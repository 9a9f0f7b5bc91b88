/* SPDX-License-Identifier: MIT */
/*
 * The threads of a rank. The first alone is at messages, groups and letters; what is to be counted it lays out, and
 * whoever is free counts it, the first too when nothing else is to be done:
 *
 *     first thread     blank -> laid out                  collected: sums to units, groups and letters
 *     all of them                  \-> taken, counted, put back ->/
 *
 * An errand is four plies and more of counting, so that its way under one lock is short beside it. A rank of one
 * thread goes the same way, alone and without the lock. Errands are the crew's; between blank and lay_out, and between
 * collect and give_back, one belongs to the first thread, else to whoever holds it.
 */
#pragma once
#include <pthread.h>

#include "base/fault.h"
#include "base/u128.h"
#include "perft/kernel.h"

/* Where a sum belongs is the affair of who laid it out (core.h). */
typedef enum { WORK_UNIT, WORK_LEAF_PARENT, WORK_SIBLINGS } WorkItemKind;

typedef struct WorkItem {
    struct WorkItem *next;
    WorkItemKind kind;
    int depth;      /* of the position; with moves, of what each leads to */
    unsigned moves; /* 0: the position is counted whole */
    Position position;
    Key key;
    Move move[MOVES_MAX];
    Key child[MOVES_MAX]; /* keys of what the moves lead to */
    U128 sum;
    uint64_t probes, hits;
    void *of;        /* the group or the task */
    uint64_t number; /* of the unit, the position of the floor, the family of the task */
} WorkItem;

typedef struct {
    CountContext context; /* as each begins */
    const PerftKernel *kernel;
    unsigned threads, started; /* started: besides the first */
    pthread_t *thread;
    WorkItem *errand, *blank; /* all; those that are free */
    unsigned blanks;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t more;
    WorkItem *waiting, **last, *counted;
    unsigned asleep;
    bool over;
} WorkerPool;

/* Starts threads - 1 of them. *context and the kernel are shared; the stop flag ends counts soon. False with a fault; in any
   case end by worker_pool_release. */
bool worker_pool_init(WorkerPool *c, unsigned threads, const CountContext *context, const PerftKernel *kernel,
                      Fault *fault);
/* Waits for the threads. What was laid out and not collected is lost. */
void worker_pool_release(WorkerPool *c);

/* Of the first thread. */
bool worker_pool_has_room(const WorkerPool *c, unsigned errands);
WorkItem *worker_pool_acquire(WorkerPool *c); /* there must be room */
void worker_pool_submit(WorkerPool *c, WorkItem *e);
/* Counts one that waits. False: none does. */
bool worker_pool_help(WorkerPool *c);
/* One that is counted, or NULL. */
WorkItem *worker_pool_collect(WorkerPool *c);
void worker_pool_recycle(WorkerPool *c, WorkItem *e);
