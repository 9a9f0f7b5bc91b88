/* SPDX-License-Identifier: MIT */
#include "hazard.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/stop.h"
#include "base/threads.h"

/* NODES_MAX: of a search; one that a false hit leads astray may grow without end. */
enum { NODES_MAX = 20000, OPENING_PLIES = 4, RANDOM_PLY_MAX = 24, RANDOM_MOVES = 5 };

typedef struct {
    const char *name;
    SelfplayTableModes modes;
} Fix;

static const Fix fixes[HAZARD_ROWS] = {
    [HAZARD_NONE] = {"none", {.is_partitioned = false}},
    [HAZARD_PARTITION] = {"partition", {.is_partitioned = true}},
    [HAZARD_GENERATIONS] = {"generations", {.has_generations = true}},
    [HAZARD_STRICT] = {"strict", {.has_generations = true, .is_strict = true}},
    [HAZARD_ALL] = {"all", {.is_partitioned = true, .has_generations = true, .is_strict = true}},
};

/* ---- one run ---- */

typedef struct {
    const HazardRequest *request;
    HazardRow *row;
    double all_nodes, done_nodes; /* done_nodes and rows: under the lock */
    _Atomic unsigned next;
    atomic_bool is_over;
    bool failed;
    TabiaError *error;
    pthread_mutex_t lock;
} Hazard;

typedef struct {
    TabiaTable *table;
    Search *search;
    unsigned blocked; /* games in succession, in this table; the first player counts where all share it */
} Player;

typedef struct {
    Hazard *hazard;
    unsigned fix;
    DatagenSettings settings;
    Openings openings;
    TabiaTable *table; /* of all players */
    SelfplayGame *game;
    Player player[HAZARD_PLAYERS];
    HazardRow counts;
} Run;

/* The first plies of each game are searched: where random moves begin at once, games that one entry ends cost nothing. */
static DatagenSettings settings_of(const HazardRequest *q, unsigned seed) {
    DatagenSettings s;
    datagen_settings_default(&s);
    s.seed = q->seed + seed;
    s.search.depth = q->depth, s.search.nodes = NODES_MAX;
    s.adjudication.eval_limit = q->score_limit;
    s.adjudication.resign_plies = s.adjudication.draw_plies = 0;
    s.opening.random_min_ply = OPENING_PLIES + 1, s.opening.random_max_ply = RANDOM_PLY_MAX;
    s.opening.random_count = RANDOM_MOVES;
    s.opening.score_limit = 0;
    return s;
}

static bool create(Run *r, TabiaError *error) {
    const HazardRequest *q = r->hazard->request;
    SelfplayTableModes modes = fixes[r->fix].modes;
    modes.signature_bits = q->signature_bits;
    const TabiaOptions options = selfplay_table_options(&modes, q->bytes, HAZARD_PLAYERS);
    if (!openings_open(&r->openings, NULL, r->settings.opening.start, false, NULL, error)) return false;
    if (tabia_table_create(&r->table, &options, error)) return false;
    r->game = selfplay_game_create(r->settings.adjudication.max_ply);
    if (!r->game) return tabia_fail(error, "no memory for a game");
    for (unsigned i = 0; i < HAZARD_PLAYERS; i++) {
        Player *p = &r->player[i];
        p->table = modes.is_partitioned ? tabia_table_partition(r->table, i) : r->table;
        p->search = selfplay_search_create(&r->settings, p->table, error);
        if (!p->search) return false;
    }
    return true;
}

static void destroy(Run *r) {
    for (unsigned i = 0; i < HAZARD_PLAYERS; i++) search_destroy(r->player[i].search);
    selfplay_game_destroy(r->game);
    tabia_table_destroy(r->table);
}

static void count_game(Run *r, Player *player) {
    const DatagenCounts *g = &r->game->counts;
    HazardRow *c = &r->counts;
    const bool blocked = g->terminations[TERMINATION_eval_limit] && g->plies < OPENING_PLIES;
    c->nodes += g->nodes;
    c->games += !blocked, c->blocked += blocked;
    c->incidents += blocked && player->blocked == 0;
    player->blocked = blocked ? player->blocked + 1 : 0;
    if (player->blocked < HAZARD_FALL_GAMES) return;
    c->falls++, player->blocked = 0;
    tabia_table_wipe(player->table);
}

static bool is_over(void *hazard) {
    return atomic_load_explicit(&((Hazard *)hazard)->is_over, memory_order_relaxed) || tabia_stop_requested();
}

static void show(Hazard *h, uint64_t nodes) {
    const HazardRequest *q = h->request;
    pthread_mutex_lock(&h->lock);
    h->done_nodes += (double)nodes;
    if (q->show) q->show(q->context, h->done_nodes, fmin(h->done_nodes / h->all_nodes, 1));
    pthread_mutex_unlock(&h->lock);
}

/* The table is not wiped between games: that would hide what is to be seen. */
static void play(Run *r) {
    const bool partitioned = fixes[r->fix].modes.is_partitioned;
    for (uint64_t number = 0; r->counts.nodes < r->hazard->request->nodes; number++) {
        Player *p = &r->player[number % HAZARD_PLAYERS];
        const SelfplayPlayer player = {.settings = &r->settings,
                                       .openings = &r->openings,
                                       .search = p->search,
                                       .stop = is_over,
                                       .context = r->hazard};
        if (!selfplay_play(&player, number, r->game)) return;
        count_game(r, partitioned ? p : &r->player[0]);
        show(r->hazard, r->game->counts.nodes);
    }
}

/* ---- all runs ---- */

static void add(HazardRow *sum, const HazardRow *c) {
    sum->seeds++, sum->seeds_fallen += c->falls > 0;
    sum->games += c->games, sum->blocked += c->blocked;
    sum->incidents += c->incidents, sum->falls += c->falls, sum->nodes += c->nodes;
}

static void play_run(Hazard *h, unsigned fix, unsigned seed) {
    Run run = {.hazard = h, .fix = fix, .settings = settings_of(h->request, seed)};
    TabiaError error;
    const bool good = create(&run, &error);
    if (good) play(&run);
    destroy(&run);
    pthread_mutex_lock(&h->lock);
    if (!good) {
        *h->error = error, h->failed = true;
        atomic_store(&h->is_over, true);
    } else if (run.counts.nodes >= h->request->nodes) {
        add(&h->row[fix], &run.counts);
    }
    pthread_mutex_unlock(&h->lock);
}

/* All rows with one seed, then with the next: a run that is stopped has about as many of each. */
static void play_runs(void *hazard, unsigned worker) {
    Hazard *h = hazard;
    (void)worker;
    while (!is_over(h)) {
        const unsigned i = atomic_fetch_add(&h->next, 1);
        if (i >= h->request->seeds * HAZARD_ROWS) return;
        play_run(h, i % HAZARD_ROWS, i / HAZARD_ROWS);
    }
}

bool hazard_measure(const HazardRequest *q, HazardRow rows[HAZARD_ROWS], TabiaError *error) {
    Hazard h = {.request = q, .row = rows, .error = error, .all_nodes = (double)q->nodes * q->seeds * HAZARD_ROWS};
    assert(q->nodes > 0 && q->seeds > 0 && q->threads > 0);
    for (unsigned i = 0; i < HAZARD_ROWS; i++) rows[i] = (HazardRow){.fix = fixes[i].name};
    pthread_mutex_init(&h.lock, NULL);
    const bool ran = tabia_threads_run(q->threads, play_runs, &h, error);
    pthread_mutex_destroy(&h.lock);
    for (unsigned i = 0; i < HAZARD_ROWS; i++) {
        HazardRow *r = &rows[i];
        const double million_games = (double)r->games / 1e6;
        hazard_interval(r->falls, &r->low, &r->high);
        r->rate = (double)r->falls / million_games, r->low /= million_games, r->high /= million_games;
    }
    return ran && !h.failed;
}

bool hazard_holds(const HazardRow rows[HAZARD_ROWS]) {
    return rows[HAZARD_NONE].falls > 0 && rows[HAZARD_STRICT].falls == 0 && rows[HAZARD_ALL].falls == 0;
}

/* ---- limits ---- */

/* The probability of at most n events with this mean. */
static double poisson_cdf(uint64_t n, double mean) {
    double sum = 0;
    for (uint64_t i = 0; i <= n; i++) sum += exp((double)i * log(mean) - mean - lgamma((double)i + 1));
    return sum;
}

/* The mean at which at most n events have this probability. */
static double mean_of(uint64_t n, double probability) {
    double low = 1e-9, high = 20 + 2.0 * (double)n;
    for (unsigned i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(poisson_cdf(n, middle) > probability ? &low : &high) = middle;
    }
    return high;
}

void hazard_interval(uint64_t n, double *low, double *high) {
    *low = n ? mean_of(n - 1, 0.975) : 0;
    *high = mean_of(n, 0.025);
}
