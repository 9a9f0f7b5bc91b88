/* SPDX-License-Identifier: MIT */
#include "scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "perft/units.h"
#include "radix_sort.h"

/* Sorts by size, the larger first, and says how many of the first make up all the work but a 64th. */
static size_t sort_by_size(Scheduler *h, const Frontier *f, RadixItem *units) {
    enum { SIZE_MOST = (MOVES_MAX + 1) * (MOVES_MAX + 1) };
    uint64_t all = 0, before = 0;
    for (size_t i = 0; i < h->n; i++) {
        const uint32_t size = units_size(&f->position[h->unit[i]]);
        units[i] = (RadixItem){SIZE_MOST - size, h->unit[i]};
        all += size;
    }
    const RadixItem *sorted = radix_sort(units, units + h->n, h->n, SIZE_MOST);
    size_t large = 0;
    while (large < h->n && before < all - all / 64) before += SIZE_MOST - sorted[large++].key;
    for (size_t i = 0; i < h->n; i++) h->unit[i] = (uint32_t)sorted[i].what;
    return large;
}

/* Behind each other by home, and those of one home as they were. */
static void sort_by_home(const Scheduler *h, const uint16_t *home, size_t *begin, const uint32_t *from) {
    for (size_t i = 0; i < h->large; i++) begin[home[i] + 1]++;
    for (unsigned rank = 0; rank < h->ranks; rank++) {
        share_give(h->share + rank, begin[rank], begin[rank] + begin[rank + 1]);
        begin[rank + 1] += begin[rank];
    }
    for (size_t i = 0; i < h->large; i++) h->unit[begin[home[i]]++] = from[i];
}

static bool share_by_home(Scheduler *h, const SchedulerOptions *plan, Fault *fault) {
    size_t *begin = calloc(h->ranks + 1, sizeof *begin);
    uint32_t *unit = malloc((h->large + 1) * sizeof *unit);
    uint16_t *home = malloc((h->large + 1) * sizeof *home);
    const bool good = (begin && unit && home) || tabia_fault(fault, "not enough memory for %zu units of work", h->n);
    for (size_t i = 0; good && i < h->large; i++) {
        unit[i] = h->unit[i];
        home[i] = (uint16_t)partition_majority_owner(plan->homes, &h->f->position[unit[i]], plan->plies);
    }
    if (good) sort_by_home(h, home, begin, unit);
    free(begin);
    free(unit);
    free(home);
    return good;
}

static bool share_large(Scheduler *h, const SchedulerOptions *plan, Fault *fault) {
    if (!units_order(h->f, h->unit, h->large, fault)) return false;
    if (plan->homes) return share_by_home(h, plan, fault);
    share_out(h->share, h->ranks, h->large);
    return true;
}

bool scheduler_init(Scheduler *h, const Frontier *f, const uint32_t *unit, size_t n, const SchedulerOptions *plan,
                    Fault *fault) {
    *h = (Scheduler){.f = f, .n = n, .ranks = plan->ranks};
    h->unit = malloc((n + 1) * sizeof *h->unit);
    h->share = aligned_alloc(64, h->ranks * sizeof *h->share);
    RadixItem *units = malloc((2 * n + 1) * sizeof *units);
    const bool good =
        (h->unit && h->share && units) || tabia_fault(fault, "not enough memory for %zu units of work", n);
    if (good) {
        memcpy(h->unit, unit, n * sizeof *unit);
        const size_t large = sort_by_size(h, f, units);
        h->large = plan->merged ? large : 0;
    }
    free(units);
    return good && share_large(h, plan, fault);
}

int64_t scheduler_next(Scheduler *h, unsigned rank) {
    enum { EXPECTED = 8 }; /* units ahead, mostly this rank's too */
    if (h->given == h->n) return -1;
    const size_t next = h->given < h->large ? (size_t)share_take(h->share, h->ranks, rank) : h->given;
    h->given++;
    if (next + EXPECTED < h->n) frontier_expect(h->f, h->unit[next + EXPECTED]);
    return h->unit[next];
}

void scheduler_release(Scheduler *h) {
    free(h->unit);
    free(h->share);
}
