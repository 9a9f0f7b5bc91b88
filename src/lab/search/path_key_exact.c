/* SPDX-License-Identifier: MIT */
#include "path_key_exact.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/stop.h"
#include "base/threads.h"

/* ---- moves ---- */

/* Better for the side that moves is larger: a short win, a draw, a long loss. */
static int rating_after(const EndgameTables *t, const Position *p, Move m) {
    Position next;
    EndgameValue v = {0, 0};
    game_make_move(&next, p, m);
    const int result = -endgame_result(t, &next);
    endgame_value(t, &next, &v);
    return result > 0 ? 1000 - v.plies : result < 0 ? v.plies - 1000 : 0;
}

Move endgame_perfect_move(const EndgameTables *t, const Position *p, uint64_t *seed) {
    Move list[MOVES_MAX], best = 0;
    const unsigned n = game_moves(p, list);
    int max = 0;
    unsigned equals = 0;
    for (unsigned i = 0; i < n; i++) {
        const int rating = rating_after(t, p, list[i]);
        if (!best || rating > max) max = rating, equals = 0;
        if (rating == max && random_below(seed, ++equals) == 0) best = list[i];
    }
    return best;
}

static bool is_quiet_move(const Position *p, Move m) {
    return game_captured(p, m) == NO_PIECE_TYPE && piece_type_at(p, move_from(m)) != PAWN;
}

static bool is_in_line(const EndgameGame *g, const Position *p) {
    for (unsigned i = 0; i <= g->plies; i++)
        if (position_same(&g->at[i], p)) return true;
    return false;
}

/* ---- the line ---- */

enum { TRIES = 1500, TARGETS = 4, EDGE_PLIES = 20, MIDDLE_PLIES = 50, SHORT_LINE = 8 };

/* A position whose distance is one of a few that are chosen by chance. False: none was met. */
static bool choose_start(const EndgameTables *t, const char *name, int min, int max, uint64_t *seed, Position *p) {
    for (unsigned i = 0; i < TARGETS; i++) {
        const int target = min + (int)random_below(seed, (unsigned)(max - min + 1));
        for (unsigned j = 0; j < TRIES; j++) {
            EndgameValue v;
            *p = endgame_random(t, name, seed);
            if (endgame_value(t, p, &v) && v.result && v.plies == target) return true;
        }
    }
    return false;
}

/* Half of the games near the rule's edge, the others in the middle or drawn at every clock, where an ending has such. */
static void choose_position(const EndgameTables *t, const char *name, uint64_t *seed, Position *p) {
    const unsigned class = random_below(seed, 8);
    EndgameValue v = {1, 0};
    for (unsigned i = 0; class == 0 && i < TRIES && v.result; i++) {
        *p = endgame_random(t, name, seed);
        endgame_value(t, p, &v);
        if (!game_has_move(p)) v.result = 1;
    }
    if (v.result && (class > 3 || !choose_start(t, name, EDGE_PLIES + 1, MIDDLE_PLIES, seed, p)))
        if (!choose_start(t, name, 1, EDGE_PLIES, seed, p)) *p = endgame_random(t, name, seed);
    endgame_value(t, p, &v);
    const int clock = v.result ? GAME_HALFMOVE_DRAW - v.plies + (int)random_below(seed, 5) - 2
                               : EDGE_CLOCK + (int)random_below(seed, 12);
    p->halfmove = (uint16_t)(clock > 98 ? 98 : clock);
}

/* Three moves of four are perfect, the others any: positions that are won, drawn and lost follow each other. */
static Move choose_move(const EndgameTables *t, const EndgameGame *g, const Position *p, uint64_t *seed) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(p, list);
    for (unsigned i = 0; n && i < 16; i++) {
        const Move m = random_below(seed, 4) ? endgame_perfect_move(t, p, seed) : list[random_below(seed, n)];
        Position next;
        game_make_move(&next, p, m);
        if (is_quiet_move(p, m) && game_has_move(&next) && !is_in_line(g, &next)) return m;
    }
    return 0;
}

static void choose_line(const EndgameTables *t, uint64_t *seed, EndgameGame *g) {
    for (g->plies = 0; g->plies < SHORT_LINE; g->plies++) {
        const Position *p = &g->at[g->plies];
        const Move m = choose_move(t, g, p, seed);
        if (!m) return;
        g->moves[g->plies] = m;
        game_make_move(&g->at[g->plies + 1], p, m);
    }
}

/* ---- the questions ---- */

static void exchange_moves(Move *moves, unsigned ply) {
    const Move m = moves[ply - 1];
    moves[ply - 1] = moves[ply - 3], moves[ply - 3] = m;
}

/* Is the position reached, without a zeroing move, if the last move and that two plies before change places? */
static bool transposes(const EndgameGame *g, unsigned ply) {
    if (ply < 3) return false;
    Move moves[LINE_PLIES_MAX];
    memcpy(moves, g->moves, sizeof moves);
    exchange_moves(moves, ply);
    Position p = g->at[ply - 3];
    for (unsigned i = ply - 3; i < ply; i++) {
        if (!game_is_legal(&p, moves[i]) || !is_quiet_move(&p, moves[i])) return false;
        const Position before = p;
        game_make_move(&p, &before, moves[i]);
    }
    return position_same(&p, &g->at[ply]);
}

QuestionLine question_line(const EndgameGame *g, const Question *q) {
    QuestionLine l = {.start = g->at[0]};
    assert(q->ply <= g->plies && q->clock >= (int)q->ply);
    l.start.halfmove = (uint16_t)(q->clock - (int)q->ply);
    memcpy(l.moves, g->moves, sizeof l.moves);
    if (q->transposed) exchange_moves(l.moves, q->ply);
    return l;
}

/* The clock at the start of the line: that of the game, or another one, near or far. */
static int choose_clock(const EndgameGame *g, uint64_t *seed) {
    static const int others[] = {-100, -30, -10, -4, -2, -1, 1, 2, 4, 10};
    const int own = game_halfmove_clock(&g->at[0]), changed = own + others[random_below(seed, 10)];
    return random_below(seed, 2) ? own : changed < 0 ? 0 : changed;
}

static void choose_question(const EndgameTables *t, const EndgameGame *g, unsigned ply, uint64_t *seed, Question *q) {
    int start = choose_clock(g, seed);
    if (start + (int)ply >= GAME_HALFMOVE_DRAW) start = GAME_HALFMOVE_DRAW - 1 - (int)ply;
    Position p = g->at[ply];
    p.halfmove = (uint16_t)(start + (int)ply);
    *q = (Question){.ply = ply,
                    .clock = start + (int)ply,
                    .transposed = random_below(seed, 2) && transposes(g, ply),
                    .expected = endgame_result(t, &p)};
}

void endgame_game(const EndgameTables *t, const char *const *names, unsigned n, uint64_t seed, EndgameGame *g) {
    uint64_t random = random_next(&seed);
    do {
        choose_position(t, names[random_below(&random, n)], &random, &g->at[0]);
    } while (!game_has_move(&g->at[0]));
    choose_line(t, &random, g);
    unsigned ply = random_below(&random, g->plies + 1);
    for (unsigned i = 0; i < QUESTIONS_A_GAME; i++) {
        choose_question(t, g, ply, &random, &g->question[i]);
        const unsigned step = 1 + random_below(&random, 2);
        if (random_below(&random, 2))
            ply = ply + step > g->plies ? g->plies : ply + step;
        else
            ply = ply < step ? 0 : ply - step;
    }
}

/* ---- the judge ---- */

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
