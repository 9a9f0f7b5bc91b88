/* SPDX-License-Identifier: MIT */
#include "tuning/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASIDE = 10, BATCH = 4096 };
static const double RATE = 0.8, MEMORY_ONE = 0.9, MEMORY_TWO = 0.999, TINY = 1e-8, PULL = 1e-7;
static const double K = 0.0045; /* of a centipawn; 200 are then 71 points of 100 */

/* What Adam remembers of a weight. */
typedef struct {
    double gradient, mean, square;
} Slope;

static double evaluation_of(const Fit *f, const Samples *s, const Sample *a) {
    double middle = 0, end = 0;
    for (const Coefficient *c = s->coefficient + a->first; c < s->coefficient + a->first + a->n; c++) {
        middle += c->times * f->middle[c->weight];
        end += c->times * f->end[c->weight];
    }
    return (middle * a->phase + end * a->scale / SCALE_MAX * (PHASE_MAX - a->phase)) / PHASE_MAX;
}

static double points(double evaluation) {
    return 1 / (1 + exp(-K * evaluation));
}

static void set_targets(Samples *s, double result_share) {
    for (size_t i = 0; i < s->n; i++)
        s->sample[i].target =
            (float)(result_share * s->sample[i].result / 2 + (1 - result_share) * points(s->sample[i].target_score));
}

static double mean_error(const Fit *f, const Samples *s, bool aside) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if ((i / 64 % ASIDE == 0) != aside) continue;
        const double error = points(evaluation_of(f, s, &s->sample[i])) - s->sample[i].target;
        sum += error * error, n++;
    }
    return n ? sum / (double)n : 0;
}

static void add_slopes(const Fit *f, const Samples *s, const Sample *a, Slope *middle, Slope *end) {
    const double p = points(evaluation_of(f, s, a)), slope = (p - a->target) * p * (1 - p);
    const double of_middle = slope * a->phase / PHASE_MAX,
                 of_end = slope * a->scale / SCALE_MAX * (PHASE_MAX - a->phase) / PHASE_MAX;
    for (const Coefficient *c = s->coefficient + a->first; c < s->coefficient + a->first + a->n; c++) {
        middle[c->weight].gradient += c->times * of_middle;
        end[c->weight].gradient += c->times * of_end;
    }
}

static void step(Slope *s, double *weight, double start, unsigned steps, double rate) {
    const double g = s->gradient / BATCH + PULL * (*weight - start);
    s->mean = MEMORY_ONE * s->mean + (1 - MEMORY_ONE) * g;
    s->square = MEMORY_TWO * s->square + (1 - MEMORY_TWO) * g * g;
    const double mean = s->mean / (1 - pow(MEMORY_ONE, steps)), square = s->square / (1 - pow(MEMORY_TWO, steps));
    *weight -= rate * mean / (sqrt(square) + TINY);
    s->gradient = 0;
}

static void epoch(Fit *f, const Fit *start, const Samples *s, Slope *middle, Slope *end, unsigned *steps, double rate) {
    size_t in_batch = 0;
    for (size_t i = 0; i < s->n; i++) {
        /* A stride that has no factor in common with any likely number mixes the games. */
        const size_t at = i * 1000003 % s->n;
        if (at / 64 % ASIDE == 0) continue;
        add_slopes(f, s, &s->sample[at], middle, end);
        if (++in_batch < BATCH) continue;
        in_batch = 0;
        ++*steps;
        for (int w = 0; w < WEIGHTS; w++) {
            step(&middle[w], &f->middle[w], start->middle[w], *steps, rate);
            step(&end[w], &f->end[w], start->end[w], *steps, rate);
        }
    }
}

bool fit_weights(Fit *fit, Samples *samples, const FitOptions *options,
                 void (*report)(unsigned epoch, double error, double error_aside), Fault *fault) {
    Slope *slopes = calloc(2 * WEIGHTS, sizeof *slopes);
    if (!slopes) return tabia_fault(fault, "no memory for the slopes of %d weights", WEIGHTS);
    for (int i = 0; i < WEIGHTS; i++) fit->middle[i] = weights[i].middle, fit->end[i] = weights[i].end;
    const Fit start = *fit;
    set_targets(samples, options->result_share);
    if (report) report(0, mean_error(fit, samples, false), mean_error(fit, samples, true));
    unsigned steps = 0;
    for (unsigned e = 1; e <= options->epochs; e++) {
        const double rate = RATE * (1 - 0.9 * e / options->epochs);
        epoch(fit, &start, samples, slopes, slopes + WEIGHTS, &steps, rate);
        if (report) report(e, mean_error(fit, samples, false), mean_error(fit, samples, true));
    }
    free(slopes);
    return true;
}

/* ---- writing ---- */

static const struct {
    const char *name;
    int n;
} terms[] = {
#define TERM_ROW(name, n, about) {#name, n},
    TERMS(TERM_ROW)
#undef TERM_ROW
};

static void write_all(const Fit *fit, FILE *out) {
    fputs("/* SPDX-License-Identifier: MIT */\n"
          "/* The weights of the evaluation, in the order of terms.h: {middlegame, endgame}. Written by `tabia tune`. "
          "*/\n"
          "#include \"terms.h\"\n\n"
          "/* clang-format off */\n\n"
          "const Weight weights[WEIGHTS] = {\n",
          out);
    int w = 0;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        fprintf(out, "    /* %s */\n", terms[t].name);
        for (int i = 0; i < terms[t].n; i++, w++)
            fprintf(out, "%s{%ld, %ld},%s", i % 8 ? " " : "    ", lround(fit->middle[w]), lround(fit->end[w]),
                    i % 8 == 7 || i + 1 == terms[t].n ? "\n" : "");
    }
    fputs("};\n", out);
}

bool fit_write(const Fit *fit, const char *path, Fault *fault) {
    char other[4096];
    if (snprintf(other, sizeof other, "%s.new", path) >= (int)sizeof other)
        return tabia_fault(fault, "the path is too long: %.200s", path);
    FILE *out = fopen(other, "w");
    if (!out) return tabia_fault(fault, "cannot write %s", other);
    write_all(fit, out);
    const bool good = !ferror(out);
    if ((fclose(out) != 0) | !good || rename(other, path) != 0) {
        remove(other);
        return tabia_fault(fault, "cannot write %s", path);
    }
    return true;
}
