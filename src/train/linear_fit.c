/* SPDX-License-Identifier: MIT */
#include "linear_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "expected_score.h"

enum { ASIDE = 10, BATCH = 8192, PATIENCE = 3, HALVINGS = 5 };
static const double RATE = 1.0, MEMORY_ONE = 0.9, MEMORY_TWO = 0.999, TINY = 1e-8;

/* What Adam remembers of a weight. */
typedef struct {
    double mean, square;
} Memory;

typedef float Slopes[WEIGHTS][2];

typedef struct {
    Fit *fit;
    Fit start;
    Samples *samples;
    const FitOptions *options;
    double k, rate;
    uint32_t *order; /* the samples learnt from, then those kept aside */
    size_t learnt, aside;
    Memory (*memory)[2];
    Slopes *slopes; /* one for each thread */
    double *errors; /* likewise */
    size_t begin, end;
    unsigned steps;
} Fitting;

/* ---- the data ---- */

static PointsSample score_and_result(const void *samples, size_t i) {
    const Sample *a = &((const Samples *)samples)->sample[i];
    return (PointsSample){(double)a->target_score, a->result / 2.0};
}

static void set_targets(Samples *s, double k, double result_share) {
    for (size_t i = 0; i < s->n; i++)
        s->sample[i].target =
            (float)(result_share * s->sample[i].result / 2 + (1 - result_share) * points(k, s->sample[i].target_score));
}

/* ---- sums over samples, by all threads ---- */

static void sum_slopes(void *context, unsigned worker) {
    Fitting *f = context;
    size_t i, to;
    memset(f->slopes[worker], 0, sizeof f->slopes[worker]);
    for (points_share(f->begin, f->end, f->options->threads, worker, &i, &to); i < to; i++) {
        const Sample *a = &f->samples->sample[f->order[i]];
        const double p = points(f->k, (double)model_value(f->fit, f->samples, a));
        model_slopes(f->fit, f->samples, a, (float)((p - (double)a->target) * p * (1 - p)), f->slopes[worker]);
    }
}

static void sum_errors(void *context, unsigned worker) {
    Fitting *f = context;
    size_t i, to;
    double sum = 0;
    for (points_share(f->begin, f->end, f->options->threads, worker, &i, &to); i < to; i++) {
        const Sample *a = &f->samples->sample[f->order[i]];
        const double error = points(f->k, (double)model_value(f->fit, f->samples, a)) - (double)a->target;
        sum += error * error;
    }
    f->errors[worker] = sum;
}

static bool mean_error(Fitting *f, size_t begin, size_t n, double *mean, TabiaError *error) {
    f->begin = begin, f->end = begin + n, *mean = 0;
    if (!tabia_threads_run(f->options->threads, sum_errors, f, error)) return false;
    for (unsigned t = 0; t < f->options->threads; t++) *mean += f->errors[t];
    if (n) *mean /= (double)n;
    return true;
}

/* ---- steps ---- */

typedef enum { ALONE, ROW, RANKS_4, RANKS_8 } Lie;

static const struct {
    int first, n;
    Lie lie;
} terms[] = {
#define TERM_ROW(name, n, lie, about) {name, n, lie},
    TERMS(TERM_ROW)
#undef TERM_ROW
};

/* Both ways, so that each of two neighbours is pulled to the other. */
static void pull_together(const Fit *fit, Slopes pulls, int a, int b, double pull) {
    for (int half = 0; half < 2; half++) {
        const float apart = fit->weight[a][half] - fit->weight[b][half];
        pulls[a][half] += (float)pull * apart, pulls[b][half] -= (float)pull * apart;
    }
}

static void all_pulls(const Fitting *f, Slopes pulls) {
    const double pull = f->options->pull / (double)(f->learnt + 1) / 10;
    for (int w = 0; w < WEIGHTS; w++)
        for (int half = 0; half < 2; half++)
            pulls[w][half] = (float)pull * (f->fit->weight[w][half] - f->start.weight[w][half]);
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        if (terms[t].lie == ALONE) continue;
        const int across = terms[t].lie == RANKS_4 ? 4 : terms[t].lie == RANKS_8 ? 8 : terms[t].n;
        for (int i = 0; i < terms[t].n; i++) {
            if (i % across) pull_together(f->fit, pulls, terms[t].first + i - 1, terms[t].first + i, pull);
            if (terms[t].lie == RANKS_4 && i >= across)
                pull_together(f->fit, pulls, terms[t].first + i - across, terms[t].first + i, pull);
        }
    }
}

static void step(Fitting *f, size_t samples) {
    Slopes pulls;
    all_pulls(f, pulls);
    f->steps++;
    const double one = 1 - pow(MEMORY_ONE, f->steps), two = 1 - pow(MEMORY_TWO, f->steps);
    for (int w = 0; w < WEIGHTS; w++)
        for (int half = 0; half < 2; half++) {
            double slope = 0;
            for (unsigned t = 0; t < f->options->threads; t++) slope += (double)f->slopes[t][w][half];
            slope = slope / (double)samples + (double)pulls[w][half];
            Memory *m = &f->memory[w][half];
            m->mean = MEMORY_ONE * m->mean + (1 - MEMORY_ONE) * slope;
            m->square = MEMORY_TWO * m->square + (1 - MEMORY_TWO) * slope * slope;
            f->fit->weight[w][half] -= (float)(f->rate * m->mean / one / (sqrt(m->square / two) + TINY));
        }
}

static bool epoch(Fitting *f, uint64_t *seed, TabiaError *error) {
    points_shuffle(f->order, f->learnt, seed);
    for (size_t at = 0; at < f->learnt; at += BATCH) {
        f->begin = at, f->end = at + BATCH < f->learnt ? at + BATCH : f->learnt;
        if (!tabia_threads_run(f->options->threads, sum_slopes, f, error)) return false;
        step(f, f->end - f->begin);
    }
    return true;
}

static bool run(Fitting *f, bool (*report)(void *, const FitReport *), void *context, TabiaError *error) {
    uint64_t seed = f->options->seed;
    Fit best = *f->fit;
    double best_error = 1;
    unsigned waited = 0, halvings = 0;
    for (unsigned e = 0;; e++) {
        FitReport r = {.epoch = e, .rate = f->rate, .k = f->k, .aside = f->aside};
        if (!mean_error(f, 0, f->learnt, &r.error, error) || !mean_error(f, f->learnt, f->aside, &r.error_aside, error))
            return false;
        const double judged_by = f->aside ? r.error_aside : r.error;
        waited++;
        if (judged_by < best_error) best_error = judged_by, best = *f->fit, waited = 0;
        const bool go_on = !report || report(context, &r);
        if (waited >= PATIENCE) f->rate /= 2, waited = 0, halvings++, *f->fit = best;
        if (!go_on || e == f->options->epochs || halvings > HALVINGS) break;
        if (!epoch(f, &seed, error)) return false;
    }
    *f->fit = best;
    return true;
}

bool fit_weights(Fit *fit, Samples *samples, const FitOptions *options,
                 bool (*report)(void *context, const FitReport *report), void *context, TabiaError *error) {
    Fitting f = {.fit = fit, .start = *fit, .samples = samples, .options = options, .rate = RATE};
    f.order = malloc((samples->n + 1) * sizeof *f.order);
    f.memory = calloc(WEIGHTS, sizeof *f.memory);
    f.slopes = calloc(options->threads, sizeof *f.slopes);
    f.errors = calloc(options->threads, sizeof *f.errors);
    bool good = f.order && f.memory && f.slopes && f.errors;
    if (!good) tabia_fail(error, "no memory to fit %d weights to %zu positions", WEIGHTS, samples->n);
    if (good) {
        f.learnt = points_put_aside(f.order, samples->n, ASIDE), f.aside = samples->n - f.learnt;
        f.k = points_best_k(score_and_result, samples, samples->n);
        set_targets(samples, f.k, options->result_share);
        good = run(&f, report, context, error);
    }
    free(f.order), free(f.memory), free(f.slopes), free(f.errors);
    return good;
}
