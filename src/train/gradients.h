/* SPDX-License-Identifier: MIT */
/* The network in real numbers, as it is while it learns: what a board is worth, and how that changes with each weight.
 */
#pragma once
#include "batch_positions.h"

/* As Network, with 1 for 1. */
typedef struct {
    _Alignas(64) float input[NETWORK_INPUTS][NETWORK_WIDTH];
    float input_bias[NETWORK_WIDTH];
    float output[NETWORK_BUCKETS][2][NETWORK_WIDTH];
    float output_bias[NETWORK_BUCKETS];
    float unused[NETWORK_BUCKETS]; /* to whole cache lines */
} RealNetwork;
enum { REAL_WEIGHTS = sizeof(RealNetwork) / sizeof(float) };

/* What was computed of a board on the way to its value. */
typedef struct {
    BoardInputs inputs;
    int bucket;
    _Alignas(64) float sum[2][NETWORK_WIDTH];
} Thought;

/* The output for *b: 1 is NETWORK_SCALE centipawns for the side to move. */
float real_value(const RealNetwork *n, const Board *b, Thought *t);

/* Adds to *slopes by how much `by` times the value changes with each weight. *t is real_value's. */
void real_slopes(const RealNetwork *n, const Thought *t, float by, RealNetwork *slopes);
