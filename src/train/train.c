/* SPDX-License-Identifier: MIT */
#include "train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "expected_score.h"
#include "synthetic.h"

enum { ASIDE = 16, BATCH = 4096 };
static const float MEMORY_ONE = 0.9f, MEMORY_TWO = 0.999f, TINY = 1e-8f;

/* Weights stay where sixteen bits hold what is computed with them. */
static const float WEIGHT_MOST = (float)NETWORK_OUTPUT_WEIGHT_MAX / NETWORK_OUTPUT_ONE;

/* What Adam remembers of all weights, and the slopes that each thread finds. */
typedef struct {
    float mean[REAL_WEIGHTS], square[REAL_WEIGHTS];
} Memory;

typedef struct {
    RealNetwork *net;
    const Boards *boards;
    const TrainOptions *options;
    double k;
    uint32_t *order; /* the boards learnt from, then those kept aside */
    size_t learnt, aside;
    RealNetwork *slopes; /* one for each thread */
    double *errors;      /* likewise */
    Memory *memory;
    size_t begin, end;
    unsigned epoch;
    double lesson_share;
    Evaluator *terms;
    uint64_t steps, all_steps;
} Training;

/* ---- the data ---- */

/* What a board is to be worth, or a lesson made of it. The board is the one learnt from. */
static double target_of(const Training *t, Evaluator *terms, size_t i, Board *b) {
    *b = t->boards->board[i];
    uint64_t seed = t->options->seed ^ ((uint64_t)t->epoch << 40 | i);
    Board lesson;
    if (random_below(&seed, 1000) < t->lesson_share * 1000 && lesson_make(terms, b, seed, &lesson)) {
        *b = lesson;
        return points(t->k, b->score);
    }
    const double share = t->options->result_share;
    return share * b->result / 2 + (1 - share) * points(t->k, b->score);
}

static PointsSample score_and_result(const void *boards, size_t i) {
    const Board *b = &((const Boards *)boards)->board[i];
    return (PointsSample){b->score, b->result / 2.0};
}

/* ---- sums over boards, by all threads ---- */

static void sum_slopes(void *context, unsigned worker) {
    Training *t = context;
    Thought thought;
    size_t i, to;
    const double steep = t->k * NETWORK_SCALE;
    memset(&t->slopes[worker], 0, sizeof t->slopes[worker]);
    for (points_share(t->begin, t->end, t->options->threads, worker, &i, &to); i < to; i++) {
        Board b;
        const double target = target_of(t, &t->terms[worker], t->order[i], &b);
        const double p = points(steep, (double)real_value(t->net, &b, &thought)), error = p - target;
        t->errors[worker] += error * error;
        real_slopes(t->net, &thought, (float)(error * p * (1 - p)), &t->slopes[worker]);
    }
}

static void sum_errors(void *context, unsigned worker) {
    Training *t = context;
    Thought thought;
    size_t i, to;
    for (points_share(t->begin, t->end, t->options->threads, worker, &i, &to); i < to; i++) {
        Board b;
        const double target = target_of(t, &t->terms[worker], t->order[i], &b);
        const double error = points(t->k * NETWORK_SCALE, (double)real_value(t->net, &b, &thought)) - target;
        t->errors[worker] += error * error;
    }
}

static double mean_error(Training *t, size_t n) {
    double sum = 0;
    for (unsigned i = 0; i < t->options->threads; i++) sum += t->errors[i], t->errors[i] = 0;
    return n ? sum / (double)n : 0;
}

/* ---- steps ---- */

static float rate_now(const Training *t) {
    const double done = (double)t->steps / (double)t->all_steps;
    const double whole = t->options->rate * (t->epoch > t->options->lesson_epochs ? t->options->later : 1);
    return (float)(whole * (0.01 + 0.99 * (1 + cos(acos(-1) * done)) / 2));
}

static void step(Training *t, size_t boards) {
    const float rate = rate_now(t), share = 1 / (float)boards;
    t->steps++;
    const float one = 1 - powf(MEMORY_ONE, (float)t->steps), two = 1 - powf(MEMORY_TWO, (float)t->steps);
    float *weight = (float *)t->net, *mean = t->memory->mean, *square = t->memory->square, *sum = (float *)t->slopes;
    for (unsigned thread = 1; thread < t->options->threads; thread++) {
        const float *more = (const float *)&t->slopes[thread];
        for (int i = 0; i < REAL_WEIGHTS; i++) sum[i] += more[i];
    }
    for (int i = 0; i < REAL_WEIGHTS; i++) {
        const float slope = sum[i] * share;
        mean[i] = MEMORY_ONE * mean[i] + (1 - MEMORY_ONE) * slope;
        square[i] = MEMORY_TWO * square[i] + (1 - MEMORY_TWO) * slope * slope;
        const float moved = weight[i] - rate * mean[i] / one / (sqrtf(square[i] / two) + TINY);
        weight[i] = moved > WEIGHT_MOST ? WEIGHT_MOST : moved < -WEIGHT_MOST ? -WEIGHT_MOST : moved;
    }
}

typedef bool Report(void *context, const TrainReport *report);

/* *stopped: the report asked for an end, before the epoch's. */
static bool epoch(Training *t, TrainReport *r, uint64_t *seed, Report *report, void *context, bool *stopped,
                  TabiaError *error) {
    points_shuffle(t->order, t->learnt, seed);
    for (size_t at = 0; at < t->learnt; at += BATCH) {
        t->begin = at, t->end = at + BATCH < t->learnt ? at + BATCH : t->learnt;
        if (!tabia_threads_run(t->options->threads, sum_slopes, t, error)) return false;
        step(t, t->end - t->begin);
        r->done = t->end;
        *stopped = report && r->done < t->learnt && !report(context, r);
        if (*stopped) return true;
    }
    r->error = mean_error(t, t->learnt);
    t->lesson_share = 0;
    t->begin = t->learnt, t->end = t->learnt + t->aside;
    if (!tabia_threads_run(t->options->threads, sum_errors, t, error)) return false;
    r->error_aside = mean_error(t, t->aside);
    return true;
}

/* ---- the whole ---- */

static float random_weight(uint64_t *seed, float most) {
    return most * ((float)random_below(seed, 1 << 20) / (1 << 19) - 1);
}

static void first_weights(RealNetwork *n, uint64_t *seed) {
    memset(n, 0, sizeof *n);
    for (int i = 0; i < NETWORK_INPUTS; i++)
        for (int j = 0; j < NETWORK_WIDTH; j++) n->input[i][j] = random_weight(seed, 0.1f);
    for (int j = 0; j < NETWORK_WIDTH; j++) n->input_bias[j] = random_weight(seed, 0.1f);
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < NETWORK_WIDTH; j++) {
            const float weight = random_weight(seed, 0.1f); /* the same in all buckets, to part when they know better */
            for (int b = 0; b < NETWORK_BUCKETS; b++) n->output[b][side][j] = weight;
        }
}

/* The rate falls anew. */
static void begin_phase(Training *t, unsigned epochs) {
    t->steps = 0;
    t->all_steps = (t->learnt + BATCH - 1) / BATCH * epochs;
    memset(t->memory, 0, sizeof *t->memory);
}

static bool run(Training *t, Report *report, void *context, TabiaError *error) {
    uint64_t seed = t->options->seed;
    if (t->options->from)
        train_unround(t->net, t->options->from);
    else
        first_weights(t->net, &seed);
    t->k = points_best_k(score_and_result, t->boards, t->boards->n);
    t->learnt = points_put_aside(t->order, t->boards->n, ASIDE), t->aside = t->boards->n - t->learnt;
    const unsigned lessons = t->options->lesson_epochs, all = lessons + t->options->epochs;
    for (t->epoch = 1; t->epoch <= all; t->epoch++) {
        const bool teaching = t->epoch <= lessons;
        if (t->epoch == 1 || t->epoch == lessons + 1) begin_phase(t, teaching ? lessons : t->options->epochs);
        t->lesson_share = teaching ? 1 : t->options->lesson_share;
        TrainReport r = {
            .epoch = t->epoch, .k = t->k, .rate = (double)rate_now(t), .all = t->learnt, .aside = t->aside};
        bool stopped = false;
        if (!epoch(t, &r, &seed, report, context, &stopped, error)) return false;
        if (stopped || (report && !report(context, &r))) break;
    }
    return true;
}

bool train_network(RealNetwork *n, const Boards *boards, const TrainOptions *options,
                   bool (*report)(void *context, const TrainReport *report), void *context, TabiaError *error) {
    Training t = {.net = n, .boards = boards, .options = options};
    t.order = malloc((boards->n + 1) * sizeof *t.order);
    t.slopes = aligned_alloc(64, options->threads * sizeof *t.slopes);
    t.errors = calloc(options->threads, sizeof *t.errors);
    t.memory = calloc(1, sizeof *t.memory);
    t.terms = aligned_alloc(64, options->threads * sizeof *t.terms);
    bool good = t.order && t.slopes && t.errors && t.memory && t.terms;
    for (unsigned i = 0; good && i < options->threads; i++) evaluator_init(&t.terms[i], NULL, EVALUATION_TERMS);
    if (!good) tabia_fail(error, "no memory to learn from %zu positions", boards->n);
    good = good && run(&t, report, context, error);
    free(t.order), free(t.slopes), free(t.errors), free(t.memory), free(t.terms);
    return good;
}
