/* SPDX-License-Identifier: MIT */
#include "smp_speedup.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "notation/fen.h"

typedef struct {
    double wall, cpu;
    uint64_t nodes;
} SmpSample;

/* The searches of a variant that run at once: one, or all independent ones. */
typedef struct {
    Search **searches;
    unsigned n;
} SearchGroup;

typedef struct {
    const SmpRequest *request;
    SearchGroup group[SMP_VARIANTS];
    SmpSample *samples; /* [position][round][variant] */
    unsigned done;
    bool *stopped;
    TabiaError *error;
} SmpRun;

static SmpSample *sample_of(const SmpRun *r, unsigned position, unsigned round, unsigned variant) {
    assert(position < r->request->positions_n && round < r->request->rounds && variant < SMP_VARIANTS);
    return &r->samples[((size_t)position * r->request->rounds + round) * SMP_VARIANTS + variant];
}

/* ---- one variant ---- */

static bool is_cancelled(SmpRun *r) {
    const SmpRequest *request = r->request;
    const unsigned all = request->positions_n * request->rounds * SMP_VARIANTS;
    if (request->on_progress && request->on_progress(request->context, r->done, all)) *r->stopped = true;
    return *r->stopped;
}

static bool has_reached(const SmpRun *r, const SearchGroup *t, unsigned position) {
    for (unsigned i = 0; i < t->n; i++) {
        const int reached = search_result(t->searches[i], 0).depth;
        if (reached < r->request->depth)
            return tabia_fail(r->error, "position %u: a search to depth %d ended at %d", position + 1,
                              r->request->depth, reached);
    }
    return true;
}

/* Measures one variant on one position, until its last search has ended. */
static bool measure_group(SmpRun *r, const SearchGroup *t, unsigned position, SmpSample *out) {
    const SearchLimits limits = {.depth = r->request->depth};
    Position p;
    if (!fen_parse(&p, r->request->positions[position], r->error)) return false;
    for (unsigned i = 0; i < t->n; i++) search_clear(t->searches[i]);
    const double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    for (unsigned i = 0; i < t->n; i++) {
        search_set_position(t->searches[i], &p, NULL, 0);
        search_start(t->searches[i], &limits, &(SearchListener){0});
    }
    for (unsigned i = 0; i < t->n; i++) search_wait(t->searches[i]);
    *out = (SmpSample){.wall = tabia_clock_wall() - wall, .cpu = tabia_clock_cpu() - cpu}; /* cpu of the process */
    for (unsigned i = 0; i < t->n; i++) out->nodes += search_nodes(t->searches[i]);
    r->done++;
    assert(r->done <= r->request->positions_n * r->request->rounds * SMP_VARIANTS);
    return is_cancelled(r) || has_reached(r, t, position);
}

/* ---- results ---- */

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, unsigned n) {
    assert(n > 0);
    qsort(v, n, sizeof *v, compare_doubles);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

static const char *variant_name(SmpVariant variant) {
    if (variant == SMP_VARIANT_SINGLE) return "one thread";
    return variant == SMP_VARIANT_INDEPENDENT ? "independent" : smp_mode_name((SmpMode)(variant - SMP_VARIANT_MODE));
}

static void sum_samples(const SmpRun *r, SmpVariant c, SmpResult *f) {
    *f = (SmpResult){.variant = variant_name(c)};
    for (unsigned p = 0; p < r->request->positions_n; p++)
        for (unsigned i = 0; i < r->request->rounds; i++) {
            const SmpSample *s = sample_of(r, p, i, c);
            f->nodes += s->nodes, f->wall += s->wall, f->cpu += s->cpu;
        }
}

static void compare_with_single(const SmpRun *r, SmpVariant c, SmpResult *f, double *rounds) {
    const unsigned n = r->request->positions_n;
    double logarithms = 0, node_logarithms = 0;
    for (unsigned p = 0; p < n; p++) {
        double nodes = 0, nodes_of_one = 0;
        for (unsigned i = 0; i < r->request->rounds; i++) {
            const SmpSample *one = sample_of(r, p, i, SMP_VARIANT_SINGLE), *more = sample_of(r, p, i, c);
            rounds[i] = ratio(one->wall, more->wall);
            nodes += (double)more->nodes, nodes_of_one += (double)one->nodes;
        }
        node_logarithms += log(ratio(nodes, nodes_of_one));
        const double times = median(rounds, r->request->rounds);
        logarithms += log(times);
        f->faster_positions += times > 1;
        if (!p || times < f->min) f->min = times;
        if (!p || times > f->max) f->max = times;
    }
    f->speedup = fmin(fmax(exp(logarithms / n), f->min), f->max); /* a mean lies between them, but for rounding */
    f->nodes_ratio = exp(node_logarithms / n);
}

static bool compute_results(const SmpRun *r, SmpResult results[SMP_VARIANTS]) {
    double *rounds = calloc(r->request->rounds, sizeof *rounds);
    if (!rounds) return tabia_fail(r->error, "no memory for %u rounds", r->request->rounds);
    for (SmpVariant c = 0; c < SMP_VARIANTS; c++) {
        SmpResult *f = &results[c];
        const SmpResult *one = &results[SMP_VARIANT_SINGLE];
        const unsigned threads = c == SMP_VARIANT_SINGLE ? 1 : r->request->threads;
        sum_samples(r, c, f);
        compare_with_single(r, c, f, rounds);
        f->speedup_of_sums = ratio(one->wall, f->wall);
        f->nodes_ratio_of_sums = ratio((double)f->nodes, (double)one->nodes);
        f->nps_ratio = f->nodes_ratio_of_sums * f->speedup_of_sums;
        f->nps_cpu_ratio = f->nodes_ratio_of_sums * ratio(one->cpu * threads, f->cpu);
    }
    free(rounds);
    return true;
}

/* ---- all variants ---- */

static bool create_group(SmpRun *r, SmpVariant c) {
    SearchGroup *t = &r->group[c];
    const bool several = c >= SMP_VARIANT_MODE && c < SMP_VARIANT_INDEPENDENT;
    const SearchSettings settings = {.hash_bytes = r->request->hash_bytes,
                                     .threads = several ? r->request->threads : 1,
                                     .smp_mode = several ? (SmpMode)(c - SMP_VARIANT_MODE) : SMP_LAZY,
                                     .path_key = PATH_KEY_DEFAULT};
    const unsigned n = c == SMP_VARIANT_INDEPENDENT ? r->request->threads : 1;
    t->searches = calloc(n, sizeof *t->searches);
    if (!t->searches) return tabia_fail(r->error, "no memory for %u searches", n);
    for (; t->n < n; t->n++)
        if (!(t->searches[t->n] = search_create(&settings, r->error))) return false;
    return true;
}

static bool create_groups(SmpRun *r) {
    for (SmpVariant c = 0; c < SMP_VARIANTS; c++)
        if (!create_group(r, c)) return false;
    return true;
}

static void free_group(SearchGroup *t) {
    while (t->n) search_destroy(t->searches[--t->n]);
    free(t->searches);
}

/* The first variant changes from round to round. */
static bool measure_all(SmpRun *r) {
    for (unsigned i = 0; i < r->request->rounds; i++)
        for (unsigned p = 0; p < r->request->positions_n; p++)
            for (unsigned turn = 0; turn < SMP_VARIANTS; turn++) {
                const unsigned c = (turn + i + p) % SMP_VARIANTS;
                if (!measure_group(r, &r->group[c], p, sample_of(r, p, i, c))) return false;
                if (*r->stopped) return true;
            }
    return true;
}

bool smp_measure(const SmpRequest *request, SmpResult results[SMP_VARIANTS], bool *stopped, TabiaError *error) {
    SmpRun r = {.request = request, .stopped = stopped, .error = error};
    *stopped = false;
    r.samples = calloc((size_t)request->positions_n * request->rounds * SMP_VARIANTS, sizeof *r.samples);
    bool good = r.samples || tabia_fail(error, "no memory for the figures of %u rounds", request->rounds);
    good = good && create_groups(&r) && measure_all(&r);
    if (good && !*stopped) good = compute_results(&r, results);
    for (SmpVariant c = 0; c < SMP_VARIANTS; c++) free_group(&r.group[c]);
    free(r.samples);
    return good;
}
