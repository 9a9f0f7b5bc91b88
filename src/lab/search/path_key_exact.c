/* SPDX-License-Identifier: MIT */
#include "path_key_exact.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/stop.h"
#include "base/threads.h"

enum { PLAYOUT_MOVES = 10, PLAYOUT_PLIES_MAX = LINE_PLIES_MAX + 2 * PLAYOUT_MOVES };

typedef struct {
    const PathKeyExactRequest *request;
    PathKeyExactResult *results;
    EndgameGame *games;
    uint8_t *right; /* for each form, game and question */
    atomic_uint next_form;
    _Atomic uint64_t games_done;
    atomic_bool stopped, failed;
    TabiaError *error;
} ExactRun;

/* ---- one answer ---- */

typedef struct {
    Position start, root;
    Move moves[PLAYOUT_PLIES_MAX];
    unsigned n;
} AskedLine;

static SearchResult answer(Search *s, const PathKeyExactRequest *request, const AskedLine *l) {
    const SearchLimits limits = {.nodes = request->nodes, .depth = request->nodes ? 0 : request->depth};
    search_set_position(s, &l->start, l->moves, l->n);
    search_run(s, &limits);
    return search_result(s, 0);
}

static bool is_right(const Position *root, int expected, int score) {
    if (score_is_mate(score)) {
        const int plies = SCORE_MATE - abs(score), winner = score > 0 ? 1 : -1;
        return expected == winner && game_halfmove_clock(root) + plies <= GAME_HALFMOVE_DRAW;
    }
    if (expected == 0) return abs(score) <= PATH_KEY_DRAW_MARGIN;
    return expected * score >= PATH_KEY_WIN_SCORE;
}

static AskedLine line_of(const EndgameGame *g, const Question *q) {
    const QuestionLine line = question_line(g, q);
    AskedLine l = {.start = line.start, .root = g->at[q->ply], .n = q->ply};
    memcpy(l.moves, line.moves, sizeof line.moves);
    l.root.halfmove = (uint16_t)q->clock;
    return l;
}

static int result_after(const EndgameTables *t, const Position *p, Move m, Position *next) {
    assert(game_is_legal(p, m));
    game_make_move(next, p, m);
    return -endgame_result(t, next);
}

static bool ask(Search *s, const PathKeyExactRequest *request, const EndgameGame *g, unsigned number,
                PathKeyExactResult *f) {
    const Question *q = &g->question[number];
    const AskedLine l = line_of(g, q);
    const SearchResult a = answer(s, request, &l);
    const bool right = is_right(&l.root, q->expected, a.score);
    f->nodes += search_nodes(s);
    if (number == 0) {
        f->asked_cold++, f->wrong_cold += !right;
        return right;
    }
    const int zone = q->clock < EDGE_CLOCK ? ZONE_BELOW : ZONE_EDGE;
    f->asked[zone][q->expected + 1]++;
    f->wrong[zone][q->expected + 1] += !right;
    Position next;
    f->half_points += (uint64_t)(q->expected - result_after(request->endings, &l.root, a.move, &next));
    return right;
}

/* ---- play-outs ---- */

static void play(AskedLine *l, Position *game, Move m) {
    assert(l->n < PLAYOUT_PLIES_MAX);
    game[l->n] = l->root;
    l->moves[l->n++] = m;
    game_make_move(&l->root, &game[l->n - 1], m);
}

static bool is_third(const AskedLine *l, const Position *game, unsigned from) {
    unsigned before = 0;
    for (unsigned i = from; i < l->n; i++) before += position_same(&game[i], &l->root);
    return before >= 2;
}

/* Zeroed, mate or stalemate, the end of the clock, or the position for the third time. */
static bool is_over(const AskedLine *l, const Position *game, unsigned from) {
    const int clock = game_halfmove_clock(&l->root);
    return clock == 0 || clock >= GAME_HALFMOVE_DRAW || !game_has_move(&l->root) || is_third(l, game, from);
}

/* Plays the game on from its last question: the engine for the side to move, perfect play for the other. */
static void play_out(Search *s, const PathKeyExactRequest *request, const EndgameGame *g, uint64_t seed,
                     PathKeyExactResult *f) {
    const Question *q = &g->question[QUESTIONS_A_GAME - 1];
    Position game[PLAYOUT_PLIES_MAX];
    AskedLine l = line_of(g, q);
    const unsigned from = l.n;
    int result = q->expected;
    for (unsigned i = 0; i < PLAYOUT_MOVES && result >= 0; i++) {
        Position next;
        const Move m = answer(s, request, &l).move;
        f->playout_moves++;
        result = result_after(request->endings, &l.root, m, &next);
        play(&l, game, m);
        if (is_over(&l, game, from)) break;
        play(&l, game, endgame_perfect_move(request->endings, &l.root, &seed));
        if (is_over(&l, game, from)) break;
    }
    if (is_third(&l, game, from)) result = 0;
    if (q->expected > result) f->playout_half_points += (uint64_t)(q->expected - result);
}

/* ---- all ---- */

static uint64_t game_seed(const PathKeyExactRequest *request, unsigned number) {
    return request->seed + ((uint64_t)number << 20);
}

static uint8_t *right_of(const ExactRun *r, unsigned form, unsigned game) {
    return r->right + ((size_t)form * r->request->games + game) * QUESTIONS_A_GAME;
}

static void measure_game(const ExactRun *r, Search *s, unsigned form, unsigned number) {
    const PathKeyExactRequest *request = r->request;
    const EndgameGame *g = &r->games[number];
    PathKeyExactResult *f = &r->results[form];
    search_clear(s);
    for (unsigned i = 0; i < QUESTIONS_A_GAME; i++) right_of(r, form, number)[i] = ask(s, request, g, i, f);
    play_out(s, request, g, game_seed(request, number), f);
}

static bool is_stopped(ExactRun *r) {
    if (tabia_stop_requested()) atomic_store(&r->stopped, true);
    return atomic_load(&r->stopped);
}

/* By the calling thread, which tells of the progress of all. */
static bool has_to_stop(ExactRun *r, PathKeyExactWork work, uint64_t done, uint64_t all) {
    const PathKeyExactRequest *request = r->request;
    if (is_stopped(r)) return true;
    if (request->on_progress && request->on_progress(request->context, work, done, all))
        atomic_store(&r->stopped, true);
    return atomic_load(&r->stopped);
}

static bool has_to_end(ExactRun *r, unsigned worker) {
    const uint64_t all = (uint64_t)r->request->games * r->request->forms_n;
    const bool stopped = worker ? is_stopped(r) : has_to_stop(r, PATH_KEY_EXACT_ASKS, atomic_load(&r->games_done), all);
    return stopped || atomic_load(&r->failed);
}

static bool measure_form(ExactRun *r, unsigned worker, unsigned form, TabiaError *error) {
    const SearchSettings settings = {
        .hash_bytes = r->request->hash_bytes, .threads = 1, .path_key = r->request->forms[form]};
    Search *s = search_create(&settings, error);
    if (!s) return false;
    for (unsigned i = 0; i < r->request->games && !has_to_end(r, worker); i++) {
        measure_game(r, s, form, i);
        atomic_fetch_add(&r->games_done, 1);
    }
    search_destroy(s);
    return true;
}

static void measure_forms(void *context, unsigned worker) {
    ExactRun *r = context;
    TabiaError error;
    for (unsigned v; (v = atomic_fetch_add(&r->next_form, 1)) < r->request->forms_n && !has_to_end(r, worker);)
        if (!measure_form(r, worker, v, &error) && !atomic_exchange(&r->failed, true)) *r->error = error;
}

static void compare_with_first(const ExactRun *r) {
    for (unsigned v = 0; v < r->request->forms_n; v++)
        for (unsigned g = 0; g < r->request->games; g++)
            for (unsigned i = 1; i < QUESTIONS_A_GAME; i++) {
                const int here = right_of(r, v, g)[i], first = right_of(r, 0, g)[i];
                r->results[v].better += here > first, r->results[v].worse += here < first;
            }
}

/* All forms play the same games. */
static void choose_games(ExactRun *r) {
    const PathKeyExactRequest *request = r->request;
    for (unsigned i = 0; i < request->games && !has_to_stop(r, PATH_KEY_EXACT_CHOOSES, i, request->games); i++)
        endgame_game(request->endings, request->names, request->names_n, game_seed(request, i), &r->games[i]);
}

bool path_key_exact(const PathKeyExactRequest *request, PathKeyExactResult *results, bool *stopped, TabiaError *error) {
    ExactRun r = {.request = request, .results = results, .error = error};
    assert(request->games && request->forms_n && (request->nodes || request->depth > 0));
    memset(results, 0, request->forms_n * sizeof *results);
    r.right = calloc((size_t)request->forms_n * request->games, QUESTIONS_A_GAME);
    r.games = aligned_alloc(64, request->games * sizeof *r.games);
    if (!r.right || !r.games) {
        free(r.right), free(r.games);
        return tabia_fail(error, "no memory for %u games", request->games);
    }
    const unsigned threads = request->threads < request->forms_n ? request->threads : request->forms_n;
    choose_games(&r);
    const bool good =
        atomic_load(&r.stopped) || (tabia_threads_run(threads, measure_forms, &r, error) && !atomic_load(&r.failed));
    *stopped = atomic_load(&r.stopped);
    if (good && !*stopped) compare_with_first(&r);
    free(r.right), free(r.games);
    return good;
}
