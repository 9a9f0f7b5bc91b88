/* SPDX-License-Identifier: MIT */
/*
 * The order in which units are assigned: the large ones first, because the rank that gets the last ones holds up all
 * the others.
 *
 * A unit's size is estimated by units_size(). The smallest units, which together are a 64th of the work, are set aside
 * for the end and go out from the largest down, to whichever rank requests one. The others go out before them, sorted
 * by locality key (units_order), in one range for each rank, of which the back half of the longest goes to the rank
 * that is done with its own (perft/work_queue.h): what one unit leaves in the tables is still there when the next one
 * asks. With small tables that is worth more than size: docs/experiments, "The order of the units on ranks". A rank's
 * range are the units of whose children it owns most (partition.h), so that fewer moves travel.
 *
 *     rank 0 [ a a a b b ]  rank 1 [ c c d d d ]      large, by locality
 *     all    [ 9 8 7 7 5 4 2 2 1 ]                    small, by size
 *
 * Of one thread.
 */
#pragma once
#include "partition.h"
#include "perft/frontier.h"
#include "perft/work_queue.h"

/* All zero before scheduler_init(). Its members are the scheduler's own; tests read `unit` and `large`. */
typedef struct {
    const Frontier *f;
    uint32_t *unit; /* those to be counted: `large` by locality, then the small ones by size */
    size_t n, large, assigned;
    WorkRange *range; /* of the large ones, for each rank */
    unsigned ranks;
} Scheduler;

typedef struct {
    unsigned ranks;
    bool merged;             /* there is a table, which locality is for; otherwise all go out by size */
    const PartitionMap *map; /* NULL: the ranges are equal parts */
    int plies;               /* from the units to the leaf parents */
} SchedulerOptions;

/* Takes n units of f, which must stay, numbers in any order; the array is copied, the options are not needed
   afterwards. False with an error when memory is out; scheduler_release() it in any case. */
bool scheduler_init(Scheduler *s, const Frontier *f, const uint32_t *unit, size_t n, const SchedulerOptions *options,
                    TabiaError *error);
/* The next unit for a rank, or -1 when all are assigned. */
int64_t scheduler_next(Scheduler *s, unsigned rank);
void scheduler_release(Scheduler *s);

INLINE size_t scheduler_remaining(const Scheduler *s) {
    return s->n - s->assigned;
}
