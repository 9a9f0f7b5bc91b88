/* SPDX-License-Identifier: MIT */
/*
 * A step of training: the gradient of the error over a batch, by backpropagation, and a change of all weights by it
 * (Diederik Kingma and Jimmy Ba, "Adam", 2015). The error of a position is the square of expected score less target.
 *
 * The result is the same bytes for any number of threads: each thread sums the gradients of columns of its own, over all
 * positions in their order.
 *
 *     positions, a share each:  forward   -> accumulators and errors of a group of positions
 *     columns, a share each:    backward  -> gradients           (and the next group)
 *     columns, a share each:    Adam      -> weights
 *
 * Threads: a stepper belongs to one thread at a time, and uses as many as it was made for.
 */
#pragma once
#include "base/error.h"
#include "float_network.h"
#include "sample.h"

/* Adam's moments of all weights, and the steps that they are made of. */
typedef struct {
    float mean[FLOAT_NETWORK_WEIGHTS], square[FLOAT_NETWORK_WEIGHTS];
    uint64_t steps;
} NetworkMoments;

/* The expected score that is to be learned for sample `number` of the batch. May put another position into *sample.
   Called by any of the threads, `worker` of them. */
typedef double NetworkTarget(void *context, unsigned worker, size_t number, TrainSample *sample);

typedef struct {
    const TrainSample *sample;
    size_t count;
    double k;    /* expected score of a centipawn (expected_score.h) */
    double rate; /* learning rate, of a step */
    NetworkTarget *target;
    void *context; /* of target */
} NetworkBatch;

typedef struct NetworkStepper NetworkStepper;

/* NULL with an error. */
NetworkStepper *network_stepper_create(unsigned threads, TabiaError *error);
void network_stepper_destroy(NetworkStepper *s); /* NULL is allowed */

/* One step. Adds the errors of the batch to *error_sum. False with an error: no threads. */
bool network_step(NetworkStepper *s, FloatNetwork *n, NetworkMoments *moments, const NetworkBatch *batch,
                  double *error_sum, TabiaError *error);

/* Adds the errors of the batch to *error_sum, and changes nothing. False with an error: no threads. */
bool network_errors(NetworkStepper *s, const FloatNetwork *n, const NetworkBatch *batch, double *error_sum,
                    TabiaError *error);
