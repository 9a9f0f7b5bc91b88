/* SPDX-License-Identifier: MIT */
/*
 * In which order units go out: the large ones first, because whoever gets the last ones holds up all the others.
 *
 * A unit's size is estimated by units_size(). The smallest units, which together have a 64th of the work, are set aside
 * for the end and go out from the largest down, to whoever asks. The others go out before them by kinship, in one range
 * for each rank, of which the back half of the longest goes to whoever is done with its own (perft/work_queue.h): what
 * one unit leaves in the tables is still there when the next one asks. With small tables that is worth more than size:
 * docs/experiments, "The order of the units on ranks". A rank's range are the units most of whose moves lead home to
 * it (home.h), so that fewer moves travel.
 *
 *     rank 0 [ a a a b b ]  rank 1 [ c c d d d ]      large, by kinship
 *     all    [ 9 8 7 7 5 4 2 2 1 ]                    small, by size
 */
#pragma once
#include "partition.h"
#include "perft/frontier.h"
#include "perft/work_queue.h"

typedef struct {
    const Frontier *f;
    uint32_t *unit; /* those still to be counted: `large` by kinship, then the small ones by size */
    size_t n, large, given;
    Share *share; /* of the large ones, for each rank */
    unsigned ranks;
} Scheduler;

typedef struct {
    unsigned ranks;
    bool merged;               /* there is a table, which kinship is for; otherwise all go out by size */
    const PartitionMap *homes; /* NULL: the ranges are equal parts */
    int plies;                 /* from the units to the parents of what goes home */
} SchedulerOptions;

/* Takes n units of f, which must stay, numbers in any order; the array is copied. The plan is not needed afterwards.
   False with a fault when memory is out; scheduler_release() it in any case. */
bool scheduler_init(Scheduler *h, const Frontier *f, const uint32_t *unit, size_t n, const SchedulerOptions *plan,
                    Fault *fault);
/* The next unit for a rank, or -1 when all are out. */
int64_t scheduler_next(Scheduler *h, unsigned rank);
void scheduler_release(Scheduler *h);

INLINE size_t scheduler_remaining(const Scheduler *h) {
    return h->n - h->given;
}
