/* SPDX-License-Identifier: MIT */
/* What the weights are fitted to: positions as the evaluation's terms see them, with result and score. */
#pragma once
#include <stddef.h>

#include "base/fault.h"
#include "evaluate.h"

/* One position. */
typedef struct {
    uint64_t first; /* where its coefficients begin */
    uint16_t n;     /* how many are not 0 */
    uint8_t phase, scale;
    float target;       /* white's expected points, 0 to 1 */
    float target_score; /* the search's score for white, centipawns */
    uint8_t result;     /* 0, 1, 2 half points for white */
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
} Samples;

/* Reads a file of self_play's lines (play.h). False with a fault that names the line; free *s in any case. */
bool samples_read(Samples *s, const char *path, Fault *fault);
void samples_free(Samples *s);
