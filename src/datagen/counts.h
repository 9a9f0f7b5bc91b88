/* SPDX-License-Identifier: MIT */
/* Statistics of generated games: of one game, or of a whole file. */
#pragma once
#include "adjudicate.h"

/* Member, description. */
#define DATAGEN_COUNTS(COUNT)                                                                                          \
    COUNT(games, "games")                                                                                              \
    COUNT(plies, "plies of these games, openings included")                                                            \
    COUNT(searched, "positions searched")                                                                              \
    COUNT(nodes, "nodes searched")                                                                                     \
    COUNT(openings_rejected, "openings whose first score was beyond --opening-limit")                                  \
    COUNT(white_wins, "games won by white")                                                                            \
    COUNT(draws, "games drawn")                                                                                        \
    COUNT(black_wins, "games won by black")                                                                            \
    COUNT(below_min_ply, "positions not written: before --write-min-ply")

typedef struct {
#define COUNT_MEMBER(name, words) uint64_t name;
    DATAGEN_COUNTS(COUNT_MEMBER)
#undef COUNT_MEMBER
#define LOSS_MEMBER(name, FIELD, words) uint64_t name;
    DATA_COUNTED_LOSSES(LOSS_MEMBER)
#undef LOSS_MEMBER
    uint64_t filtered[FILTERS_N];         /* positions not written, by the first filter that matches */
    uint64_t rejected[DATA_REJECTIONS_N]; /* positions that the format cannot encode, by reason */
    uint64_t terminations[TERMINATIONS_N];
} DatagenCounts;

/* Adds `more` to *sum. */
void datagen_counts_add(DatagenCounts *sum, const DatagenCounts *more);

/* Calls `visit` with the name and the value of each count, in a fixed order. */
typedef void DatagenCountVisitor(void *context, const char *name, uint64_t *value);
void datagen_counts_visit(DatagenCounts *counts, DatagenCountVisitor *visit, void *context);
