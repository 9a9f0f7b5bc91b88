/* SPDX-License-Identifier: MIT */
/*
 * Counts entries of other positions that wait in the buckets of the opening's children (hazard.h). Looked for between
 * two games, when such a bucket is as the next game will find it. An entry that stays for many games counts once.
 */
#pragma once
#include "datagen/selfplay.h"

typedef struct HazardCandidates HazardCandidates;

/* NULL: no memory. */
HazardCandidates *hazard_candidates_create(void);
void hazard_candidates_destroy(HazardCandidates *c); /* NULL is allowed */

/* What to look for, and where: the children of positions[0 .. n). */
typedef struct {
    const TabiaTable *table; /* no whole of partitions */
    const Zobrist *zobrist;
    const Position *positions;
    unsigned n;
    int limit; /* of the score */
    unsigned draft;
} HazardQuestion;

/* Returns how many have come since the last call. */
uint64_t hazard_candidates_new(HazardCandidates *c, const HazardQuestion *q);
