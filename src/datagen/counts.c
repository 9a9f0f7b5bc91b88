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
        snprintf(name, sizeof name, "filtered_%s", filter_name(i));
        visit(context, name, &counts->filtered[i]);
    }
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) {
        snprintf(name, sizeof name, "rejected_%s", data_rejection_name(i));
        visit(context, name, &counts->rejected[i]);
    }
    for (unsigned i = 0; i < TERMINATIONS_N; i++) {
        snprintf(name, sizeof name, "termination_%s", termination_name(i));
        visit(context, name, &counts->terminations[i]);
    }
}

void datagen_counts_add(DatagenCounts *sum, const DatagenCounts *more) {
#define ADD_COUNT(name, words) sum->name += more->name;
    DATAGEN_COUNTS(ADD_COUNT)
#undef ADD_COUNT
#define ADD_LOSS(name, FIELD, words) sum->name += more->name;
    DATA_COUNTED_LOSSES(ADD_LOSS)
#undef ADD_LOSS
    for (unsigned i = 0; i < FILTERS_N; i++) sum->filtered[i] += more->filtered[i];
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) sum->rejected[i] += more->rejected[i];
    for (unsigned i = 0; i < TERMINATIONS_N; i++) sum->terminations[i] += more->terminations[i];
}
