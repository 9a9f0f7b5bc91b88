/* SPDX-License-Identifier: MIT */
/*
 * Where each unit of the count is, and which goes out next.
 *
 *     waiting --next--> assigned --finish--> done
 *        ^                 |
 *        +---- requeue ----+          a late result of a unit that was requeued is welcome, and must be the same
 *
 * Units whose rank died, or whose result is overdue, are requeued: they go out again before all others. With a table the
 * others go out by locality key (units_order), in one range for each rank, of which the back half of the longest goes to
 * the rank that is done with its own (perft/work_queue.h): what one unit leaves in the tables is still there when the next
 * one asks. A rank's range are the units of whose children it owns most (partition.h), so that fewer moves travel. Without
 * a table units go out by size (units_size), because the rank that gets the last one holds up all the others.
 *
 *     rank 0 [ a a a b b ]  rank 1 [ c c d d d ]      with a table, by locality
 *     all    [ 9 8 7 7 5 4 2 2 1 ]                    without, by size
 *
 * Of one thread, that of rank 0.
 */
#pragma once
#include "partition.h"
#include "perft/units.h"

typedef struct Scheduler Scheduler;

typedef enum { UNIT_COUNTED, UNIT_REPEATED, UNIT_CONTRADICTED } UnitOutcome;

typedef struct {
    unsigned ranks;
    bool merged;             /* there is a table, which locality is for */
    const PartitionMap *map; /* NULL: the ranges are equal parts */
    int plies;               /* from the units to the leaf parents */
} SchedulerOptions;

/* *f must outlive it. NULL with an error when memory is out. */
Scheduler *scheduler_create(const Frontier *f, TabiaError *error);
void scheduler_destroy(Scheduler *s);

/* Opens the job's ledger for the frontier in *state; what it holds is done. NULL with an error. */
Ledger *scheduler_open_ledger(Scheduler *s, const PerftJob *job, PerftState *state, TabiaError *error);
/* Once, before next(): orders the units that are not done. The options are not needed afterwards. False with an error
   when memory is out. */
bool scheduler_order(Scheduler *s, const SchedulerOptions *options, TabiaError *error);

/* Assigns the next unit to a rank, at `seconds`; -1: all are assigned. */
int64_t scheduler_next(Scheduler *s, unsigned rank, double seconds);
/* Units that next() may still assign; of those that were requeued some may be done meanwhile. */
size_t scheduler_remaining(const Scheduler *s);

/* A result: new; the same as before; or another than before (then the old one stays). */
UnitOutcome scheduler_finish(Scheduler *s, size_t unit, U128 leaves);

/* Requeues the units assigned to a rank. How many they are. */
size_t scheduler_requeue_rank(Scheduler *s, unsigned rank);
/* Requeues the units assigned before that time. */
void scheduler_requeue_overdue(Scheduler *s, double seconds);
