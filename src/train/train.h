/* SPDX-License-Identifier: MIT */
/*
 * Fits the evaluation's network to positions: logistic regression as for the weights (fit.h), by gradients over small
 * batches (Kingma and Ba, "Adam", 2015) at a rate that falls along a cosine (Ilya Loshchilov and Frank Hutter, "SGDR",
 * 2017).
 *
 * A few million positions are not enough to teach a network what men are worth wherever they stand. So it first learns
 * what the sum of terms says of any number of positions, and then, from searches and results, what that does not know.
 *
 * One board in sixteen, whole runs of neighbours, is kept aside; what is written is the network of the last epoch.
 */
#pragma once
#include "gradients.h"

typedef struct {
    unsigned lesson_epochs; /* before the epochs: on lessons (lessons.h) alone */
    unsigned epochs;
    double lesson_share; /* of the boards in these that are made lessons */
    unsigned threads;    /* the result depends on their number in the last digits */
    double rate;         /* of learning, at the beginning */
    double later;        /* what part of it is left when lessons alone are over */
    const Network *from; /* where it begins; NULL: at random weights */
    double result_share; /* of the target that is the game's result; the rest is the search's score */
    uint64_t seed;       /* of the first weights and the order of boards */
} TrainOptions;

/* After each batch, with what is done of the epoch; the epoch's last has the errors too. */
typedef struct {
    unsigned epoch;                     /* from 1, those of lessons first */
    double error, error_aside, rate, k; /* error: of this epoch's batches as they came */
    size_t done, all;                   /* boards of this epoch */
    size_t aside;                       /* boards kept aside; 0: there were too few, and error_aside says nothing */
} TrainReport;

/* Fills *n. report (may be NULL) returns false to end with what has been learnt so far. False with an error. */
bool train_network(RealNetwork *n, const Boards *boards, const TrainOptions *options,
                   bool (*report)(void *context, const TrainReport *report), void *context, TabiaError *error);

/* Reads a network that train_write has written. */
bool train_read(Network *n, const char *path, TabiaError *error);

/* In whole numbers, the nearest that there are. */
void train_round(Network *rounded, const RealNetwork *n);

/* The same in real numbers. */
void train_unround(RealNetwork *n, const Network *rounded);

/* Writes network.bin, whole or not at all. */
bool train_write(const Network *n, const char *path, TabiaError *error);
