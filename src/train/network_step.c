/* SPDX-License-Identifier: MIT */
#include "network_step.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "expected_score.h"

/* Of which the forward passes fit into a cache. */
enum { GROUP_POSITIONS = 512 };
static const float ADAM_BETA_1 = 0.9f, ADAM_BETA_2 = 0.999f, ADAM_EPSILON = 1e-8f;

/* The range in which the engine's 16-bit products do not overflow. */
static const float WEIGHT_MAX = (float)NETWORK_OUTPUT_WEIGHT_MAX / NETWORK_OUTPUT_ONE;

/* What the output of a position's forward pass is to change by, and its error. */
typedef struct {
    float factor;
    double error;
} PositionResult;

/* What Adam needs in a step. */
typedef struct {
    float rate, scale, correction_1, correction_2;
} AdamStep;

struct NetworkStepper {
    unsigned threads;
    pthread_barrier_t barrier;
    ForwardPass *pass;      /* of a group */
    PositionResult *result; /* likewise */
    FloatNetwork *gradients;

    /* Of the call that is running. */
    const FloatNetwork *read_network;
    FloatNetwork *network; /* NULL: errors alone */
    NetworkMoments *moments;
    const NetworkBatch *batch;
    AdamStep adam;
    double error_sum;
};

/* The part of begin to end - 1 that one of `threads` workers processes. */
static void thread_range(size_t begin, size_t end, unsigned threads, unsigned worker, size_t *from, size_t *to) {
    assert(begin <= end && worker < threads);
    const size_t n = end - begin;
    *from = begin + n * worker / threads, *to = begin + n * (worker + 1) / threads;
}

/* ---- positions, a share each ---- */

static size_t group_end(const NetworkStepper *s, size_t group) {
    return group + GROUP_POSITIONS < s->batch->count ? group + GROUP_POSITIONS : s->batch->count;
}

static void forward_share(NetworkStepper *s, unsigned worker, size_t group) {
    const NetworkBatch *b = s->batch;
    const double k_of_output = b->k * NETWORK_SCALE;
    size_t i, to;
    for (thread_range(group, group_end(s, group), s->threads, worker, &i, &to); i < to; i++) {
        TrainSample sample = b->sample[i];
        const double target = b->target(b->context, worker, i, &sample);
        const Position position = train_sample_position(&sample);
        const float output = float_network_forward(s->read_network, &position, &s->pass[i - group]);
        const double p = expected_score(k_of_output, (double)output), error = p - target;
        s->result[i - group] = (PositionResult){(float)(error * p * (1 - p)), error * error};
    }
}

/* ---- columns, a share each ---- */

static NetworkColumns columns_of(const NetworkStepper *s, unsigned worker) {
    size_t begin, end;
    thread_range(0, NETWORK_WIDTH / NETWORK_COLUMNS, s->threads, worker, &begin, &end);
    return (NetworkColumns){(int)begin * NETWORK_COLUMNS, (int)end * NETWORK_COLUMNS};
}

static void backward_share(NetworkStepper *s, unsigned worker, size_t group) {
    const NetworkColumns columns = columns_of(s, worker);
    const size_t n = group_end(s, group) - group;
    for (size_t i = 0; i < n; i++)
        float_network_backward(s->read_network, &s->pass[i], s->result[i].factor, columns, s->gradients);
}

/* What belongs to no column; one thread's. */
static void add_errors(NetworkStepper *s, size_t group) {
    const size_t n = group_end(s, group) - group;
    for (size_t i = 0; i < n; i++) {
        s->error_sum += s->result[i].error;
        if (s->network) s->gradients->output_bias[s->pass[i].features.bucket] += s->result[i].factor;
    }
}

/* ---- weights, a share each ---- */

static void adam_range(NetworkStepper *s, size_t begin, size_t end) {
    const AdamStep *a = &s->adam;
    const float *sum = (const float *)s->gradients;
    float *weight = (float *)s->network, *mean = s->moments->mean, *square = s->moments->square;
    for (size_t i = begin; i < end; i++) {
        const float gradient = sum[i] * a->scale;
        mean[i] = ADAM_BETA_1 * mean[i] + (1 - ADAM_BETA_1) * gradient;
        square[i] = ADAM_BETA_2 * square[i] + (1 - ADAM_BETA_2) * gradient * gradient;
        const float updated =
            weight[i] - a->rate * mean[i] / a->correction_1 / (sqrtf(square[i] / a->correction_2) + ADAM_EPSILON);
        weight[i] = updated > WEIGHT_MAX ? WEIGHT_MAX : updated < -WEIGHT_MAX ? -WEIGHT_MAX : updated;
    }
}

static void weights_of(const NetworkStepper *s, unsigned worker, size_t *begin, size_t *end) {
    enum { PIECE = 64 };
    thread_range(0, (FLOAT_NETWORK_WEIGHTS + PIECE - 1) / PIECE, s->threads, worker, begin, end);
    *begin *= PIECE, *end *= PIECE;
    if (*end > FLOAT_NETWORK_WEIGHTS) *end = FLOAT_NETWORK_WEIGHTS;
}

/* ---- all phases ---- */

static void work(void *context, unsigned worker) {
    NetworkStepper *s = context;
    size_t begin, end;
    weights_of(s, worker, &begin, &end);
    if (s->network) memset((float *)s->gradients + begin, 0, (end - begin) * sizeof(float));
    for (size_t group = 0; group < s->batch->count; group += GROUP_POSITIONS) {
        forward_share(s, worker, group);
        pthread_barrier_wait(&s->barrier);
        if (s->network) backward_share(s, worker, group);
        if (worker == 0) add_errors(s, group);
        pthread_barrier_wait(&s->barrier);
    }
    if (s->network) adam_range(s, begin, end);
}

static bool run(NetworkStepper *s, const NetworkBatch *batch, double *error_sum, TabiaError *error) {
    assert(batch->count > 0);
    s->batch = batch, s->error_sum = *error_sum;
    if (!tabia_threads_run(s->threads, work, s, error)) return false;
    *error_sum = s->error_sum;
    return true;
}

bool network_step(NetworkStepper *s, FloatNetwork *n, NetworkMoments *moments, const NetworkBatch *batch,
                  double *error_sum, TabiaError *error) {
    const float steps = (float)++moments->steps;
    s->read_network = s->network = n, s->moments = moments;
    s->adam = (AdamStep){.rate = (float)batch->rate,
                         .scale = 1 / (float)batch->count,
                         .correction_1 = 1 - powf(ADAM_BETA_1, steps),
                         .correction_2 = 1 - powf(ADAM_BETA_2, steps)};
    return run(s, batch, error_sum, error);
}

bool network_errors(NetworkStepper *s, const FloatNetwork *n, const NetworkBatch *batch, double *error_sum,
                    TabiaError *error) {
    s->read_network = n, s->network = NULL, s->moments = NULL;
    return run(s, batch, error_sum, error);
}

/* ---- beginning and ending ---- */

NetworkStepper *network_stepper_create(unsigned threads, TabiaError *error) {
    NetworkStepper *s = calloc(1, sizeof *s);
    if (!s || pthread_barrier_init(&s->barrier, NULL, threads)) {
        free(s);
        return tabia_fail(error, "no memory for %u threads", threads), NULL;
    }
    s->threads = threads;
    s->pass = tabia_aligned_get(_Alignof(ForwardPass), GROUP_POSITIONS * sizeof *s->pass);
    s->result = calloc(GROUP_POSITIONS, sizeof *s->result);
    s->gradients = tabia_aligned_get(_Alignof(FloatNetwork), sizeof *s->gradients);
    if (s->pass && s->result && s->gradients) return s;
    network_stepper_destroy(s);
    return tabia_fail(error, "no memory for a batch of positions"), NULL;
}

void network_stepper_destroy(NetworkStepper *s) {
    if (!s) return;
    pthread_barrier_destroy(&s->barrier);
    tabia_aligned_free(s->pass), free(s->result), tabia_aligned_free(s->gradients);
    free(s);
}
