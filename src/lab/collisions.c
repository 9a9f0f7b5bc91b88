/* SPDX-License-Identifier: MIT */
#include "lab/collisions.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/threads.h"

/* A search that a false hit sends astray may grow without end. */
enum { NODES_MOST = 20000 };

const CollisionCase collision_cases[COLLISION_CASES] = {
    {"shared, narrow, loose", TABIA_SHARED, false, true},
    {"shared, wide, loose", TABIA_SHARED, false, false},
    {"partition, narrow, strict", TABIA_PARTITIONED, true, true},
};

/* What the games are: depth, opening, limit. */
static Settings settings_of(const CollisionCase *c, const CollisionJob *job) {
    Settings s;
    settings_default(&s);
    s.depth = job->depth;
    s.eval_limit = job->eval_limit;
    s.random_max_ply = 24, s.random_count = 5;
    s.write_min_ply = 16;
    s.nodes = NODES_MOST;
    s.opening_limit = 0;
    s.resign_plies = s.draw_plies = 0;
    s.seed = job->seed;
    s.sharing = c->sharing, s.strict = c->strict, s.signature_bits = c->narrow ? job->narrow_bits : 0;
    s.hash_bytes = c->sharing == TABIA_SHARED ? job->hash_bytes : job->hash_bytes / job->threads;
    return s;
}

typedef struct {
    uint64_t positions, games, plies;
} Slice;

typedef struct {
    const Settings *s;
    const CollisionJob *job;
    const Openings *openings;
    TabiaTable *table;
    Fault *fault;
    double began, seconds; /* processor time of all threads together */
    _Atomic uint64_t next;
    atomic_bool over, failed;
    pthread_mutex_t lock;
    Slice slice[COLLISION_SLICES];
    uint64_t empty;
} Run;

static bool over(void *run) {
    return atomic_load_explicit(&((Run *)run)->over, memory_order_relaxed);
}

static void note_game(Run *run, const SelfGame *g) {
    pthread_mutex_lock(&run->lock);
    const double done = (tabia_clock_cpu() - run->began) / run->seconds;
    const unsigned at = (unsigned)(done * COLLISION_SLICES);
    if (at < COLLISION_SLICES) {
        run->slice[at].games++;
        run->slice[at].plies += g->counts.plies;
        run->slice[at].positions += g->n;
        run->empty += g->n == 0;
    }
    if (done >= 1 || run->job->watch(run->job->context, done)) atomic_store(&run->over, true);
    pthread_mutex_unlock(&run->lock);
}

static void work(void *context, unsigned worker) {
    Run *run = context;
    Fault fault;
    Search *search = selfplay_search(tabia_table_share(run->table, worker), &fault);
    SelfGame *g = selfplay_create(run->s);
    if (!search || !g) {
        pthread_mutex_lock(&run->lock);
        if (!search) *run->fault = fault;
        if (search) tabia_fault(run->fault, "no memory for a game");
        pthread_mutex_unlock(&run->lock);
        atomic_store(&run->failed, true);
        atomic_store(&run->over, true);
    }
    /* Nobody wipes the table between games: that would cure what is to be seen. */
    const Player player = {
        .settings = run->s, .openings = run->openings, .search = search, .stop = over, .context = run};
    while (!over(run) && selfplay_play(&player, atomic_fetch_add(&run->next, 1), g)) note_game(run, g);
    selfplay_destroy(g);
    search_destroy(search);
}

static double mean_rate(const CollisionResult *r, unsigned from, unsigned to) {
    double sum = 0;
    for (unsigned i = from; i < to; i++) sum += r->rate[i];
    return sum / (to - from);
}

static void sum_up(const Run *run, CollisionResult *r) {
    const double step = run->seconds / COLLISION_SLICES;
    *r = (CollisionResult){.empty = run->empty, .whole = true};
    for (unsigned i = 0; i < COLLISION_SLICES; i++) {
        const Slice *s = &run->slice[i];
        r->at[i] = (i + 1) * step / run->job->threads;
        r->rate[i] = (double)s->positions / step;
        r->plies[i] = s->games ? (double)s->plies / (double)s->games : 0;
        r->positions += s->positions;
        r->games += s->games;
    }
    const double first = mean_rate(r, 0, 2);
    r->share_left = first > 0 ? mean_rate(r, COLLISION_SLICES * 3 / 4, COLLISION_SLICES) / first : 0;
}

bool collisions_run(const CollisionCase *c, const CollisionJob *job, CollisionResult *result, Fault *fault) {
    const Settings s = settings_of(c, job);
    const TabiaOptions options = settings_table(&s, job->threads);
    Openings openings;
    TabiaReason why;
    Run run = {.s = &s, .job = job, .openings = &openings, .fault = fault, .seconds = job->seconds * job->threads};
    if (!openings_open(&openings, NULL, s.start, false, NULL, fault)) return false;
    if (tabia_table_create(&run.table, &options, &why)) return tabia_fault(fault, "%s", why.text);
    pthread_mutex_init(&run.lock, NULL);
    run.began = tabia_clock_cpu();
    const bool ran = tabia_threads_run(job->threads, work, &run, fault);
    sum_up(&run, result);
    result->whole = tabia_clock_cpu() - run.began >= run.seconds;
    pthread_mutex_destroy(&run.lock);
    tabia_table_destroy(run.table);
    return ran && !atomic_load(&run.failed);
}
