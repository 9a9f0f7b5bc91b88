/* SPDX-License-Identifier: MIT */
#include "path_key_exact.h"

#include <assert.h>
#include <math.h>
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

/* One game with one form. */
typedef struct {
    bool done, right[QUESTIONS_A_GAME];
    unsigned lost[EXACT_MEASURES];
    uint64_t nodes;
} GameOutcome;

typedef struct {
    const PathKeyExactRequest *request;
    EndgameGame *games;
    GameOutcome *outcomes; /* game by game, of each form */
    atomic_uint next;      /* of them */
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

static void ask(Search *s, const PathKeyExactRequest *request, const EndgameGame *g, unsigned number, GameOutcome *o) {
    const Question *q = &g->question[number];
    const AskedLine l = line_of(g, q);
    const SearchResult a = answer(s, request, &l);
    o->right[number] = is_right(&l.root, q->expected, a.score);
    o->nodes += search_nodes(s);
    if (number == 0) return; /* it met an empty table */
    Position next;
    o->lost[EXACT_WRONG] += !o->right[number];
    o->lost[EXACT_MOVES] += (unsigned)(q->expected - result_after(request->endings, &l.root, a.move, &next));
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
                     GameOutcome *o) {
    const Question *q = &g->question[QUESTIONS_A_GAME - 1];
    Position game[PLAYOUT_PLIES_MAX];
    AskedLine l = line_of(g, q);
    const unsigned from = l.n;
    int result = q->expected;
    for (unsigned i = 0; i < PLAYOUT_MOVES && result >= 0; i++) {
        Position next;
        const Move m = answer(s, request, &l).move;
        o->nodes += search_nodes(s);
        result = result_after(request->endings, &l.root, m, &next);
        play(&l, game, m);
        if (is_over(&l, game, from)) break;
        play(&l, game, endgame_perfect_move(request->endings, &l.root, &seed));
        if (is_over(&l, game, from)) break;
    }
    if (is_third(&l, game, from)) result = 0;
    if (q->expected > result) o->lost[EXACT_PLAYOUT] = (unsigned)(q->expected - result);
}

/* ---- one game ---- */

static uint64_t game_seed(const PathKeyExactRequest *request, unsigned number) {
    return request->seed + ((uint64_t)number << 20);
}

static bool measure_game(ExactRun *r, Search *s, unsigned item, TabiaError *error) {
    const PathKeyExactRequest *request = r->request;
    const unsigned number = item / request->forms_n;
    const EndgameGame *g = &r->games[number];
    GameOutcome *o = &r->outcomes[item];
    const SearchSettings settings = {
        .hash_bytes = request->hash_bytes, .threads = 1, .path_key = request->forms[item % request->forms_n]};
    if (!search_configure(s, &settings, error)) return false;
    search_clear(s);
    for (unsigned i = 0; i < QUESTIONS_A_GAME; i++) ask(s, request, g, i, o);
    if (number < request->playouts) play_out(s, request, g, game_seed(request, number), o);
    o->done = !tabia_stop_requested(); /* the last search may have ended early */
    return true;
}

static bool is_stopped(ExactRun *r) {
    if (tabia_stop_requested()) atomic_store(&r->stopped, true);
    return atomic_load(&r->stopped);
}

/* By the calling thread, which reports the progress of all. */
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

static bool measure_games(ExactRun *r, unsigned worker, TabiaError *error) {
    const SearchSettings settings = {.hash_bytes = r->request->hash_bytes, .threads = 1};
    const unsigned all = r->request->games * r->request->forms_n;
    Search *s = search_create(&settings, error);
    bool good = s != NULL;
    for (unsigned item; good && !has_to_end(r, worker) && (item = atomic_fetch_add(&r->next, 1)) < all;) {
        good = measure_game(r, s, item, error);
        atomic_fetch_add(&r->games_done, 1);
    }
    search_destroy(s);
    return good;
}

static void work(void *context, unsigned worker) {
    ExactRun *r = context;
    TabiaError error;
    if (!measure_games(r, worker, &error) && !atomic_exchange(&r->failed, true)) *r->error = error;
}

/* ---- results ---- */

PairedDifference paired_difference(uint64_t n, int64_t sum, uint64_t squares) {
    const double mean = (double)sum / (double)n;
    const double variance = ((double)squares - (double)sum * mean) / ((double)n - 1);
    const double half = 1.96 * sqrt(variance / (double)n);
    return (PairedDifference){mean, mean - half, mean + half};
}

double sign_test(uint64_t a, uint64_t b) {
    const double n = (double)a + (double)b;
    double p = 0;
    for (uint64_t i = 0; i <= (a < b ? a : b); i++)
        p += 2 * exp(lgamma(n + 1) - lgamma((double)i + 1) - lgamma(n - (double)i + 1) - n * log(2));
    return p < 1 ? p : 1;
}

static void add_game(PathKeyExactResult *f, const EndgameGame *g, const GameOutcome *o, const GameOutcome *first) {
    for (unsigned i = 1; i < QUESTIONS_A_GAME; i++) {
        f->asked[g->question[i].expected + 1]++;
        f->wrong[g->question[i].expected + 1] += !o->right[i];
        f->better += o->right[i] > first->right[i], f->worse += o->right[i] < first->right[i];
    }
    for (unsigned m = 0; m < EXACT_MEASURES; m++) f->total[m] += o->lost[m];
    f->nodes += o->nodes;
}

static PairedDifference difference(const ExactRun *r, unsigned form, ExactMeasure m, unsigned games) {
    int64_t sum = 0;
    uint64_t squares = 0;
    for (unsigned i = 0; i < games; i++) {
        const GameOutcome *first = &r->outcomes[i * r->request->forms_n];
        const int64_t more = (int64_t)first[form].lost[m] - first->lost[m];
        sum += more, squares += (uint64_t)(more * more);
    }
    return paired_difference(games, sum, squares);
}

/* How many games from the first on every form has finished. */
static unsigned judged_games(const ExactRun *r) {
    unsigned i = 0;
    while (i < r->request->games * r->request->forms_n && r->outcomes[i].done) i++;
    return i / r->request->forms_n;
}

static void sum_up(const ExactRun *r, unsigned games, PathKeyExactResult *results) {
    const unsigned forms = r->request->forms_n, playouts = r->request->playouts < games ? r->request->playouts : games;
    for (unsigned v = 0; v < forms; v++) {
        results[v] = (PathKeyExactResult){0};
        for (unsigned g = 0; g < games; g++)
            add_game(&results[v], &r->games[g], &r->outcomes[g * forms + v], &r->outcomes[g * forms]);
        for (unsigned m = 0; m < EXACT_MEASURES; m++)
            results[v].against[m] = difference(r, v, m, m == EXACT_PLAYOUT ? playouts : games);
    }
}

/* ---- all ---- */

/* All forms play the same games. */
static void choose_games(ExactRun *r) {
    const PathKeyExactRequest *request = r->request;
    for (unsigned i = 0; i < request->games && !has_to_stop(r, PATH_KEY_EXACT_CHOOSES, i, request->games); i++)
        endgame_game(request->endings, request->names, request->names_n, game_seed(request, i), &r->games[i]);
}

bool path_key_exact(const PathKeyExactRequest *request, PathKeyExactResult *results, unsigned *judged,
                    TabiaError *error) {
    ExactRun r = {.request = request, .error = error};
    assert(request->games && request->forms_n && (request->nodes || request->depth > 0));
    r.outcomes = calloc((size_t)request->forms_n * request->games, sizeof *r.outcomes);
    r.games = aligned_alloc(64, request->games * sizeof *r.games);
    bool good = r.outcomes && r.games;
    if (!good) tabia_fail(error, "no memory for %u games", request->games);
    if (good) choose_games(&r);
    if (good && !atomic_load(&r.stopped))
        good = tabia_threads_run(request->threads, work, &r, error) && !atomic_load(&r.failed);
    *judged = good ? judged_games(&r) : 0;
    if (good) sum_up(&r, *judged, results);
    free(r.outcomes), free(r.games);
    return good;
}
