/* SPDX-License-Identifier: MIT */
#include "hazard_grid.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/threads.h"
#include "collisions.h"

const char *const hazard_series_names[HAZARD_SERIES] = {"bits", "depth", "size", "limit", "cures"};

void hazard_defaults(DatagenSettings *s) {
    collision_defaults(s);
    s->adjudication.eval_limit = 800;
}

/* ---- the points ---- */

static HazardPoint *add(HazardGrid *grid, unsigned series, const DatagenSettings *base, uint64_t nodes) {
    assert(grid->points < HAZARD_POINTS_MAX);
    HazardPoint *p = &grid->point[grid->points++];
    *p = (HazardPoint){.series = series, .settings = *base, .players = 1, .nodes = nodes};
    p->cure = hazard_cures[HAZARD_CURE_NONE];
    return p;
}

static void add_bits(HazardGrid *grid, const DatagenSettings *base, uint64_t nodes) {
    static const struct { unsigned bits, times; } all[] = {{8, 1}, {10, 1}, {12, 2}, {14, 4}, {16, 8}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        add(grid, HAZARD_SERIES_BITS, base, nodes * all[i].times)->settings.table.signature_bits = all[i].bits;
}

static void add_depths(HazardGrid *grid, const DatagenSettings *base, uint64_t nodes) {
    for (unsigned depth = 1; depth <= 6; depth++)
        add(grid, HAZARD_SERIES_DEPTH, base, nodes)->settings.search.depth = depth;
}

static void add_sizes(HazardGrid *grid, const DatagenSettings *base, uint64_t nodes) {
    for (uint64_t bytes = 16 << 10; bytes <= 1 << 20; bytes *= 2)
        add(grid, HAZARD_SERIES_SIZE, base, nodes)->settings.table.hash_bytes = bytes;
}

static void add_limits(HazardGrid *grid, const DatagenSettings *base, uint64_t nodes) {
    static const unsigned limits[] = {400, 600, 800, 1200, 1600, 2400, 3000};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
        add(grid, HAZARD_SERIES_LIMIT, base, nodes)->settings.adjudication.eval_limit = limits[i];
}

static void add_cures(HazardGrid *grid, const DatagenSettings *base, uint64_t nodes) {
    for (unsigned i = 0; i < HAZARD_CURES; i++) {
        HazardPoint *p = add(grid, HAZARD_SERIES_CURES, base, nodes);
        p->cure = hazard_cures[i];
        p->players = HAZARD_CURE_PLAYERS;
    }
}

void hazard_grid_make(HazardGrid *grid, const DatagenSettings *base, uint64_t series, uint64_t nodes) {
    typedef void Adder(HazardGrid * grid, const DatagenSettings *base, uint64_t nodes);
    static Adder *const adders[HAZARD_SERIES] = {add_bits, add_depths, add_sizes, add_limits, add_cures};
    grid->points = 0;
    for (unsigned i = 0; i < HAZARD_SERIES; i++)
        if (series >> i & 1) adders[i](grid, base, nodes);
}

double hazard_dispersion(const HazardPoint *p) {
    const double n = p->seeds, mean = n > 0 ? (double)p->counts.incidents / n : 0;
    assert(p->incident_squares >= 0);
    if (p->seeds < 2 || mean <= 0) return 1;
    const double variance = (p->incident_squares - n * mean * mean) / (n - 1);
    return fmax(variance / mean, 1);
}

/* ---- the runs ---- */

typedef struct {
    HazardGrid *grid;
    const HazardGridJob *job;
    TabiaError *error;
    double all_nodes;
    double done_nodes; /* of runs and games that have ended; under the lock, as are the results */
    _Atomic unsigned next;
    atomic_bool over, failed;
    pthread_mutex_t lock;
} GridRun;

/* One run of a thread. */
typedef struct {
    GridRun *grid;
    const HazardPoint *point;
    uint64_t nodes; /* shown so far */
} SeedRun;

static bool stop(void *context) {
    return atomic_load_explicit(&((SeedRun *)context)->grid->over, memory_order_relaxed);
}

static void show(void *context, uint64_t nodes) {
    SeedRun *run = context;
    GridRun *g = run->grid;
    pthread_mutex_lock(&g->lock);
    g->done_nodes += (double)(nodes - run->nodes);
    run->nodes = nodes;
    const double done = g->done_nodes < g->all_nodes ? g->done_nodes / g->all_nodes : 1;
    if (g->job->watch && g->job->watch(g->job->context, done, run->point)) atomic_store(&g->over, true);
    pthread_mutex_unlock(&g->lock);
}

static void run_seed(GridRun *g, HazardPoint *p, unsigned seed) {
    SeedRun seed_run = {.grid = g, .point = p};
    DatagenSettings s = p->settings;
    HazardCounts counts;
    TabiaError error;
    s.seed += seed;
    const HazardRun run = {.settings = &s,
                           .cure = p->cure,
                           .players = p->players,
                           .nodes = p->nodes,
                           .stop = stop,
                           .show = show,
                           .context = &seed_run};
    const bool good = hazard_run(&run, &counts, &error);
    pthread_mutex_lock(&g->lock);
    if (!good) {
        *g->error = error;
        atomic_store(&g->failed, true), atomic_store(&g->over, true);
    } else if (counts.nodes >= p->nodes) {
        hazard_add(&p->counts, &counts);
        p->seeds++, p->seeds_fallen += counts.falls > 0;
        p->incident_squares += (double)counts.incidents * (double)counts.incidents;
    }
    pthread_mutex_unlock(&g->lock);
}

static void work(void *context, unsigned worker) {
    GridRun *g = context;
    const unsigned all = g->grid->points * g->job->seeds;
    (void)worker;
    while (!atomic_load(&g->over)) {
        const unsigned i = atomic_fetch_add(&g->next, 1);
        if (i >= all) return;
        run_seed(g, &g->grid->point[i / g->job->seeds], i % g->job->seeds);
    }
}

bool hazard_grid_run(HazardGrid *grid, const HazardGridJob *job, TabiaError *error) {
    GridRun run = {.grid = grid, .job = job, .error = error};
    assert(job->seeds > 0 && job->seeds <= HAZARD_SEEDS_MAX && job->threads > 0);
    for (unsigned i = 0; i < grid->points; i++) run.all_nodes += (double)grid->point[i].nodes * job->seeds;
    pthread_mutex_init(&run.lock, NULL);
    const bool ran = tabia_threads_run(job->threads, work, &run, error);
    pthread_mutex_destroy(&run.lock);
    return ran && !atomic_load(&run.failed);
}
