/* SPDX-License-Identifier: MIT */
#include "handout.h"

#include <stdlib.h>
#include <string.h>

#include "perft/units.h"

typedef struct {
    uint32_t size, unit;
} Sized;

/* From the lowest digit up, each time in the order that was; the result is in `sized`. Sizes have two digits. */
static void sort_larger_first(Sized *sized, Sized *spare, size_t n) {
    enum { DIGIT_BITS = 10, DIGITS = 1 << DIGIT_BITS };
    for (unsigned shift = 0; shift < 2 * DIGIT_BITS; shift += DIGIT_BITS) {
        size_t begin[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++) begin[DIGITS - (sized[i].size >> shift) % DIGITS]++;
        for (size_t d = 0; d < DIGITS; d++) begin[d + 1] += begin[d];
        for (size_t i = 0; i < n; i++) spare[begin[DIGITS - 1 - (sized[i].size >> shift) % DIGITS]++] = sized[i];
        Sized *other = sized;
        sized = spare, spare = other;
    }
}

/* Sorts by size, and says how many of the first make up all the work but a 64th. */
static size_t sort_by_size(Handout *h, const Frontier *f, Sized *sized) {
    uint64_t all = 0, before = 0;
    for (size_t i = 0; i < h->n; i++) {
        sized[i] = (Sized){units_size(&f->position[h->unit[i]]), h->unit[i]};
        all += sized[i].size;
    }
    sort_larger_first(sized, sized + h->n, h->n);
    size_t large = 0;
    while (large < h->n && before < all - all / 64) before += sized[large++].size;
    for (size_t i = 0; i < h->n; i++) h->unit[i] = sized[i].unit;
    return large;
}

bool handout_begin(Handout *h, const Frontier *f, const uint32_t *unit, size_t n, unsigned ranks, bool merged,
                   Fault *fault) {
    *h = (Handout){.n = n, .ranks = ranks};
    h->unit = malloc((n + 1) * sizeof *h->unit);
    h->share = aligned_alloc(64, ranks * sizeof *h->share);
    Sized *sized = malloc((2 * n + 1) * sizeof *sized);
    const bool good =
        (h->unit && h->share && sized) || tabia_fault(fault, "not enough memory for %zu units of work", n);
    if (good) {
        memcpy(h->unit, unit, n * sizeof *unit);
        const size_t large = sort_by_size(h, f, sized);
        h->large = merged ? large : 0;
        share_out(h->share, ranks, h->large);
    }
    free(sized);
    return good && units_order(f, h->unit, h->large, fault);
}

int64_t handout_next(Handout *h, unsigned rank) {
    if (h->given == h->n) return -1;
    int64_t next = h->given < h->large ? share_take(h->share, h->ranks, rank) : (int64_t)h->given;
    h->given++;
    return h->unit[next];
}

void handout_end(Handout *h) {
    free(h->unit);
    free(h->share);
}
