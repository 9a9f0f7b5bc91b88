/* SPDX-License-Identifier: MIT */
#include "hazard.h"

#include <assert.h>
#include <math.h>

#include "base/stop.h"
#include "collisions.h"
#include "hazard_candidates.h"

const HazardCure hazard_cures[HAZARD_CURES] = {
    [HAZARD_CURE_NONE] = {"none", .partition = false},
    [HAZARD_CURE_PARTITION] = {"partition", .partition = true},
    [HAZARD_CURE_GENERATIONS] = {"generations", .generations = true},
    [HAZARD_CURE_STRICT] = {"strict", .generations = true, .strict = true},
    [HAZARD_CURE_ALL] = {"all", .partition = true, .generations = true, .strict = true},
};

void hazard_add(HazardCounts *sum, const HazardCounts *more) {
    sum->games += more->games, sum->incidents += more->incidents, sum->falls += more->falls;
    sum->nodes += more->nodes, sum->positions += more->positions, sum->false_hits += more->false_hits;
    sum->candidates += more->candidates;
}

double hazard_predicted(const HazardCounts *counts, const HazardCure *cure, unsigned bits) {
    assert(bits > 0);
    return cure->strict ? 0 : ldexp((double)counts->candidates, -(int)bits);
}

/* ---- a run ---- */

typedef struct {
    TabiaTable *table;
    Search *search;
    HazardCandidates *candidates; /* NULL: another player looks into this table */
    unsigned blocked;             /* games in succession */
} HazardPlayer;

typedef struct {
    const HazardRun *run;
    DatagenSettings settings;
    Openings openings;
    TabiaTable *whole;
    SelfplayGame *game;
    HazardPlayer player[HAZARD_PLAYERS_MAX];
} HazardState;

static TabiaOptions table_options(const HazardState *s) {
    TabiaOptions options = datagen_table_options(&s->settings.table, s->run->players);
    options.path_bits = 64 - COLLISION_BITS_MOST; /* the shadow's */
    options.integrity = TABIA_NONE;               /* one thread; as the original */
    if (!s->run->cure.generations) options.age_weight = TABIA_AGE_IGNORED;
    return options;
}

static bool create(HazardState *s, TabiaError *error) {
    const HazardRun *r = s->run;
    DatagenTable *t = &s->settings.table;
    assert(r->players > 0 && r->players <= HAZARD_PLAYERS_MAX && r->nodes > 0);
    t->sharing = r->cure.partition ? TABIA_PARTITIONED : TABIA_SHARED;
    t->strict_generations = r->cure.strict;
    if (r->cure.partition) t->hash_bytes /= r->players;
    const TabiaOptions options = table_options(s);
    if (!openings_open(&s->openings, NULL, s->settings.opening.start, false, NULL, error)) return false;
    if (tabia_table_create(&s->whole, &options, error)) return false;
    s->game = selfplay_game_create(s->settings.adjudication.max_ply);
    if (!s->game) return tabia_fail(error, "no memory for a game");
    for (unsigned i = 0; i < r->players; i++) {
        HazardPlayer *p = &s->player[i];
        p->table = r->cure.partition ? tabia_table_partition(s->whole, i) : s->whole;
        p->search = selfplay_search_create(&s->settings, p->table, true, error);
        if (!p->search) return false;
        const bool looks = i == 0 || r->cure.partition;
        if (looks && !(p->candidates = hazard_candidates_create()))
            return tabia_fail(error, "no memory for candidates");
    }
    return true;
}

static void destroy(HazardState *s) {
    for (unsigned i = 0; i < HAZARD_PLAYERS_MAX; i++) {
        search_destroy(s->player[i].search);
        hazard_candidates_destroy(s->player[i].candidates);
    }
    selfplay_game_destroy(s->game);
    tabia_table_destroy(s->whole);
}

/* Searched plies before the first random move. */
static unsigned opening_plies(const DatagenSettings *s) {
    return s->opening.random_min_ply ? (unsigned)s->opening.random_min_ply - 1 : 0;
}

/* Whose table it is: the first player's, where all share one. */
static HazardPlayer *keeper(HazardState *s, HazardPlayer *p) {
    return p->candidates ? p : &s->player[0];
}

static void note_blocked(HazardPlayer *k, HazardCounts *c) {
    c->incidents += k->blocked == 0;
    if (++k->blocked < HAZARD_FALL_GAMES) return;
    c->falls++, k->blocked = 0;
    tabia_table_wipe(k->table);
}

/* The game has ended: was it blocked? */
static void note_game(HazardState *s, HazardPlayer *p, HazardCounts *c) {
    const SelfplayGame *g = s->game;
    HazardPlayer *k = keeper(s, p);
    const bool blocked =
        g->counts.terminations[TERMINATION_eval_limit] && g->counts.plies < opening_plies(&s->settings);
    c->nodes += g->counts.nodes;
    c->positions += g->record_count;
    if (blocked) {
        note_blocked(k, c);
        return;
    }
    c->games++, k->blocked = 0;
    const HazardQuestion q = {.table = k->table,
                              .zobrist = search_zobrist(p->search),
                              .positions = g->positions,
                              .n = opening_plies(&s->settings),
                              .limit = (int)s->settings.adjudication.eval_limit,
                              .draft = (unsigned)s->settings.search.depth - 1};
    c->candidates += hazard_candidates_new(k->candidates, &q);
}

static void play(HazardState *s, HazardCounts *c) {
    const HazardRun *r = s->run;
    for (uint64_t number = 0; c->nodes < r->nodes; number++) {
        HazardPlayer *p = &s->player[number % r->players];
        const SelfplayPlayer player = {.settings = &s->settings,
                                       .openings = &s->openings,
                                       .search = p->search,
                                       .stop = r->stop,
                                       .context = r->context};
        if (!selfplay_play(&player, number, s->game)) break;
        note_game(s, p, c);
        if (r->show) r->show(r->context, c->nodes);
    }
    for (unsigned i = 0; i < r->players; i++) c->false_hits += search_false_hits(s->player[i].search);
}

bool hazard_run(const HazardRun *run, HazardCounts *counts, TabiaError *error) {
    HazardState s = {.run = run, .settings = *run->settings};
    *counts = (HazardCounts){0};
    const bool good = create(&s, error);
    if (good) play(&s, counts);
    destroy(&s);
    return good;
}

/* ---- intervals ---- */

/* The probability of at most n events with this mean. */
static double poisson_at_most(uint64_t n, double mean) {
    double sum = 0;
    for (uint64_t i = 0; i <= n; i++) sum += exp((double)i * log(mean) - mean - lgamma((double)i + 1));
    return sum;
}

/* The mean at which at most n events have this probability. */
static double mean_of(uint64_t n, double probability) {
    double low = 1e-9, high = 20 + 2.0 * (double)n;
    for (unsigned i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(poisson_at_most(n, middle) > probability ? &low : &high) = middle;
    }
    return high;
}

void hazard_interval(uint64_t n, double dispersion, double *low, double *high) {
    const double count = (double)n, times = sqrt(dispersion);
    assert(dispersion >= 1);
    *low = fmax(0, count - times * (count - (n ? mean_of(n - 1, 0.975) : 0)));
    *high = count + times * (mean_of(n, 0.025) - count);
}
