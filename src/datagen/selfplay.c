/* SPDX-License-Identifier: MIT */
#include "selfplay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "filter.h"
#include "game.h"

enum { OPENING_ATTEMPTS = 1000, MULTI_PV_DEPTH = 4 };

/* ---- memory ---- */

SelfplayGame *selfplay_game_create(uint64_t max_ply) {
    SelfplayGame *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->capacity = (unsigned)max_ply + 2; /* the last position, and the reply that random_like_apery marks */
    g->records = tabia_aligned_get(_Alignof(DataRecord), g->capacity * sizeof *g->records);
    g->positions = tabia_aligned_get(_Alignof(Position), g->capacity * sizeof *g->positions);
    g->moves = calloc(g->capacity, sizeof *g->moves);
    g->is_random = calloc(g->capacity, sizeof *g->is_random);
    if (g->records && g->positions && g->moves && g->is_random) return g;
    selfplay_game_destroy(g);
    return NULL;
}

void selfplay_game_destroy(SelfplayGame *g) {
    if (!g) return;
    tabia_aligned_free(g->records);
    tabia_aligned_free(g->positions);
    free(g->moves);
    free(g->is_random);
    free(g);
}

const SelfplayTableModes selfplay_table_modes = {.is_partitioned = true, .has_generations = true, .is_strict = true};

TabiaOptions selfplay_table_options(const SelfplayTableModes *modes, uint64_t bytes, unsigned players) {
    assert(players > 0 && (modes->has_generations || !modes->is_strict));
    return (TabiaOptions){.bytes = bytes,
                          .partitions = modes->is_partitioned ? players : 0,
                          .strict_generations = modes->is_strict,
                          .age_weight = modes->has_generations ? 0 : TABIA_AGE_IGNORED,
                          .signature_bits = modes->signature_bits};
}

Search *selfplay_search_create(const DatagenSettings *by, TabiaTable *table, TabiaError *error) {
    const SearchSettings settings = {.threads = 1,
                                     .path_key = PATH_KEY_DEFAULT,
                                     .evaluation = by->evaluation,
                                     .network = by->network,
                                     .table = table};
    return search_create(&settings, error);
}

/* ---- one move ---- */

/* The game that is being played. */
typedef struct {
    const SelfplayPlayer *player;
    const DatagenSettings *settings;
    SelfplayGame *game;
    uint64_t random;
    unsigned ply, first_record_ply;
    Adjudicator adjudicator;
} GameContext;

static const Position *current_position(const GameContext *c) {
    assert(c->ply < c->game->capacity);
    return &c->game->positions[c->ply];
}

static void search_position(GameContext *c, const SearchLimits *limits) {
    Search *search = c->player->search;
    search_set_position(search, c->game->positions, c->game->moves, c->ply);
    search_run(search, limits);
    c->game->counts.searched++;
    c->game->counts.nodes += search_nodes(search);
}

static SearchResult search_move(GameContext *c) {
    const DatagenSearchLimits *s = &c->settings->search;
    SearchLimits limits = {.depth = (int)s->depth, .nodes = s->nodes, .soft_nodes = s->soft_nodes};
    if (s->depth2 > s->depth) limits.depth += (int)random_below(&c->random, (unsigned)(s->depth2 - s->depth + 1));
    search_position(c, &limits);
    return search_result(c->player->search, 0);
}

/* One of the best moves, by a multi-PV search. */
static Move random_multi_pv_move(GameContext *c) {
    const DatagenOpening *o = &c->settings->opening;
    const uint64_t depth = o->random_multi_pv_depth ? o->random_multi_pv_depth : c->settings->search.depth;
    const SearchLimits limits = {.depth = depth ? (int)depth : MULTI_PV_DEPTH,
                                 .multi_pv = (unsigned)o->random_multi_pv};
    search_position(c, &limits);
    const Search *search = c->player->search;
    const int min_score = search_result(search, 0).score - (int)o->random_multi_pv_margin;
    unsigned n = 1;
    while (n < search_result_count(search) && search_result(search, n).score >= min_score) n++;
    return search_result(search, random_below(&c->random, n)).move;
}

/* Moves the king's moves to the front of the list; returns their number. */
static unsigned partition_king_moves(const Position *p, Move *moves, unsigned n) {
    unsigned king_moves = 0;
    for (unsigned i = 0; i < n; i++)
        if (move_is_of_king(p, moves[i])) {
            const Move m = moves[i];
            moves[i] = moves[king_moves];
            moves[king_moves++] = m;
        }
    return king_moves;
}

static Move random_move(GameContext *c) {
    const DatagenOpening *o = &c->settings->opening;
    if (o->random_multi_pv) return random_multi_pv_move(c);
    Move moves[MOVES_MAX];
    unsigned n = moves_list(current_position(c), moves);
    assert(n > 0);
    if (o->random_like_apery && random_below(&c->random, (unsigned)o->random_like_apery) == 0) {
        const unsigned king_moves = partition_king_moves(current_position(c), moves, n);
        if (king_moves) n = king_moves;
        if (king_moves && random_below(&c->random, 2)) c->game->is_random[c->ply + 1] = true;
    }
    return moves[random_below(&c->random, n)];
}

static void append_move(GameContext *c, Move m) {
    assert(c->ply + 1 < c->game->capacity);
    c->game->moves[c->ply] = m;
    position_make_move(&c->game->positions[c->ply + 1], current_position(c), m);
    c->ply++;
}

/* ---- a game ---- */

/* Draws the plies of the random moves: random_count of those in the range, all choices equally probable. */
static void draw_random_plies(GameContext *c) {
    const DatagenOpening *o = &c->settings->opening;
    uint64_t wanted = o->random_count;
    memset(c->game->is_random, 0, c->game->capacity * sizeof *c->game->is_random);
    for (uint64_t ply = o->random_min_ply; ply <= o->random_max_ply && wanted; ply++) {
        const uint64_t left = o->random_max_ply - ply + 1;
        if (random_below(&c->random, (unsigned)left) >= wanted) continue;
        c->game->is_random[ply - 1] = true;
        wanted--;
    }
}

static void append_record(GameContext *c, const SearchResult *result) {
    SelfplayGame *g = c->game;
    assert(g->record_count < g->capacity);
    if (!g->record_count) c->first_record_ply = c->ply;
    g->records[g->record_count++] = (DataRecord){.position = *current_position(c),
                                                 .move = result->move,
                                                 .score = (int16_t)result->score,
                                                 .ply = move_counters_ply(current_position(c))};
}

static bool should_stop(const GameContext *c) {
    return c->player->stop && c->player->stop(c->player->context);
}

/* A random move makes the result of the game no result of the positions before it. */
static void play_random_move(GameContext *c) {
    c->game->record_count = 0;
    append_move(c, random_move(c));
    adjudicator_init(&c->adjudicator, &c->settings->rules, &c->settings->adjudication);
}

/* Plays on from the opening until the game ends. TERMINATION_NONE: the opening was rejected, or the game was stopped. */
static GameTermination play_from_opening(GameContext *c, bool *rejected) {
    const uint64_t limit = c->settings->opening.score_limit;
    bool is_first_search = true;
    c->ply = c->game->record_count = 0;
    *rejected = false;
    adjudicator_init(&c->adjudicator, &c->settings->rules, &c->settings->adjudication);
    while (!should_stop(c)) {
        GameTermination end = adjudicate_position(&c->adjudicator, c->game->positions, c->game->moves, c->ply);
        if (end != TERMINATION_NONE) return end;
        if (c->game->is_random[c->ply]) {
            play_random_move(c);
            continue;
        }
        const SearchResult result = search_move(c);
        if (should_stop(c)) break; /* the search may have been stopped too */
        *rejected = is_first_search && limit && (uint64_t)abs(result.score) > limit;
        if (*rejected) break;
        is_first_search = false;
        end = adjudicate_score(&c->adjudicator, current_position(c), c->ply, result.score);
        if (end == TERMINATION_eval_limit) return end;
        append_record(c, &result);
        if (end != TERMINATION_NONE) return end;
        append_move(c, result.move);
    }
    return TERMINATION_NONE;
}

/* Counts the game, sets the result of all records, and filters them. */
static void finish_game(GameContext *c, GameTermination end) {
    SelfplayGame *g = c->game;
    const int white = c->adjudicator.white_result;
    assert(end < TERMINATIONS_N && white >= -1 && white <= 1);
    g->counts.games = 1;
    g->counts.plies = c->ply;
    g->counts.white_wins = white > 0;
    g->counts.draws = white == 0;
    g->counts.black_wins = white < 0;
    g->counts.terminations[end] = 1;
    for (unsigned i = 0; i < g->record_count; i++)
        g->records[i].result = (int8_t)(g->records[i].position.turn == WHITE ? white : -white);
    g->record_count =
        filter_records(&c->settings->output, g->records, g->record_count, c->first_record_ply, &g->counts);
    if (g->record_count) g->records[0].starts_game = true;
}

/* The seed of a game: another sequence for each seed of the run and number of the game. */
static uint64_t game_seed(uint64_t seed, uint64_t number) {
    uint64_t state = random_next(&seed) ^ number * 0xd1342543de82ef95ull;
    return random_next(&state);
}

bool selfplay_play(const SelfplayPlayer *player, uint64_t number, SelfplayGame *g) {
    const DatagenSettings *s = player->settings;
    GameContext c = {.player = player, .settings = s, .game = g, .random = game_seed(s->seed, number)};
    GameTermination end = TERMINATION_NONE;
    bool rejected = true;
    g->counts = (DatagenCounts){0};
    if (player->table) tabia_table_wipe(player->table);
    search_clear(player->search);
    for (unsigned attempts = 0; rejected; attempts++) {
        if (attempts == OPENING_ATTEMPTS) return true; /* a game without records */
        if (!openings_draw(player->openings, &c.random, g->positions)) continue;
        draw_random_plies(&c);
        end = play_from_opening(&c, &rejected);
        g->counts.openings_rejected += rejected;
    }
    if (end == TERMINATION_NONE) return false;
    finish_game(&c, end);
    return true;
}
