/* SPDX-License-Identifier: MIT */
#include "selfplay.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "filter.h"
#include "game.h"

enum { PAWN_BYTES = 1 << 20, OPENINGS_MOST = 1000, MULTI_PV_DEPTH = 4 };

/* ---- counts ---- */

void counts_each(Counts *counts, void (*each)(void *context, const char *name, uint64_t *value), void *context) {
#define EACH_COUNT(name, words) each(context, #name, &counts->name);
    GAME_COUNTS(EACH_COUNT)
#undef EACH_COUNT
    char name[40];
    for (unsigned i = 0; i < FILTERS_N; i++) {
        snprintf(name, sizeof name, "filtered_%s", filter_name(i));
        each(context, name, &counts->filtered[i]);
    }
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) {
        snprintf(name, sizeof name, "unfit_%s", data_rejection_name(i));
        each(context, name, &counts->unfit[i]);
    }
#define END_NAME(name, words) "ended_" #name,
    static const char *const ends[] = {GAME_ENDS(END_NAME)};
#undef END_NAME
    for (unsigned i = 0; i < GAME_ENDS_N; i++) each(context, ends[i], &counts->ended[i]);
}

void counts_add(Counts *sum, const Counts *more) {
#define ADD_COUNT(name, words) sum->name += more->name;
    GAME_COUNTS(ADD_COUNT)
#undef ADD_COUNT
    for (unsigned i = 0; i < FILTERS_N; i++) sum->filtered[i] += more->filtered[i];
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) sum->unfit[i] += more->unfit[i];
    for (unsigned i = 0; i < GAME_ENDS_N; i++) sum->ended[i] += more->ended[i];
}

/* ---- memory ---- */

SelfGame *selfplay_create(const Settings *settings) {
    SelfGame *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->room = (unsigned)settings->write_max_ply + 2;
    g->record = aligned_alloc(_Alignof(DataRecord), g->room * sizeof *g->record);
    g->at = aligned_alloc(_Alignof(Position), g->room * sizeof *g->at);
    g->move = calloc(g->room, sizeof *g->move);
    g->random = calloc(g->room, sizeof *g->random);
    if (g->record && g->at && g->move && g->random) return g;
    selfplay_destroy(g);
    return NULL;
}

void selfplay_destroy(SelfGame *g) {
    if (!g) return;
    free(g->record);
    free(g->at);
    free(g->move);
    free(g->random);
    free(g);
}

Search *selfplay_search(TabiaTable *table, bool shadow, TabiaError *error) {
    const SearchSettings settings = {.pawn_bytes = PAWN_BYTES,
                                     .threads = 1,
                                     .path_key_form = PATH_KEY_FIFTY_COUNT,
                                     .table = table,
                                     .shadow = shadow};
    return search_create(&settings, error);
}

/* ---- one move ---- */

typedef struct {
    const Player *player;
    const Settings *s;
    SelfGame *g;
    uint64_t random;
    unsigned ply, noted_from; /* the ply of record[0] */
    Adjudicator adjudicator;
} Play;

static const Position *here(const Play *y) {
    return &y->g->at[y->ply];
}

static void search_here(Play *y, const SearchLimits *limits) {
    Search *search = y->player->search;
    search_set_position(search, y->g->at, y->g->move, y->ply);
    search_run(search, limits);
    y->g->counts.searched++;
    y->g->counts.nodes += search_nodes(search);
}

static SearchResult think(Play *y) {
    const Settings *s = y->s;
    SearchLimits limits = {.depth = (int)s->depth, .nodes = s->nodes, .soft_nodes = s->soft_nodes};
    if (s->depth2 > s->depth) limits.depth += (int)random_below(&y->random, (unsigned)(s->depth2 - s->depth + 1));
    search_here(y, &limits);
    return search_result(y->player->search, 0);
}

/* One of the best moves, by a search for several. */
static Move one_of_the_best(Play *y) {
    const uint64_t depth = y->s->random_multi_pv_depth ? y->s->random_multi_pv_depth : y->s->depth;
    const SearchLimits limits = {.depth = depth ? (int)depth : MULTI_PV_DEPTH,
                                 .multi_pv = (unsigned)y->s->random_multi_pv};
    search_here(y, &limits);
    const Search *search = y->player->search;
    const int least = search_result(search, 0).score - (int)y->s->random_multi_pv_diff;
    unsigned n = 1;
    while (n < search_result_count(search) && search_result(search, n).score >= least) n++;
    return search_result(search, random_below(&y->random, n)).move;
}

/* The king's moves of a list to its front; how many there are. */
static unsigned kings_first(const Position *p, Move *list, unsigned n) {
    unsigned kings = 0;
    for (unsigned i = 0; i < n; i++)
        if (piece_type_at(p, move_from(list[i])) == KING) {
            const Move m = list[i];
            list[i] = list[kings];
            list[kings++] = m;
        }
    return kings;
}

static Move random_move(Play *y) {
    if (y->s->random_multi_pv) return one_of_the_best(y);
    Move list[MOVES_MAX];
    unsigned n = moves_list(here(y), list);
    if (y->s->random_like_apery && random_below(&y->random, (unsigned)y->s->random_like_apery) == 0) {
        const unsigned kings = kings_first(here(y), list, n);
        if (kings) n = kings;
        if (kings && random_below(&y->random, 2)) y->g->random[y->ply + 1] = true;
    }
    return list[random_below(&y->random, n)];
}

static void go_on(Play *y, Move m) {
    y->g->move[y->ply] = m;
    position_make_move(&y->g->at[y->ply + 1], here(y), m);
    y->ply++;
}

/* ---- a game ---- */

/* Which plies are random: `random_count` of those in the range, each choice as likely as any other. */
static void draw_random_plies(Play *y) {
    uint64_t wanted = y->s->random_count;
    memset(y->g->random, 0, y->g->room * sizeof *y->g->random);
    for (uint64_t ply = y->s->random_min_ply; ply <= y->s->random_max_ply && wanted; ply++) {
        const uint64_t left = y->s->random_max_ply - ply + 1;
        if (random_below(&y->random, (unsigned)left) >= wanted) continue;
        y->g->random[ply - 1] = true;
        wanted--;
    }
}

static void note(Play *y, const SearchResult *answer) {
    SelfGame *g = y->g;
    if (!g->n) y->noted_from = y->ply;
    g->record[g->n++] = (DataRecord){.position = *here(y),
                                     .move = answer->move,
                                     .score = (int16_t)answer->score,
                                     .ply = data_ply_from_position(here(y))};
}

static bool is_told_to_stop(const Play *y) {
    return y->player->stop && y->player->stop(y->player->context);
}

/* Plays on from the opening until the game has ended, or the opening was refused, or stopped (both GAME_GOES_ON). */
static GameEnd play_on(Play *y, bool *refused) {
    bool first = true;
    y->ply = y->g->n = 0;
    *refused = false;
    adjudicator_begin(&y->adjudicator, y->s);
    while (!is_told_to_stop(y)) {
        GameEnd end = adjudicate_position(&y->adjudicator, y->g->at, y->ply);
        if (end != GAME_GOES_ON) return end;
        if (y->g->random[y->ply]) {
            y->g->n = 0;
            go_on(y, random_move(y));
            adjudicator_begin(&y->adjudicator, y->s);
            continue;
        }
        const SearchResult answer = think(y);
        if (is_told_to_stop(y)) break; /* and the search may have ended early, too */
        *refused = first && y->s->opening_limit && (uint64_t)abs(answer.score) > y->s->opening_limit;
        if (*refused) return GAME_GOES_ON;
        first = false;
        end = adjudicate_score(&y->adjudicator, here(y), y->ply, answer.score);
        if (end == GAME_END_eval_limit) return end;
        note(y, &answer);
        if (end != GAME_GOES_ON) return end;
        go_on(y, answer.move);
    }
    return GAME_GOES_ON;
}

/* Everybody's result and first record, the filters, the counts. */
static void finish(Play *y, GameEnd end) {
    SelfGame *g = y->g;
    const int white = y->adjudicator.white;
    g->counts.games = 1;
    g->counts.plies = y->ply;
    g->counts.white = white > 0;
    g->counts.drawn = white == 0;
    g->counts.black = white < 0;
    g->counts.ended[end] = 1;
    for (unsigned i = 0; i < g->n; i++)
        g->record[i].result = (int8_t)(g->record[i].position.turn == WHITE ? white : -white);
    g->n = filter_records(y->s, g->record, g->n, y->noted_from, &g->counts);
    if (g->n) g->record[0].starts_game = true;
}

/* A sequence of its own for each seed and number. */
static uint64_t random_of(uint64_t seed, uint64_t number) {
    uint64_t state = random_next(&seed) ^ number * 0xd1342543de82ef95ull;
    return random_next(&state);
}

bool selfplay_play(const Player *player, uint64_t number, SelfGame *g) {
    Play y = {.player = player, .s = player->settings, .g = g, .random = random_of(player->settings->seed, number)};
    GameEnd end = GAME_GOES_ON;
    bool refused = true;
    g->counts = (Counts){0};
    if (player->table) tabia_table_wipe(player->table);
    search_clear(player->search);
    for (unsigned tries = 0; refused; tries++) {
        if (tries == OPENINGS_MOST) return true; /* a game without positions: nothing of it is worth being played */
        if (!openings_draw(player->openings, &y.random, g->at)) continue;
        draw_random_plies(&y);
        end = play_on(&y, &refused);
        g->counts.refused += refused;
    }
    if (end == GAME_GOES_ON) return false;
    finish(&y, end);
    return true;
}
