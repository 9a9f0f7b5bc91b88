/* SPDX-License-Identifier: MIT */
#include "path_keys.h"

#include <assert.h>
#include <string.h>

#include "base/stop.h"
#include "notation/fen.h"

typedef struct {
    int score;
    Move best;
} CaseResult;

/* The last exact score: where nodes run out within an iteration, later scores may be bounds. */
static void on_report(void *context, const SearchReport *report) {
    if (report->number == 1 && report->bound == TABIA_BOUND_EXACT) ((CaseResult *)context)->score = report->score;
}

static void on_best_move(void *context, Move best, Move ponder) {
    (void)ponder;
    ((CaseResult *)context)->best = best;
}

static CaseResult search_case(Search *s, const PathKeyRequest *request, const Position *start, const Move *moves,
                              unsigned n) {
    CaseResult a = {SCORE_DRAW, 0};
    const SearchLimits limits = {.nodes = request->nodes, .depth = request->nodes ? 0 : request->answer_depth};
    const SearchListener listener = {.context = &a, .report = on_report, .best = on_best_move};
    search_set_position(s, start, moves, n);
    search_start(s, &limits, &listener);
    search_wait(s);
    return a;
}

static bool contains_move(Move m, const Move *list, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (list[i] == m) return true;
    return false;
}

static bool is_false_mate(const PathKeyCase *c, const Position *root, int score) {
    if (!score_is_mate(score)) return false;
    const int plies = score > 0 ? SCORE_MATE - score : SCORE_MATE + score;
    return c->expected == OUTCOME_DRAW || (c->expected == OUTCOME_WIN && plies > game_plies_to_draw(root));
}

static bool is_correct(const PathKeyCase *c, const Position *root, CaseResult a) {
    if (is_false_mate(c, root, a.score)) return false;
    switch (c->expected) {
    case OUTCOME_DRAW:
        return a.score <= PATH_KEY_DRAW_MARGIN && a.score >= -PATH_KEY_DRAW_MARGIN;
    case OUTCOME_WIN:
        return a.score >= PATH_KEY_WIN_SCORE;
    default:
        return !contains_move(a.best, c->avoid, c->avoid_n) &&
               (!c->best_n || contains_move(a.best, c->best, c->best_n));
    }
}

static void measure_case(Search *s, const PathKeyRequest *request, const PathKeyCase *c, PathKeyResult *f) {
    assert(c->expected < OUTCOMES && c->moves_n <= PATH_KEY_CASE_MOVES_MAX);
    Position root = c->at;
    for (unsigned i = 0; i < c->moves_n; i++) position_make_move(&root, &root, c->moves[i]);
    Position early = GAME_CLOCK_IS_THE_PAST ? c->at : root;
    const unsigned early_n = GAME_CLOCK_IS_THE_PAST ? c->moves_n : 0;
    game_forget_clock(&early);
    search_clear(s);
    const CaseResult cold = search_case(s, request, &c->at, c->moves, c->moves_n);
    search_clear(s);
    search_case(s, request, &early, c->moves, early_n);
    const CaseResult warm = search_case(s, request, &c->at, c->moves, c->moves_n);
    f->total[c->expected]++;
    f->correct_cold[c->expected] += is_correct(c, &root, cold);
    f->correct_warm[c->expected] += is_correct(c, &root, warm);
    f->false_mates_cold += is_false_mate(c, &root, cold.score);
    f->false_mates_warm += is_false_mate(c, &root, warm.score);
}

static void count_nodes(Search *s, const PathKeyRequest *request, PathKeyResult *f) {
    const SearchLimits limits = {.depth = request->depth};
    for (unsigned i = 0; path_key_node_positions[i]; i++) {
        Position p;
        if (!fen_parse(&p, path_key_node_positions[i], NULL)) continue;
        search_clear(s);
        search_set_position(s, &p, NULL, 0);
        search_run(s, &limits);
        f->nodes += search_nodes(s);
    }
}

bool path_key_measure(const PathKeyRequest *request, PathKeyForm form, PathKeyResult *result, bool *stopped,
                      TabiaError *error) {
    assert((int)form < PATH_KEY_FORMS && request->depth > 0);
    const SearchSettings settings = {.hash_bytes = request->hash_bytes, .threads = 1, .path_key = form};
    Search *s = search_create(&settings, error);
    if (!s) return false;
    memset(result, 0, sizeof *result);
    count_nodes(s, request, result);
    for (unsigned i = 0; i < request->cases->n && !*stopped; i++) {
        *stopped = request->on_progress && request->on_progress(request->context, i, request->cases->n);
        if (!*stopped) measure_case(s, request, &request->cases->all[i], result);
    }
    if (tabia_stop_requested()) *stopped = true; /* the last search may have ended early */
    search_destroy(s);
    return true;
}
