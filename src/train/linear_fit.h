/* SPDX-License-Identifier: MIT */
/*
 * Logistic regression of the evaluation's weights: the expected points of white are 1 / (1 + exp(-k * evaluation)), and
 * the weights are moved until the mean square error against the samples is least (Peter Österlund, "Texel's tuning
 * method", 2014), by gradients (Diederik Kingma and Jimmy Ba, "Adam", 2015).
 *
 * k is fitted first, so that the searches' own scores foretell the results best: a centipawn keeps its meaning.
 * One sample in ten, whole games, is kept aside. The rate of learning is halved when the error there no longer falls,
 * and the weights that were best there are the result.
 *
 * Positions of one game say much the same, so data are fewer than they seem: every weight is pulled to where it began,
 * and weights that lie beside each other in a row or on the board (terms.h) to each other. Both pulls weaken as
 * samples become more.
 */
#pragma once
#include "linear_model.h"

typedef struct {
    unsigned epochs;     /* at most */
    unsigned threads;    /* the result depends on their number in the last digits */
    double result_share; /* of the target that is the game's result; the rest is the search's score */
    double pull;         /* a tenth of a centipawn's slope for each centipawn, over the number of samples */
    uint64_t seed;       /* of the order of samples */
} FitOptions;

/* After each epoch, and once before (epoch 0). */
typedef struct {
    unsigned epoch;
    double error, error_aside, rate, k;
    size_t aside; /* samples kept aside; 0: there were too few, and error_aside says nothing */
} FitReport;

/* Moves *fit. report (may be NULL) returns false to end the fit early, with what is best so far. False with an error. */
bool fit_weights(Fit *fit, Samples *samples, const FitOptions *options,
                 bool (*report)(void *context, const FitReport *report), void *context, TabiaError *error);

/* Writes weights.c, whole or not at all. */
bool fit_write(const Fit *fit, const char *path, TabiaError *error);
