/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <string.h>

#include "base/stop.h"
#include "notation/fen.h"

typedef struct {
    int score;
    Move best;
} Answer;

/* The last score that was exact: where nodes run out within an iteration, what it knows so far may be a bound. */
static void take_report(void *context, const SearchReport *report) {
    if (report->number == 1 && report->bound == BOUND_IS_EXACT) ((Answer *)context)->score = report->score;
}

static void take_best(void *context, Move best, Move ponder) {
    (void)ponder;
    ((Answer *)context)->best = best;
}

static Answer ask(Search *s, const HistoryJob *job, const Position *start, const Move *moves, unsigned n) {
    Answer a = {SCORE_DRAW, 0};
    const SearchLimits limits = {.nodes = job->nodes, .depth = job->nodes ? 0 : job->answer_depth};
    const SearchListener listener = {&a, take_report, take_best};
    search_set_position(s, start, moves, n);
    search_start(s, &limits, &listener);
    search_wait(s);
    return a;
}

static bool among(Move m, const Move *list, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (list[i] == m) return true;
    return false;
}

static bool is_false_mate(const HistoryCase *c, const Position *root, int score) {
    if (!score_is_mate(score)) return false;
    const int plies = score > 0 ? SCORE_MATE - score : SCORE_MATE + score;
    return c->outcome == OUTCOME_DRAW || (c->outcome == OUTCOME_WIN && game_clock(root) + plies > GAME_CLOCK_END);
}

static bool is_right(const HistoryCase *c, const Position *root, Answer a) {
    if (is_false_mate(c, root, a.score)) return false;
    switch (c->outcome) {
    case OUTCOME_DRAW:
        return a.score <= HISTORY_DRAWN && a.score >= -HISTORY_DRAWN;
    case OUTCOME_WIN:
        return a.score >= HISTORY_WON;
    default:
        return !among(a.best, c->avoid, c->avoid_n) && (!c->best_n || among(a.best, c->best, c->best_n));
    }
}

static void ask_case(Search *s, const HistoryJob *job, const HistoryCase *c, HistoryFigures *f) {
    Position early = c->at, root = c->at;
    for (unsigned i = 0; i < c->played_n; i++) position_play(&root, &root, c->played[i]);
    early.halfmove = 0;
    search_clear(s);
    const Answer cold = ask(s, job, &c->at, c->played, c->played_n);
    search_clear(s);
    ask(s, job, &early, c->played, c->played_n);
    const Answer warm = ask(s, job, &c->at, c->played, c->played_n);
    f->asked[c->outcome]++;
    f->cold[c->outcome] += is_right(c, &root, cold);
    f->warm[c->outcome] += is_right(c, &root, warm);
    f->false_cold += is_false_mate(c, &root, cold.score);
    f->false_warm += is_false_mate(c, &root, warm.score);
}

/* Two from the middle of games, two endings in which the clock has run for a while. */
static const char *const plain[] = {
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "2r2rk1/pp1bqppp/4pn2/3p4/3P4/1P1QPN2/PB3PPP/2R2RK1 w - - 4 17",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 61 78",
    "1k6/1b3p2/pp2p1p1/4P2p/3N1P2/P3K1PP/1P6/8 w - - 55 73",
};
enum { PLAIN_POSITIONS = sizeof plain / sizeof *plain };

static void count_nodes(Search *s, const HistoryJob *job, HistoryFigures *f) {
    const SearchLimits limits = {.depth = job->depth};
    for (unsigned i = 0; i < PLAIN_POSITIONS; i++) {
        Position p;
        if (!fen_parse(&p, plain[i], NULL)) continue;
        search_clear(s);
        search_set_position(s, &p, NULL, 0);
        search_run(s, &limits);
        f->nodes += search_nodes(s);
    }
}

bool history_measure(const HistoryJob *job, HistoryKey form, HistoryFigures *figures, bool *stopped,
                     TabiaError *error) {
    const SearchSettings settings = {
        .hash_bytes = job->hash_bytes, .pawn_bytes = 1 << 20, .threads = 1, .history_key = form};
    Search *s = search_create(&settings, error);
    if (!s) return false;
    memset(figures, 0, sizeof *figures);
    count_nodes(s, job, figures);
    for (unsigned i = 0; i < job->cases->n && !*stopped; i++) {
        *stopped = job->watch && job->watch(job->context, i, job->cases->n);
        if (!*stopped) ask_case(s, job, &job->cases->all[i], figures);
    }
    if (tabia_stop_requested()) *stopped = true; /* the last search may have ended early */
    search_destroy(s);
    return true;
}
