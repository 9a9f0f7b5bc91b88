/* SPDX-License-Identifier: MIT */
#include "lab/threads.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

/* A search, and the word that it is over. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over;
    double wall, cpu; /* by then */
} Wait;

typedef struct {
    double wall, cpu;
    uint64_t nodes;
} Sample;

typedef struct {
    const ThreadsJob *job;
    Search *search[CONTENDERS];
    Sample *samples; /* [position][round][contender] */
    unsigned done;
    bool *stopped;
    Fault *fault;
} Run;

static Sample *sample_of(const Run *r, unsigned position, unsigned round, unsigned contender) {
    return &r->samples[((size_t)position * r->job->rounds + round) * CONTENDERS + contender];
}

/* ---- one search ---- */

static void take_best(void *context, Move best, Move ponder) {
    Wait *w = context;
    (void)best, (void)ponder;
    pthread_mutex_lock(&w->lock);
    w->wall = tabia_clock_wall(), w->cpu = tabia_clock_cpu();
    w->over = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static bool is_over(Wait *w) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100 * 1000 * 1000;
    if (until.tv_nsec >= 1000 * 1000 * 1000) until.tv_sec++, until.tv_nsec -= 1000 * 1000 * 1000;
    pthread_mutex_lock(&w->lock);
    int late = 0;
    while (!w->over && late != ETIMEDOUT) late = pthread_cond_timedwait(&w->changed, &w->lock, &until);
    const bool over = w->over;
    pthread_mutex_unlock(&w->lock);
    return over;
}

static bool told_to_stop(Run *r) {
    const ThreadsJob *job = r->job;
    const unsigned all = job->positions->n * job->rounds * CONTENDERS;
    if (job->watch && job->watch(job->context, r->done, all)) *r->stopped = true;
    return *r->stopped;
}

static bool search_one(Run *r, Search *s, unsigned position, Sample *out) {
    Wait w = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    const SearchLimits limits = {.depth = r->job->depth};
    const SearchListener listener = {.context = &w, .best = take_best};
    search_clear(s);
    search_set_position(s, &r->job->positions->all[position], NULL, 0);
    const double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    search_start(s, &limits, &listener);
    while (!is_over(&w))
        if (told_to_stop(r)) search_stop(s);
    search_wait(s);
    *out = (Sample){w.wall - wall, w.cpu - cpu, search_nodes(s)};
    r->done++;
    if (told_to_stop(r)) return true;
    const int reached = search_answer(s, 0).depth;
    return reached >= r->job->depth ||
           tabia_fault(r->fault, "position %u: a search to depth %d ended at %d", position + 1, r->job->depth, reached);
}

/* ---- figures ---- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, unsigned n) {
    qsort(v, n, sizeof *v, by_value);
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

static void sum_up(const Run *r, Contender c, ThreadsFigures *f) {
    *f = (ThreadsFigures){0};
    for (unsigned p = 0; p < r->job->positions->n; p++)
        for (unsigned i = 0; i < r->job->rounds; i++) {
            const Sample *s = sample_of(r, p, i, c);
            f->nodes += s->nodes, f->wall += s->wall, f->cpu += s->cpu;
        }
}

static void compare_positions(const Run *r, Contender c, ThreadsFigures *f, double *rounds) {
    const unsigned n = r->job->positions->n;
    double logarithms = 0, node_logarithms = 0;
    for (unsigned p = 0; p < n; p++) {
        double nodes = 0, nodes_of_one = 0;
        for (unsigned i = 0; i < r->job->rounds; i++) {
            const Sample *one = sample_of(r, p, i, CONTENDER_ONE), *more = sample_of(r, p, i, c);
            rounds[i] = ratio(one->wall, more->wall);
            nodes += (double)more->nodes, nodes_of_one += (double)one->nodes;
        }
        node_logarithms += log(ratio(nodes, nodes_of_one));
        const double times = median(rounds, r->job->rounds);
        logarithms += log(times);
        f->won += times > 1;
        if (!p || times < f->least) f->least = times;
        if (!p || times > f->most) f->most = times;
    }
    f->sooner = exp(logarithms / n);
    f->more_nodes = exp(node_logarithms / n);
}

static bool work_out(const Run *r, ThreadsFigures figures[CONTENDERS]) {
    double *rounds = calloc(r->job->rounds, sizeof *rounds);
    if (!rounds) return tabia_fault(r->fault, "no memory for %u rounds", r->job->rounds);
    for (Contender c = 0; c < CONTENDERS; c++) {
        ThreadsFigures *f = &figures[c];
        const ThreadsFigures *one = &figures[CONTENDER_ONE];
        const unsigned threads = c == CONTENDER_ONE ? 1 : r->job->threads;
        sum_up(r, c, f);
        compare_positions(r, c, f, rounds);
        f->sooner_sum = ratio(one->wall, f->wall);
        f->more_nodes_sum = ratio((double)f->nodes, (double)one->nodes);
        f->speed = f->more_nodes_sum * f->sooner_sum;
        f->speed_cpu = f->more_nodes_sum * ratio(one->cpu * threads, f->cpu);
    }
    free(rounds);
    return true;
}

/* ---- all ---- */

static bool make_searches(Run *r) {
    for (Contender c = 0; c < CONTENDERS; c++) {
        const SearchSettings settings = {.hash_bytes = r->job->hash_bytes,
                                         .pawn_bytes = 4 << 20,
                                         .threads = c == CONTENDER_ONE ? 1 : r->job->threads,
                                         .scheme = c == CONTENDER_DEFERRAL ? SCHEME_DEFERRAL : SCHEME_LAZY,
                                         .history_key = HISTORY_FIFTY_COUNT};
        r->search[c] = search_create(&settings, r->fault);
        if (!r->search[c]) return false;
    }
    return true;
}

/* Who begins changes from round to round. */
static bool search_all(Run *r) {
    for (unsigned i = 0; i < r->job->rounds; i++)
        for (unsigned p = 0; p < r->job->positions->n; p++)
            for (unsigned turn = 0; turn < CONTENDERS; turn++) {
                const unsigned c = (turn + i + p) % CONTENDERS;
                if (!search_one(r, r->search[c], p, sample_of(r, p, i, c))) return false;
                if (*r->stopped) return true;
            }
    return true;
}

bool threads_measure(const ThreadsJob *job, ThreadsFigures figures[CONTENDERS], bool *stopped, Fault *fault) {
    Run r = {.job = job, .stopped = stopped, .fault = fault};
    *stopped = false;
    r.samples = calloc((size_t)job->positions->n * job->rounds * CONTENDERS, sizeof *r.samples);
    bool good = r.samples || tabia_fault(fault, "no memory for the figures of %u rounds", job->rounds);
    good = good && make_searches(&r) && search_all(&r);
    if (good && !*stopped) good = work_out(&r, figures);
    for (Contender c = 0; c < CONTENDERS; c++) search_destroy(r.search[c]);
    free(r.samples);
    return good;
}
