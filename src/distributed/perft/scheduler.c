/* SPDX-License-Identifier: MIT */
#include "scheduler.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "perft/units.h"
#include "radix_sort.h"

/* Sorts by size, the larger first; returns how many of the first make up all the work but a 64th. */
static size_t sort_by_size(Scheduler *s, RadixItem *item) {
    enum { UNIT_SIZE_MAX = (MOVES_MAX + 1) * (MOVES_MAX + 1) };
    uint64_t all = 0, before = 0;
    for (size_t i = 0; i < s->n; i++) {
        const uint32_t size = units_size(&s->f->units.position[s->unit[i]]);
        assert(size > 0 && size <= UNIT_SIZE_MAX);
        item[i] = (RadixItem){UNIT_SIZE_MAX - size, s->unit[i]};
        all += size;
    }
    const RadixItem *sorted = radix_sort(item, item + s->n, s->n, UNIT_SIZE_MAX);
    size_t large = 0;
    while (large < s->n && before < all - all / 64) before += UNIT_SIZE_MAX - sorted[large++].key;
    for (size_t i = 0; i < s->n; i++) s->unit[i] = (uint32_t)sorted[i].value;
    return large;
}

/* A counting sort by owner, which keeps the order within each. begin: ranks + 1 zeros. */
static void sort_by_owner(const Scheduler *s, const uint16_t *owner, size_t *begin, const uint32_t *from) {
    for (size_t i = 0; i < s->large; i++) begin[owner[i] + 1]++;
    for (unsigned rank = 0; rank < s->ranks; rank++) {
        work_range_set(s->range + rank, begin[rank], begin[rank] + begin[rank + 1]);
        begin[rank + 1] += begin[rank];
    }
    for (size_t i = 0; i < s->large; i++) s->unit[begin[owner[i]]++] = from[i];
}

static bool split_by_owner(Scheduler *s, const SchedulerOptions *options, TabiaError *error) {
    size_t *begin = calloc(s->ranks + 1, sizeof *begin);
    uint32_t *unit = malloc((s->large + 1) * sizeof *unit);
    uint16_t *owner = malloc((s->large + 1) * sizeof *owner);
    const bool good = (begin && unit && owner) || tabia_fail(error, "not enough memory for %zu units of work", s->n);
    for (size_t i = 0; good && i < s->large; i++) {
        unit[i] = s->unit[i];
        owner[i] = (uint16_t)partition_majority_owner(options->map, &s->f->units.position[unit[i]], options->plies);
        assert(owner[i] < s->ranks);
    }
    if (good) sort_by_owner(s, owner, begin, unit);
    free(begin);
    free(unit);
    free(owner);
    return good;
}

static bool split_large(Scheduler *s, const SchedulerOptions *options, TabiaError *error) {
    if (!units_order(s->f, s->unit, s->large, error)) return false;
    if (options->map) return split_by_owner(s, options, error);
    work_ranges_divide(s->range, s->ranks, s->large);
    return true;
}

bool scheduler_init(Scheduler *s, const Frontier *f, const uint32_t *unit, size_t n, const SchedulerOptions *options,
                    TabiaError *error) {
    *s = (Scheduler){.f = f, .n = n, .ranks = options->ranks};
    s->unit = malloc((n + 1) * sizeof *s->unit);
    s->range = aligned_alloc(64, s->ranks * sizeof *s->range);
    RadixItem *item = malloc((2 * n + 1) * sizeof *item);
    const bool good = (s->unit && s->range && item) || tabia_fail(error, "not enough memory for %zu units of work", n);
    if (good) {
        memcpy(s->unit, unit, n * sizeof *unit);
        const size_t large = sort_by_size(s, item);
        s->large = options->merged ? large : 0;
    }
    free(item);
    return good && split_large(s, options, error);
}

int64_t scheduler_next(Scheduler *s, unsigned rank) {
    enum { AHEAD = 8 }; /* units that are prefetched, mostly of the same rank */
    assert(rank < s->ranks && s->assigned <= s->n);
    if (s->assigned == s->n) return -1;
    const size_t next = s->assigned < s->large ? (size_t)work_ranges_pop(s->range, s->ranks, rank) : s->assigned;
    assert(next < s->n);
    s->assigned++;
    if (next + AHEAD < s->n) frontier_prefetch(s->f, s->unit[next + AHEAD]);
    return s->unit[next];
}

void scheduler_release(Scheduler *s) {
    free(s->unit);
    free(s->range);
}
