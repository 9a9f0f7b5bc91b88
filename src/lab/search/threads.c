/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/time.h"

/* A search, and the word that it is over. */
typedef struct {
    Search *search;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over;
    double wall, cpu; /* by then */
} Wait;

typedef struct {
    double wall, cpu;
    uint64_t nodes;
} Sample;

/* The searches of a contender, at work at once: one, or all that are apart. */
typedef struct {
    Wait *wait;
    unsigned n;
} Team;

typedef struct {
    const ThreadsJob *job;
    Team team[CONTENDERS];
    Sample *samples; /* [position][round][contender] */
    unsigned done;
    bool *stopped;
    TabiaError *error;
} Run;

static Sample *sample_of(const Run *r, unsigned position, unsigned round, unsigned contender) {
    return &r->samples[((size_t)position * r->job->rounds + round) * CONTENDERS + contender];
}

/* ---- one contender's turn ---- */

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

static void begin(Wait *w, const Position *p, int depth) {
    const SearchLimits limits = {.depth = depth};
    const SearchListener listener = {.context = w, .best = take_best};
    search_set_position(w->search, p, NULL, 0);
    search_start(w->search, &limits, &listener);
}

static void stop(const Team *t) {
    for (unsigned i = 0; i < t->n; i++) search_stop(t->wait[i].search);
}

static bool has_reached(const Run *r, const Team *t, unsigned position) {
    for (unsigned i = 0; i < t->n; i++) {
        const int reached = search_answer(t->wait[i].search, 0).depth;
        if (reached < r->job->depth)
            return tabia_fail(r->error, "position %u: a search to depth %d ended at %d", position + 1, r->job->depth,
                              reached);
    }
    return true;
}

/* Until the last is over. */
static bool take_turn(Run *r, const Team *t, unsigned position, Sample *out) {
    for (unsigned i = 0; i < t->n; i++) search_clear(t->wait[i].search), t->wait[i].over = false;
    const double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    for (unsigned i = 0; i < t->n; i++) begin(&t->wait[i], &r->job->positions->all[position], r->job->depth);
    for (unsigned i = 0; i < t->n; i++)
        while (!is_over(&t->wait[i]))
            if (told_to_stop(r)) stop(t);
    *out = (Sample){0};
    for (unsigned i = 0; i < t->n; i++) {
        const Wait *w = &t->wait[i];
        search_wait(w->search);
        if (w->wall - wall > out->wall) out->wall = w->wall - wall;
        if (w->cpu - cpu > out->cpu) out->cpu = w->cpu - cpu; /* the process's */
        out->nodes += search_nodes(w->search);
    }
    r->done++;
    return told_to_stop(r) || has_reached(r, t, position);
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
    f->sooner = fmin(fmax(exp(logarithms / n), f->least), f->most); /* which a mean is between, but for its rounding */
    f->more_nodes = exp(node_logarithms / n);
}

static bool work_out(const Run *r, ThreadsFigures figures[CONTENDERS]) {
    double *rounds = calloc(r->job->rounds, sizeof *rounds);
    if (!rounds) return tabia_fail(r->error, "no memory for %u rounds", r->job->rounds);
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

static bool make_team(Run *r, Contender c) {
    Team *t = &r->team[c];
    const bool several = c == CONTENDER_LAZY || c == CONTENDER_DEFERRAL;
    const SearchSettings settings = {.hash_bytes = r->job->hash_bytes,
                                     .pawn_bytes = 4 << 20,
                                     .threads = several ? r->job->threads : 1,
                                     .scheme = c == CONTENDER_DEFERRAL ? SCHEME_DEFERRAL : SCHEME_LAZY,
                                     .history_key = HISTORY_FIFTY_COUNT};
    const unsigned n = c == CONTENDER_APART ? r->job->threads : 1;
    t->wait = calloc(n, sizeof *t->wait);
    if (!t->wait) return tabia_fail(r->error, "no memory for %u searches", n);
    for (; t->n < n; t->n++) {
        Wait *w = &t->wait[t->n];
        *w = (Wait){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
        w->search = search_create(&settings, r->error);
        if (!w->search) return false;
    }
    return true;
}

static bool make_teams(Run *r) {
    for (Contender c = 0; c < CONTENDERS; c++)
        if (!make_team(r, c)) return false;
    return true;
}

static void free_team(Team *t) {
    while (t->n) search_destroy(t->wait[--t->n].search);
    free(t->wait);
}

/* Who begins changes from round to round. */
static bool search_all(Run *r) {
    for (unsigned i = 0; i < r->job->rounds; i++)
        for (unsigned p = 0; p < r->job->positions->n; p++)
            for (unsigned turn = 0; turn < CONTENDERS; turn++) {
                const unsigned c = (turn + i + p) % CONTENDERS;
                if (!take_turn(r, &r->team[c], p, sample_of(r, p, i, c))) return false;
                if (*r->stopped) return true;
            }
    return true;
}

bool threads_measure(const ThreadsJob *job, ThreadsFigures figures[CONTENDERS], bool *stopped, TabiaError *error) {
    Run r = {.job = job, .stopped = stopped, .error = error};
    *stopped = false;
    r.samples = calloc((size_t)job->positions->n * job->rounds * CONTENDERS, sizeof *r.samples);
    bool good = r.samples || tabia_fail(error, "no memory for the figures of %u rounds", job->rounds);
    good = good && make_teams(&r) && search_all(&r);
    if (good && !*stopped) good = work_out(&r, figures);
    for (Contender c = 0; c < CONTENDERS; c++) free_team(&r.team[c]);
    free(r.samples);
    return good;
}
