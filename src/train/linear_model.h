/* SPDX-License-Identifier: MIT */
/*
 * The evaluation once more, as a function of its weights: what a sample is worth, and how that changes with each
 * weight. A summed term is a straight line; a danger goes through its square (terms.h), the initiative stops where it
 * would turn an advantage around. The scale of an endgame stays what it was when the sample was made.
 */
#pragma once
#include "samples.h"

/* [weight][0]: middlegame, [1]: endgame. */
typedef struct {
    float weight[WEIGHTS][2];
} Fit;

/* From the weights that the evaluation has now. */
void fit_begin(Fit *fit);

/* Centipawns for white. */
float model_value(const Fit *fit, const Samples *s, const Sample *a);

/* Adds to slope[] by how much `by` times the value changes with each weight. */
void model_slopes(const Fit *fit, const Samples *s, const Sample *a, float by, float slope[][2]);
