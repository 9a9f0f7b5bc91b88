/* SPDX-License-Identifier: MIT */
/*
 * Logistic regression of the evaluation's weights: the expected score of white is 1 / (1 + exp(-k * evaluation)), and
 * the weights minimize the mean square error against the samples (Peter Österlund, "Texel's tuning method", 2014), by
 * gradient descent (Diederik Kingma and Jimmy Ba, "Adam", 2015).
 *
 * k is fitted first (expected_score.h). One sample in ten, in blocks of neighbours, is the validation set. The learning
 * rate is halved when the validation error no longer falls, and the weights with the least validation error are the
 * result.
 *
 * The positions of a game are correlated, so a set has less information than its size suggests. Regularization
 * therefore shrinks the difference of every weight from its initial value, and of weights that are neighbours in a row or
 * on the board (terms.h). Both weaken with the number of samples.
 */
#pragma once
#include "linear_model.h"

typedef struct {
    unsigned epochs;       /* at most */
    unsigned threads;      /* their number changes the last digits of the result */
    double result_weight;  /* of the game's result in the target, 0 to 1; the rest is the search's score */
    double regularization; /* gradient in tenths of a centipawn for each centipawn, divided by the number of samples */
    uint64_t seed;         /* of the order of samples */
} LinearFitOptions;

/* After each epoch, and once before the first (epoch 0). */
typedef struct {
    unsigned epoch;
    double error, validation_error, rate, k;
    size_t validation; /* size of the validation set; 0: too few samples, and validation_error is undefined */
} LinearFitReport;

/* Fits *fitted. report (may be NULL) returns false to end early; the best weights so far are the result. False with an
   error. */
bool linear_fit_run(LinearWeights *fitted, LinearSamples *samples, const LinearFitOptions *options,
                    bool (*report)(void *context, const LinearFitReport *report), void *context, TabiaError *error);

/* Writes weights.c, as an atomic file. */
bool linear_weights_write(const LinearWeights *fitted, const char *path, TabiaError *error);
