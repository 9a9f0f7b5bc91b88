/* SPDX-License-Identifier: MIT */
/*
 * Logistic regression of the evaluation's weights: the expected points of white are 1 / (1 + exp(-k * evaluation)), and
 * the weights are moved until the mean square error against the samples is least (Peter Österlund, "Texel's tuning
 * method", 2014), by gradients (Diederik Kingma and Jimmy Ba, "Adam", 2015). One sample in ten is kept aside, to see
 * whether what is learnt holds for others.
 */
#pragma once
#include "tuning/samples.h"

typedef struct {
    double middle[WEIGHTS], end[WEIGHTS];
} Fit;

typedef struct {
    unsigned epochs;
    double result_share; /* of the target that is the game's result; the rest is the search's score */
} FitOptions;

/* From the present weights. report (may be NULL) is called after each epoch with both errors. False with a fault. */
bool fit_weights(Fit *fit, Samples *samples, const FitOptions *options,
                 void (*report)(unsigned epoch, double error, double error_aside), Fault *fault);

/* Writes weights.c, whole or not at all. */
bool fit_write(const Fit *fit, const char *path, Fault *fault);
