/* SPDX-License-Identifier: MIT */
/*
 * The sum of terms as a function of its weights: the value of a sample, and its gradient by each weight. A summed term is
 * linear; the danger of a king enters by its square (terms.h).
 */
#pragma once
#include "linear_samples.h"

/* [weight][0]: middlegame, [1]: endgame. */
typedef struct {
    float weight[WEIGHTS][2];
} LinearWeights;

/* Sets the weights that the evaluation has now. */
void linear_weights_init(LinearWeights *fitted);

/* The value of a sample in centipawns for white. */
float linear_model_evaluate(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *sample);

/* Adds `factor` times the gradient of the value by each weight to gradient[]. */
void linear_model_gradients(const LinearWeights *fitted, const LinearSamples *s, const LinearSample *sample,
                            float factor, float gradient[][2]);
