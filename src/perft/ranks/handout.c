/* SPDX-License-Identifier: MIT */
#include "handout.h"

#include <stdlib.h>
#include <string.h>

#include "keyed.h"
#include "perft/units.h"

/* Sorts by size, the larger first, and says how many of the first make up all the work but a 64th. */
static size_t sort_by_size(Handout *h, const Frontier *f, Keyed *units) {
    enum { SIZE_MOST = (MOVES_MAX + 1) * (MOVES_MAX + 1) };
    uint64_t all = 0, before = 0;
    for (size_t i = 0; i < h->n; i++) {
        const uint32_t size = units_size(&f->position[h->unit[i]]);
        units[i] = (Keyed){SIZE_MOST - size, h->unit[i]};
        all += size;
    }
    const Keyed *sorted = keyed_sort(units, units + h->n, h->n, SIZE_MOST);
    size_t large = 0;
    while (large < h->n && before < all - all / 64) before += SIZE_MOST - sorted[large++].key;
    for (size_t i = 0; i < h->n; i++) h->unit[i] = (uint32_t)sorted[i].what;
    return large;
}

bool handout_begin(Handout *h, const Frontier *f, const uint32_t *unit, size_t n, unsigned ranks, bool merged,
                   Fault *fault) {
    *h = (Handout){.f = f, .n = n, .ranks = ranks};
    h->unit = malloc((n + 1) * sizeof *h->unit);
    h->share = aligned_alloc(64, ranks * sizeof *h->share);
    Keyed *units = malloc((2 * n + 1) * sizeof *units);
    const bool good =
        (h->unit && h->share && units) || tabia_fault(fault, "not enough memory for %zu units of work", n);
    if (good) {
        memcpy(h->unit, unit, n * sizeof *unit);
        const size_t large = sort_by_size(h, f, units);
        h->large = merged ? large : 0;
        share_out(h->share, ranks, h->large);
    }
    free(units);
    return good && units_order(f, h->unit, h->large, fault);
}

int64_t handout_next(Handout *h, unsigned rank) {
    enum { EXPECTED = 8 }; /* units ahead, mostly this rank's too */
    if (h->given == h->n) return -1;
    const size_t next = h->given < h->large ? (size_t)share_take(h->share, h->ranks, rank) : h->given;
    h->given++;
    if (next + EXPECTED < h->n) frontier_expect(h->f, h->unit[next + EXPECTED]);
    return h->unit[next];
}

void handout_end(Handout *h) {
    free(h->unit);
    free(h->share);
}
