/* SPDX-License-Identifier: MIT */
/*
 * Divides numbered units of work among threads, by work stealing.
 *
 * Each worker owns a range of units, one atomic word (begin | end << 32), on a cache line of its own. It pops from the
 * front, so that it counts neighbours, whose trees have much in common. A worker whose range is empty steals the back
 * half of the largest range:
 *
 *       worker 0   [ . . . . 5 6 7 | 8 9 10 ]        worker 1   [ ]
 *                                   \______________________________/
 *
 * A unit is in one range at a time and never comes back, so a word that has not changed still means the same units:
 * compare-and-swap is enough. Relaxed order will do: a range publishes nothing but itself.
 */
#pragma once
#include <stdatomic.h>

#include "base/bits.h"

typedef struct {
    _Atomic uint64_t range;
} __attribute__((aligned(64))) WorkRange;

/* Gives each of n workers a range of the units 0 .. units - 1 (fewer than 2^32). Before the workers start. */
void work_ranges_divide(WorkRange *ranges, unsigned n, uint64_t units);

/* Gives one worker the units begin .. end - 1. Before the workers start. */
void work_range_set(WorkRange *range, uint64_t begin, uint64_t end);

/* The next unit for that worker, own or stolen; -1 if there is none left anywhere. */
int64_t work_ranges_pop(WorkRange *ranges, unsigned n, unsigned worker);
