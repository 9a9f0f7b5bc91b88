/* SPDX-License-Identifier: MIT */
#include "train.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "expected_score.h"
#include "sample_order.h"
#include "synthetic_samples.h"

enum { VALIDATION_DIVISOR = 16, BATCH_POSITIONS = 4096 };
static const float ADAM_BETA_1 = 0.9f, ADAM_BETA_2 = 0.999f, ADAM_EPSILON = 1e-8f;

/* The range in which the engine's 16-bit products do not overflow. */
static const float WEIGHT_MAX = (float)NETWORK_OUTPUT_WEIGHT_MAX / NETWORK_OUTPUT_ONE;

/* Adam's moments of all weights. */
typedef struct {
    float mean[FLOAT_NETWORK_WEIGHTS], square[FLOAT_NETWORK_WEIGHTS];
} NetworkMoments;

typedef struct {
    FloatNetwork *network;
    const TrainPositions *positions;
    const TrainOptions *options;
    double k;
    uint32_t *order; /* training set, then validation set */
    size_t training, validation;
    FloatNetwork *gradients; /* one for each thread */
    double *errors;          /* likewise */
    NetworkMoments *moments;
    size_t begin, end;
    unsigned epoch;
    double synthetic_fraction;
    Evaluator *terms;
    uint64_t steps, total_steps;
    bool (*report)(void *context, const TrainReport *report);
    void *context;
} TrainState;

/* ---- positions ---- */

/* The expected score that the network is to learn for position i, or for a synthetic sample made of it. *position
   receives the position. */
static double target_expected_score(const TrainState *t, Evaluator *terms, size_t i, TrainPosition *position) {
    *position = t->positions->position[i];
    uint64_t seed = t->options->seed ^ ((uint64_t)t->epoch << 40 | i);
    TrainPosition synthetic;
    if (random_below(&seed, 1000) < t->synthetic_fraction * 1000 &&
        synthetic_sample(terms, position, seed, &synthetic)) {
        *position = synthetic;
        return expected_score(t->k, position->score);
    }
    const double result_weight = t->options->result_weight;
    return result_weight * position->result / 2 + (1 - result_weight) * expected_score(t->k, position->score);
}

static ScoredResult scored_result(const void *positions, size_t i) {
    const TrainPosition *position = &((const TrainPositions *)positions)->position[i];
    return (ScoredResult){position->score, position->result / 2.0};
}

/* ---- sums over positions, by all threads ---- */

static void sum_gradients(void *context, unsigned worker) {
    TrainState *t = context;
    ForwardPass pass;
    size_t i, to;
    const double k_of_output = t->k * NETWORK_SCALE;
    memset(&t->gradients[worker], 0, sizeof t->gradients[worker]);
    for (thread_range(t->begin, t->end, t->options->threads, worker, &i, &to); i < to; i++) {
        TrainPosition position;
        const double target = target_expected_score(t, &t->terms[worker], t->order[i], &position);
        const double p = expected_score(k_of_output, (double)float_network_forward(t->network, &position, &pass)),
                     error = p - target;
        t->errors[worker] += error * error;
        float_network_backward(t->network, &pass, (float)(error * p * (1 - p)), &t->gradients[worker]);
    }
}

static void sum_errors(void *context, unsigned worker) {
    TrainState *t = context;
    ForwardPass pass;
    size_t i, to;
    for (thread_range(t->begin, t->end, t->options->threads, worker, &i, &to); i < to; i++) {
        TrainPosition position;
        const double target = target_expected_score(t, &t->terms[worker], t->order[i], &position);
        const double error =
            expected_score(t->k * NETWORK_SCALE, (double)float_network_forward(t->network, &position, &pass)) - target;
        t->errors[worker] += error * error;
    }
}

static double mean_error(TrainState *t, size_t n) {
    double sum = 0;
    for (unsigned i = 0; i < t->options->threads; i++) sum += t->errors[i], t->errors[i] = 0;
    return n ? sum / (double)n : 0;
}

/* ---- steps ---- */

static float learning_rate(const TrainState *t) {
    assert(t->steps <= t->total_steps);
    const double done = (double)t->steps / (double)t->total_steps;
    const double initial = t->options->rate * (t->epoch > t->options->synthetic_epochs ? t->options->finetune_rate : 1);
    return (float)(initial * (0.01 + 0.99 * (1 + cos(acos(-1) * done)) / 2));
}

static void adam_step(TrainState *t, size_t positions) {
    assert(positions > 0);
    const float rate = learning_rate(t), scale = 1 / (float)positions;
    t->steps++;
    const float correction_1 = 1 - powf(ADAM_BETA_1, (float)t->steps),
                correction_2 = 1 - powf(ADAM_BETA_2, (float)t->steps);
    float *weight = (float *)t->network, *mean = t->moments->mean, *square = t->moments->square,
          *sum = (float *)t->gradients;
    for (unsigned thread = 1; thread < t->options->threads; thread++) {
        const float *thread_sum = (const float *)&t->gradients[thread];
        for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) sum[i] += thread_sum[i];
    }
    for (int i = 0; i < FLOAT_NETWORK_WEIGHTS; i++) {
        const float gradient = sum[i] * scale;
        mean[i] = ADAM_BETA_1 * mean[i] + (1 - ADAM_BETA_1) * gradient;
        square[i] = ADAM_BETA_2 * square[i] + (1 - ADAM_BETA_2) * gradient * gradient;
        const float updated =
            weight[i] - rate * mean[i] / correction_1 / (sqrtf(square[i] / correction_2) + ADAM_EPSILON);
        weight[i] = updated > WEIGHT_MAX ? WEIGHT_MAX : updated < -WEIGHT_MAX ? -WEIGHT_MAX : updated;
    }
}

/* False if the training is to end. */
static bool report_progress(const TrainState *t, const TrainReport *r) {
    return !t->report || t->report(t->context, r);
}

/* *stopped: the report ended the training before the end of the epoch. */
static bool train_epoch(TrainState *t, TrainReport *r, uint64_t *seed, bool *stopped, TabiaError *error) {
    order_shuffle(t->order, t->training, seed);
    for (size_t at = 0; at < t->training; at += BATCH_POSITIONS) {
        t->begin = at, t->end = at + BATCH_POSITIONS < t->training ? at + BATCH_POSITIONS : t->training;
        if (!tabia_threads_run(t->options->threads, sum_gradients, t, error)) return false;
        adam_step(t, t->end - t->begin);
        r->done = t->end;
        *stopped = r->done < t->training && !report_progress(t, r);
        if (*stopped) return true;
    }
    r->error = mean_error(t, t->training);
    t->synthetic_fraction = 0;
    t->begin = t->training, t->end = t->training + t->validation;
    if (!tabia_threads_run(t->options->threads, sum_errors, t, error)) return false;
    r->validation_error = mean_error(t, t->validation);
    return true;
}

/* ---- epochs ---- */

static float random_weight(uint64_t *seed, float limit) {
    return limit * ((float)random_below(seed, 1 << 20) / (1 << 19) - 1);
}

static void random_weights(FloatNetwork *n, uint64_t *seed) {
    memset(n, 0, sizeof *n);
    n->shape = network_full_shape();
    for (int i = 0; i < NETWORK_INPUTS; i++)
        for (int j = 0; j < NETWORK_WIDTH; j++) n->input[i][j] = random_weight(seed, 0.1f);
    for (int j = 0; j < NETWORK_WIDTH; j++) n->input_bias[j] = random_weight(seed, 0.1f);
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < NETWORK_WIDTH; j++) {
            const float weight = random_weight(seed, 0.1f); /* the same in all buckets at first */
            for (int b = 0; b < NETWORK_BUCKETS; b++) n->output[b][side][j] = weight;
        }
}

/* Restarts the learning rate and the moments. */
static void begin_phase(TrainState *t, unsigned epochs) {
    t->steps = 0;
    t->total_steps = (t->training + BATCH_POSITIONS - 1) / BATCH_POSITIONS * epochs;
    memset(t->moments, 0, sizeof *t->moments);
}

static bool train_epochs(TrainState *t, TabiaError *error) {
    uint64_t seed = t->options->seed;
    if (t->options->from)
        network_dequantize(t->network, t->options->from);
    else
        random_weights(t->network, &seed);
    t->k = expected_score_fit(scored_result, t->positions, t->positions->count);
    t->training = validation_split(t->order, t->positions->count, VALIDATION_DIVISOR),
    t->validation = t->positions->count - t->training;
    const unsigned synthetic = t->options->synthetic_epochs, all = synthetic + t->options->epochs;
    for (t->epoch = 1; t->epoch <= all; t->epoch++) {
        const bool is_synthetic = t->epoch <= synthetic;
        if (t->epoch == 1 || t->epoch == synthetic + 1) begin_phase(t, is_synthetic ? synthetic : t->options->epochs);
        t->synthetic_fraction = is_synthetic ? 1 : t->options->synthetic_fraction;
        TrainReport r = {.epoch = t->epoch,
                         .k = t->k,
                         .rate = (double)learning_rate(t),
                         .all = t->training,
                         .validation = t->validation};
        bool stopped = false;
        if (!train_epoch(t, &r, &seed, &stopped, error)) return false;
        if (stopped || !report_progress(t, &r)) break;
    }
    return true;
}

bool train_network(FloatNetwork *n, const TrainPositions *positions, const TrainOptions *options,
                   bool (*report)(void *context, const TrainReport *report), void *context, TabiaError *error) {
    TrainState t = {.network = n, .positions = positions, .options = options, .report = report, .context = context};
    t.order = malloc((positions->count + 1) * sizeof *t.order);
    t.gradients = aligned_alloc(64, options->threads * sizeof *t.gradients);
    t.errors = calloc(options->threads, sizeof *t.errors);
    t.moments = calloc(1, sizeof *t.moments);
    t.terms = aligned_alloc(64, options->threads * sizeof *t.terms);
    bool good = t.order && t.gradients && t.errors && t.moments && t.terms;
    for (unsigned i = 0; good && i < options->threads; i++) evaluator_init(&t.terms[i], NULL, EVALUATION_TERMS);
    if (!good) tabia_fail(error, "out of memory to train on %zu positions", positions->count);
    good = good && train_epochs(&t, error);
    free(t.order), free(t.gradients), free(t.errors), free(t.moments), free(t.terms);
    return good;
}
