/* SPDX-License-Identifier: MIT */
/*
 * Trains the evaluation's network: logistic regression as for the weights (linear_fit.h), by gradient descent over
 * batches (Kingma and Ba, "Adam", 2015) with a learning rate that falls along a cosine (Ilya Loshchilov and Frank Hutter,
 * "SGDR", 2017).
 *
 * A few million positions are not enough to learn the value of pieces on all squares. So the network is first trained on
 * synthetic samples (synthetic_samples.h), labelled by the hand-written evaluation, and then on scores and results.
 *
 * One position in sixteen, in blocks of neighbours, is the validation set. The result is the network of the last epoch.
 */
#pragma once
#include "float_network.h"

typedef struct {
    unsigned synthetic_epochs; /* before the others: on synthetic samples only */
    unsigned epochs;
    double synthetic_fraction; /* of the positions of `epochs` that are replaced by synthetic samples, 0 to 1 */
    unsigned threads;          /* their number changes the last digits of the result */
    double rate;               /* initial learning rate */
    double finetune_rate;      /* factor on the rate after the synthetic epochs */
    const Network *from;       /* initial weights; NULL: random */
    double result_weight;      /* of the game's result in the target, 0 to 1; the rest is the search's score */
    uint64_t seed;             /* of the random weights and the order of positions */
} TrainOptions;

/* After each batch; the report after the last batch of an epoch has the errors too. */
typedef struct {
    unsigned epoch;                          /* from 1, synthetic epochs first */
    double error, validation_error, rate, k; /* error: mean over the batches of this epoch */
    size_t done, all;                        /* positions of this epoch */
    size_t validation; /* size of the validation set; 0: too few positions, and validation_error is undefined */
} TrainReport;

/* Trains *n. report (may be NULL) returns false to end with the weights so far. False with an error. */
bool train_network(FloatNetwork *n, const TrainPositions *positions, const TrainOptions *options,
                   bool (*report)(void *context, const TrainReport *report), void *context, TabiaError *error);

/* Rounds to the integers of the engine's network. */
void network_quantize(Network *quantized, const FloatNetwork *n);

/* The same weights in floating point. */
void network_dequantize(FloatNetwork *n, const Network *quantized);
