/* SPDX-License-Identifier: MIT */
#include "linear_fit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "train/expected_score.h"
#include "train/thread_range.h"

enum { ROW_LENGTH = 5, VALIDATION_DIVISOR = 10, BATCH_SAMPLES = 8192, PATIENCE_EPOCHS = 3, RATE_HALVINGS_MAX = 5 };
static const double RATE = 1.0, ADAM_BETA_1 = 0.9, ADAM_BETA_2 = 0.999, ADAM_EPSILON = 1e-8;

/* Adam's moments of a weight. */
typedef struct {
    double mean, square;
} WeightMoments;

typedef float WeightGradients[WEIGHTS][2];

typedef struct {
    LinearWeights *weights;
    LinearWeights initial;
    LinearSamples *samples;
    const LinearFitOptions *options;
    double k, rate;
    uint32_t *order; /* training set, then validation set */
    size_t training, validation;
    WeightMoments (*moments)[2];
    WeightGradients *gradients; /* one for each thread */
    double *errors;             /* likewise */
    size_t begin, end;
    unsigned steps;
} LinearFitState;

/* ---- samples ---- */

static ScoredResult scored_result(const void *samples, size_t i) {
    const LinearSample *sample = &((const LinearSamples *)samples)->sample[i];
    return (ScoredResult){(double)sample->search_score, sample->result / 2.0};
}

static void set_targets(LinearSamples *s, double k, double result_weight) {
    for (size_t i = 0; i < s->count; i++)
        s->sample[i].target = (float)(result_weight * s->sample[i].result / 2 +
                                      (1 - result_weight) * expected_score(k, s->sample[i].search_score));
}

/* Fills order[] with 0 to n - 1: the training set, then the validation set, which is one block of neighbours in
   VALIDATION_DIVISOR. Games are shorter than a block, so that few are in both sets. Returns the size of the training
   set. */
static size_t split_order(uint32_t *order, size_t n) {
    enum { BLOCK_SAMPLES = 2048 };
    size_t at = 0, training = 0;
    for (int is_validation = 0; is_validation <= 1; is_validation++) {
        for (size_t i = 0; i < n; i++)
            if ((i / BLOCK_SAMPLES % VALIDATION_DIVISOR == VALIDATION_DIVISOR / 2) == is_validation)
                order[at++] = (uint32_t)i;
        if (!is_validation) training = at;
    }
    assert(at == n && training <= n);
    return training;
}

/* Fisher-Yates shuffle. */
static void shuffle_order(uint32_t *order, size_t n, uint64_t *seed) {
    for (size_t i = n; i > 1; i--) {
        const size_t other = random_below(seed, i);
        const uint32_t last = order[i - 1];
        order[i - 1] = order[other], order[other] = last;
    }
}

/* ---- sums over samples, by all threads ---- */

static void sum_gradients(void *context, unsigned worker) {
    LinearFitState *f = context;
    size_t i, to;
    memset(f->gradients[worker], 0, sizeof f->gradients[worker]);
    for (thread_range(f->begin, f->end, f->options->threads, worker, &i, &to); i < to; i++) {
        const LinearSample *sample = &f->samples->sample[f->order[i]];
        const double p = expected_score(f->k, (double)linear_model_evaluate(f->weights, f->samples, sample));
        linear_model_gradients(f->weights, f->samples, sample, (float)((p - (double)sample->target) * p * (1 - p)),
                               f->gradients[worker]);
    }
}

static void sum_errors(void *context, unsigned worker) {
    LinearFitState *f = context;
    size_t i, to;
    double sum = 0;
    for (thread_range(f->begin, f->end, f->options->threads, worker, &i, &to); i < to; i++) {
        const LinearSample *sample = &f->samples->sample[f->order[i]];
        const double error = expected_score(f->k, (double)linear_model_evaluate(f->weights, f->samples, sample)) -
                             (double)sample->target;
        sum += error * error;
    }
    f->errors[worker] = sum;
}

static bool mean_error(LinearFitState *f, size_t begin, size_t n, double *mean, TabiaError *error) {
    f->begin = begin, f->end = begin + n, *mean = 0;
    if (!tabia_threads_run(f->options->threads, sum_errors, f, error)) return false;
    for (unsigned t = 0; t < f->options->threads; t++) *mean += f->errors[t];
    if (n) *mean /= (double)n;
    return true;
}

/* ---- steps ---- */

/* How the weights of a term lie (terms.h). */
typedef enum { ALONE, RANKS_5 } TermLayout;

static const struct {
    int first, count;
    TermLayout layout;
} terms[] = {
#define TERM_ROW(name, n, layout, about) {name, n, layout},
    TERMS(TERM_ROW)
#undef TERM_ROW
};

/* The gradient of the squared difference of two neighbours. */
static void add_smoothing(const LinearWeights *fitted, WeightGradients gradients, int a, int b, double strength) {
    for (int phase = 0; phase < 2; phase++) {
        const float difference = fitted->weight[a][phase] - fitted->weight[b][phase];
        gradients[a][phase] += (float)strength * difference, gradients[b][phase] -= (float)strength * difference;
    }
}

static void regularize(const LinearFitState *f, WeightGradients gradients) {
    assert(f->training + f->validation == f->samples->count);
    const double strength = f->options->regularization / (double)(f->training + 1) / 10;
    for (int w = 0; w < WEIGHTS; w++)
        for (int phase = 0; phase < 2; phase++)
            gradients[w][phase] = (float)strength * (f->weights->weight[w][phase] - f->initial.weight[w][phase]);
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        if (terms[t].layout == ALONE) continue;
        for (int i = 0; i < terms[t].count; i++) {
            const int weight = terms[t].first + i;
            if (i % ROW_LENGTH) add_smoothing(f->weights, gradients, weight - 1, weight, strength);
            if (i >= ROW_LENGTH) add_smoothing(f->weights, gradients, weight - ROW_LENGTH, weight, strength);
        }
    }
}

static void adam_step(LinearFitState *f, size_t samples) {
    assert(samples > 0);
    WeightGradients gradients;
    regularize(f, gradients);
    f->steps++;
    const double correction_1 = 1 - pow(ADAM_BETA_1, f->steps), correction_2 = 1 - pow(ADAM_BETA_2, f->steps);
    for (int w = 0; w < WEIGHTS; w++)
        for (int phase = 0; phase < 2; phase++) {
            double gradient = 0;
            for (unsigned t = 0; t < f->options->threads; t++) gradient += (double)f->gradients[t][w][phase];
            gradient = gradient / (double)samples + (double)gradients[w][phase];
            WeightMoments *m = &f->moments[w][phase];
            m->mean = ADAM_BETA_1 * m->mean + (1 - ADAM_BETA_1) * gradient;
            m->square = ADAM_BETA_2 * m->square + (1 - ADAM_BETA_2) * gradient * gradient;
            f->weights->weight[w][phase] -=
                (float)(f->rate * m->mean / correction_1 / (sqrt(m->square / correction_2) + ADAM_EPSILON));
        }
}

static bool run_epoch(LinearFitState *f, uint64_t *seed, TabiaError *error) {
    shuffle_order(f->order, f->training, seed);
    for (size_t at = 0; at < f->training; at += BATCH_SAMPLES) {
        f->begin = at, f->end = at + BATCH_SAMPLES < f->training ? at + BATCH_SAMPLES : f->training;
        if (!tabia_threads_run(f->options->threads, sum_gradients, f, error)) return false;
        adam_step(f, f->end - f->begin);
    }
    return true;
}

static bool train_epochs(LinearFitState *f, bool (*report)(void *, const LinearFitReport *), void *context,
                         TabiaError *error) {
    uint64_t seed = f->options->seed;
    LinearWeights best_weights = *f->weights;
    double best_error = 1;
    unsigned stale_epochs = 0, halvings = 0;
    for (unsigned e = 0;; e++) {
        LinearFitReport r = {.epoch = e, .rate = f->rate, .k = f->k, .validation = f->validation};
        if (!mean_error(f, 0, f->training, &r.error, error) ||
            !mean_error(f, f->training, f->validation, &r.validation_error, error))
            return false;
        const double criterion = f->validation ? r.validation_error : r.error;
        stale_epochs++;
        if (criterion < best_error) best_error = criterion, best_weights = *f->weights, stale_epochs = 0;
        const bool should_continue = !report || report(context, &r);
        if (stale_epochs >= PATIENCE_EPOCHS) f->rate /= 2, stale_epochs = 0, halvings++, *f->weights = best_weights;
        if (!should_continue || e == f->options->epochs || halvings > RATE_HALVINGS_MAX) break;
        if (!run_epoch(f, &seed, error)) return false;
    }
    *f->weights = best_weights;
    return true;
}

bool linear_fit_run(LinearWeights *fitted, LinearSamples *samples, const LinearFitOptions *options,
                    bool (*report)(void *context, const LinearFitReport *report), void *context, TabiaError *error) {
    LinearFitState f = {.weights = fitted, .initial = *fitted, .samples = samples, .options = options, .rate = RATE};
    f.order = malloc((samples->count + 1) * sizeof *f.order);
    f.moments = calloc(WEIGHTS, sizeof *f.moments);
    f.gradients = calloc(options->threads, sizeof *f.gradients);
    f.errors = calloc(options->threads, sizeof *f.errors);
    bool good = f.order && f.moments && f.gradients && f.errors;
    if (!good) tabia_fail(error, "out of memory to fit %d weights to %zu positions", WEIGHTS, samples->count);
    if (good) {
        f.training = split_order(f.order, samples->count), f.validation = samples->count - f.training;
        f.k = expected_score_fit(scored_result, samples, samples->count);
        set_targets(samples, f.k, options->result_weight);
        good = train_epochs(&f, report, context, error);
    }
    free(f.order), free(f.moments), free(f.gradients), free(f.errors);
    return good;
}
