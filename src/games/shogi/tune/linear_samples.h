/* SPDX-License-Identifier: MIT */
/* The training set of the weights: positions as coefficients of the evaluation's terms, with result and score. */
#pragma once
#include <stddef.h>

#include "data/source.h"
#include "eval/evaluate.h"

/* The groups of a sample's coefficients, in the order in which they are stored. */
typedef enum {
    GROUP_SUMMED,
    GROUP_DANGER, /* of the king of colour 0; of the other */
    COEFFICIENT_GROUPS = GROUP_DANGER + 2
} CoefficientGroup;

/* One position. */
typedef struct {
    uint64_t first_coefficient;              /* index */
    uint16_t group_size[COEFFICIENT_GROUPS]; /* coefficients other than 0 */
    uint8_t phase;
    uint8_t result;     /* for white, in half points: 0, 1, 2 */
    float target;       /* expected score of white, 0 to 1 */
    float search_score; /* for white, centipawns */
} LinearSample;

typedef struct {
    uint16_t weight;
    int16_t value;
} LinearCoefficient;

typedef struct {
    LinearSample *sample;
    size_t count, capacity;
    LinearCoefficient *coefficient;
    size_t coefficient_count, coefficient_capacity;
    size_t records_read; /* quiet or not */
} LinearSamples;

/* Appends a sample to a set that began as all 0. False: out of memory. */
bool linear_samples_add(LinearSamples *s, const EvaluationTrace *trace, float score, int result);

/* Reads training data into *s, which needs no initialization, to the end of the source or a stop. Keeps quiet positions
   (quiet_record.h) with scores below 1500; a source without any is DATA_BAD_INPUT. The caller frees *s in any case. */
DataOutcome linear_samples_read(LinearSamples *s, DataSource *source, TabiaError *error);
void linear_samples_free(LinearSamples *s);
