/* SPDX-License-Identifier: MIT */
/* What the weights are fitted to: positions as the evaluation's terms see them, with result and score. */
#pragma once
#include <stddef.h>

#include "data/source.h"
#include "eval/evaluate.h"

/* The kinds of coefficients of a sample, in the order in which they lie. */
typedef enum { PART_SUMMED, PART_WHITE_DANGER, PART_BLACK_DANGER, PART_INITIATIVE, PARTS } Part;

/* One position. */
typedef struct {
    uint64_t first;    /* where its coefficients begin */
    uint16_t n[PARTS]; /* how many of each kind are not 0 */
    uint8_t phase, scale;
    uint8_t result;     /* 0, 1, 2 half points for white */
    float target;       /* white's expected points, 0 to 1 */
    float target_score; /* the search's score for white, centipawns */
} Sample;

typedef struct {
    uint16_t weight;
    int16_t times;
} Coefficient;

typedef struct {
    Sample *sample;
    size_t n, room;
    Coefficient *coefficient;
    size_t coefficients, coefficient_room;
    size_t read; /* records of the file, quiet or not */
} Samples;

/* Begin with *s all 0. False: no memory. What is `special` has no coefficients and is left out. */
bool samples_add(Samples *s, const EvaluationTrace *trace, float score, int result);

/* Reads training data into *s, which needs no beginning, up to the end or a stop. Kept are quiet positions: not in
   check, the move neither takes nor queens, and nobody is winning yet; that there are none is an error of the input.
   Free *s in any case. */
DataOutcome samples_read(Samples *s, DataSource *source, TabiaError *error);
void samples_free(Samples *s);
