/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <stdio.h>

#include "filter.h"

void datagen_counts_visit(DatagenCounts *counts, DatagenCountVisitor *visit, void *context) {
#define VISIT_COUNT(name, words) visit(context, #name, &counts->name);
    DATAGEN_COUNTS(VISIT_COUNT)
#undef VISIT_COUNT
#define VISIT_LOSS(name, FIELD, words) visit(context, #name, &counts->name);
    DATA_COUNTED_LOSSES(VISIT_LOSS)
#undef VISIT_LOSS
    char name[40];
    for (unsigned i = 0; i < FILTERS_N; i++) {
        snprintf(name, sizeof name, "filtered_%s", datagen_filters[i].name);
        visit(context, name, &counts->filtered[i]);
    }
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) {
        snprintf(name, sizeof name, "rejected_%s", data_rejections[i].name);
        visit(context, name, &counts->rejected[i]);
    }
    for (unsigned i = 0; i < TERMINATIONS_N; i++) {
        snprintf(name, sizeof name, "termination_%s", datagen_terminations[i].name);
        visit(context, name, &counts->terminations[i]);
    }
}

void datagen_counts_add(DatagenCounts *sum, const DatagenCounts *more) {
    uint64_t *to = (uint64_t *)sum; /* a count has no other member */
    const uint64_t *from = (const uint64_t *)more;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++) to[i] += from[i];
}
