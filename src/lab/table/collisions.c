/* SPDX-License-Identifier: MIT */
#include "collisions.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/stop.h"
#include "base/threads.h"
#include "base/time.h"

/* A search that a false hit sends astray may grow without end. */
enum { NODES_MOST = 20000 };

/* The first as it was: slots of which another thread has written a half are taken as they come. Under xor they are
   misses, after which the position is searched anew, and now and then that heals what all the games had met. */
const CollisionCase collision_cases[COLLISION_CASES] = {
    {"shared, narrow, loose", TABIA_SHARED, TABIA_NONE, .narrow = true, .falls = true},
    {"shared, wide, loose", TABIA_SHARED, TABIA_XOR, .falls = false},
    {"partition, narrow, strict", TABIA_PARTITIONED, TABIA_XOR, .strict = true, .narrow = true},
};

void collision_defaults(DatagenSettings *s) {
    datagen_settings_default(s);
    s->search.depth = 1;
    s->search.nodes = NODES_MOST;
    s->adjudication.eval_limit = 1500;
    s->adjudication.resign_plies = s->adjudication.draw_plies = 0;
    s->opening.random_min_ply = 5, s->opening.random_max_ply = 24, s->opening.random_count = 5;
    s->opening.score_limit = 0;
    s->output.min_ply = 16;
    s->table.signature_bits = 8;
    s->table.hash_bytes = 64 << 10;
}

/* ---- a run ---- */

typedef struct {
    const DatagenSettings *s;
    const CollisionJob *job;
    const Openings *openings;
    TabiaTable *table;
    TabiaError *error;
    double began, all; /* all: processor time of all threads together, or nodes */
    double noted;      /* when the last game had ended */
    uint64_t nodes;    /* until then */
    _Atomic uint64_t next;
    atomic_bool over, failed;
    pthread_mutex_t lock;
    CollisionSlice *slice;
} CollisionRun;

static bool over(void *run) {
    return atomic_load_explicit(&((CollisionRun *)run)->over, memory_order_relaxed);
}

/* A game belongs where it ends. */
static CollisionSlice *slice_at(const CollisionRun *run, double done) {
    const double at = done * COLLISION_SLICES;
    assert(done >= 0);
    return &run->slice[at < COLLISION_SLICES ? (unsigned)at : COLLISION_SLICES - 1];
}

static void note_game(CollisionRun *run, const SelfplayGame *g, uint64_t false_hits) {
    pthread_mutex_lock(&run->lock);
    const double now = tabia_clock_cpu() - run->began;
    run->nodes += g->counts.nodes;
    const double done = (run->job->nodes ? (double)run->nodes : now) / run->all;
    CollisionSlice *s = slice_at(run, done);
    s->positions += g->record_count;
    s->games++, s->empty += g->record_count == 0;
    s->plies += g->counts.plies, s->nodes += g->counts.nodes;
    s->false_hits += false_hits;
    s->seconds += now - run->noted;
    run->noted = now;
    const bool stop = run->job->watch && run->job->watch(run->job->context, fmin(done, 1));
    if (done >= 1 || stop) atomic_store(&run->over, true);
    pthread_mutex_unlock(&run->lock);
}

static void give_up(CollisionRun *run, const char *why) {
    pthread_mutex_lock(&run->lock);
    tabia_fail(run->error, "%s", why);
    pthread_mutex_unlock(&run->lock);
    atomic_store(&run->failed, true);
    atomic_store(&run->over, true);
}

static void work(void *context, unsigned worker) {
    CollisionRun *run = context;
    TabiaError error;
    TabiaTable *table = tabia_table_partition(run->table, worker);
    Search *search = selfplay_search_create(run->s, table, true, &error);
    SelfplayGame *g = selfplay_game_create(run->s->adjudication.max_ply);
    uint64_t false_hits = 0;
    if (!search || !g) give_up(run, search ? "no memory for a game" : error.text);
    /* Nobody wipes the table between games: that would cure what is to be seen. */
    const SelfplayPlayer player = {
        .settings = run->s, .openings = run->openings, .search = search, .stop = over, .context = run};
    while (!over(run) && selfplay_play(&player, atomic_fetch_add(&run->next, 1), g)) {
        const uint64_t so_far = search_false_hits(search);
        note_game(run, g, so_far - false_hits);
        false_hits = so_far;
    }
    selfplay_game_destroy(g);
    search_destroy(search);
}

/* ---- what came of it ---- */

CollisionSlice collision_sum(const CollisionResult *r, unsigned from, unsigned to) {
    CollisionSlice sum = {0};
    assert(from <= to && to <= COLLISION_SLICES);
    for (unsigned i = from; i < to; i++) {
        const CollisionSlice *s = &r->slice[i];
        sum.positions += s->positions;
        sum.games += s->games, sum.empty += s->empty;
        sum.plies += s->plies, sum.nodes += s->nodes;
        sum.false_hits += s->false_hits;
        sum.seconds += s->seconds;
    }
    return sum;
}

double collision_rate(CollisionSlice s) {
    return s.seconds > 0 ? (double)s.positions / s.seconds : 0;
}

double collision_rate_by_nodes(CollisionSlice s) {
    return s.nodes ? 1e6 * (double)s.positions / (double)s.nodes : 0;
}

static double over_first(double part, double first) {
    return first > 0 ? part / first : 1;
}

static void sum_up(CollisionResult *r) {
    enum { QUARTER = COLLISION_SLICES / 4 };
    const CollisionSlice first = collision_sum(r, 0, COLLISION_SLICES / 10),
                         last = collision_sum(r, COLLISION_SLICES - QUARTER, COLLISION_SLICES);
    const double mean = collision_rate_by_nodes(collision_sum(r, 0, COLLISION_SLICES));
    r->left = over_first(collision_rate(last), collision_rate(first));
    r->left_by_nodes = over_first(collision_rate_by_nodes(last), collision_rate_by_nodes(first));
    r->least_by_nodes = mean > 0 ? 1 : 0;
    for (unsigned i = 0; i < COLLISION_SLICES && mean > 0; i += QUARTER)
        r->least_by_nodes = fmin(r->least_by_nodes, collision_rate_by_nodes(collision_sum(r, i, i + QUARTER)) / mean);
}

bool collision_as_expected(const CollisionCase *c, const CollisionResult *r) {
    if (c->falls) return r->left < COLLISION_FALL && r->left_by_nodes < COLLISION_FALL;
    return r->least_by_nodes >= COLLISION_STAY;
}

/* ---- all of it ---- */

static TabiaOptions table_of(const CollisionCase *c, const DatagenTable *t, unsigned threads) {
    TabiaOptions options = datagen_table_options(t, threads);
    options.path_bits = 64 - COLLISION_BITS_MOST; /* the shadow's */
    options.integrity = c->integrity;
    if (!c->strict) options.age_weight = TABIA_AGE_IGNORED; /* one generation for ever, as it was */
    return options;
}

bool collisions_run(const CollisionCase *c, const CollisionJob *job, CollisionResult *result, TabiaError *error) {
    DatagenSettings s = *job->settings;
    s.table.sharing = c->sharing, s.table.strict_generations = c->strict;
    if (!c->narrow) s.table.signature_bits = 0;
    if (c->sharing != TABIA_SHARED) s.table.hash_bytes /= job->threads;
    TabiaOptions options = table_of(c, &s.table, job->threads);
    const double all = job->nodes ? (double)job->nodes : job->seconds * job->threads;
    Openings openings;
    *result = (CollisionResult){0};
    CollisionRun run = {.s = &s, .job = job, .openings = &openings, .error = error, .all = all, .slice = result->slice};
    if (!openings_open(&openings, NULL, s.opening.start, false, NULL, error)) return false;
    options.watch = &(TabiaWatch){.stop = tabia_stop_watch};
    if (tabia_table_create(&run.table, &options, error)) return false;
    pthread_mutex_init(&run.lock, NULL);
    run.began = tabia_clock_cpu();
    const bool ran = tabia_threads_run(job->threads, work, &run, error);
    sum_up(result);
    pthread_mutex_destroy(&run.lock);
    tabia_table_destroy(run.table);
    return ran && !atomic_load(&run.failed);
}
