/* SPDX-License-Identifier: MIT */
/* Locked pawns and games with repetitions: every result against a plain search of all lines that counts positions as the rule does. */
#include "unit.h"

#include <stdlib.h>

#include "lab/search/repetition_games.h"

static const char *const names[] = {"KPK"};
enum { GAMES = 24, PLIES = 6, PATH_MAX = LINE_PLIES_MAX + PLIES + 2 };

/* ---- the plain way ---- */

typedef struct {
    const EndgameTables *endings;
    Position at[PATH_MAX]; /* the game so far */
    unsigned n;
} PlainGame;

/* Was the last position there twice before it? */
static bool is_third(const PlainGame *g) {
    unsigned same = 0;
    for (unsigned i = 0; i < g->n; i++) same += position_same(&g->at[i], &g->at[g->n - 1]);
    return same >= 3;
}

static int plain_result(PlainGame *g, int plies);

static int plain_after(PlainGame *g, Move m, int plies) {
    const Position *p = &g->at[g->n - 1];
    const bool captures = game_captured(p, m) != NO_PIECE_TYPE;
    game_make_move(&g->at[g->n], p, m);
    if (captures) return -endgame_result(g->endings, &g->at[g->n]);
    g->n++;
    const int result = is_third(g) ? 0 : -plain_result(g, plies - 1);
    g->n--;
    return result;
}

/* Of the side to move, if a mate or a capture within so many plies decides; 0 otherwise. */
static int plain_result(PlainGame *g, int plies) {
    Move list[MOVES_MAX];
    const Position *p = &g->at[g->n - 1];
    const unsigned n = game_moves(p, list);
    if (!n) return game_in_check(p) ? -1 : 0;
    int best = plies ? -1 : 0;
    for (unsigned i = 0; plies && i < n && best < 1; i++) {
        const int result = plain_after(g, list[i], plies);
        if (result > best) best = result;
    }
    return best;
}

static PlainGame plain_game(const EndgameTables *t, const EndgameGame *g, const Question *q) {
    PlainGame plain = {.endings = t};
    for (unsigned i = q->bare ? q->ply : 0; i <= q->ply; i++) plain.at[plain.n++] = g->at[i];
    plain.at[plain.n - 1].halfmove = (uint16_t)q->clock;
    return plain;
}

/* ---- tests ---- */

static void check_line(const EndgameGame *g) {
    for (unsigned i = 0; i < g->plies; i++) {
        Position next;
        assert_true(game_is_legal(&g->at[i], g->moves[i]));
        assert_int_equal(game_captured(&g->at[i], g->moves[i]), NO_PIECE_TYPE);
        game_make_move(&next, &g->at[i], g->moves[i]);
        assert_true(position_same(&next, &g->at[i + 1]));
    }
}

/* Each move's result: what few plies decide is the solver's, and what the solver calls a draw they do not decide. */
static unsigned check_moves(const EndgameTables *t, const EndgameGame *g, const Question *q) {
    PlainGame plain = plain_game(t, g, q);
    unsigned decided = 0;
    int best = -1;
    assert_int_equal(q->results_n, game_moves(&plain.at[plain.n - 1], (Move[MOVES_MAX]){0}));
    for (unsigned i = 0; i < q->results_n; i++) {
        const int found = plain_after(&plain, q->results[i].move, PLIES - 1);
        if (found) assert_int_equal(found, q->results[i].result), decided++;
        if (q->results[i].result > best) best = q->results[i].result;
    }
    assert_int_equal(best, q->expected);
    return decided;
}

static void results_are_those_of_all_lines(void **state) {
    unsigned decided = 0, by_history = 0, bare = 0;
    for (unsigned i = 0; i < GAMES; i++) {
        EndgameGame g;
        TabiaError error;
        assert_true(repetition_game(*state, i, &g, &error));
        check_line(&g);
        for (unsigned j = 0; j < 4; j++) {
            const Question *q = &g.question[j];
            decided += check_moves(*state, &g, q);
            by_history += q->by_history, bare += q->bare;
            assert_false(q->bare && q->by_history);
        }
    }
    assert_true(decided > 60 && by_history && bare);
}

/* Of a seventh of the states of a pair of pawns: what is decided within four plies is so by all lines of just as many. */
static void distances_are_exact(void **state) {
    static EndgameValue values[LOCKED_STATES];
    static const bool never[LOCKED_STATES];
    LockedPawns *l = locked_pawns_create(*state, 28);
    unsigned wins = 0, losses = 0;
    assert_non_null(l);
    locked_pawns_solve(l, never, values);
    for (unsigned i = 0; i < LOCKED_STATES; i++) {
        if (!locked_state_is_legal(l, i)) continue;
        const Position p = locked_position(l, i);
        assert_int_equal(locked_state(&p), i);
        for (int plies = 0; plies <= 4 && i % 7 == 0; plies++) {
            PlainGame g = {.endings = *state, .at = {p}, .n = 1};
            const int within = plain_result(&g, plies);
            assert_int_equal(within, values[i].result && values[i].plies <= plies ? values[i].result : 0);
            wins += within > 0, losses += within < 0;
        }
    }
    assert_true(wins > 50 && losses);
    locked_pawns_free(l);
}

/* To enter a state that was there twice is a draw: no way leads through it any more. */
static void twice_bars_the_way(void **state) {
    static EndgameValue values[LOCKED_STATES], barred[LOCKED_STATES];
    static bool twice[LOCKED_STATES];
    LockedPawns *l = locked_pawns_create(*state, 28);
    unsigned changed = 0, same = 0;
    assert_non_null(l);
    locked_pawns_solve(l, twice, values);
    for (unsigned i = 0; i < LOCKED_STATES; i++) {
        if (!locked_state_is_legal(l, i) || values[i].result != 1 || values[i].plies < 3) continue;
        MoveResult list[LOCKED_MOVES_MAX], after[LOCKED_MOVES_MAX];
        const Position p = locked_position(l, i);
        const unsigned n = locked_pawns_moves(l, i, 0, twice, values, list);
        Position next;
        unsigned best = 0;
        while (best < n && list[best].result != 1) best++;
        assert_true(best < n);
        game_make_move(&next, &p, list[best].move);
        if (game_captured(&p, list[best].move) != NO_PIECE_TYPE) continue;
        twice[locked_state(&next)] = true;
        locked_pawns_solve(l, twice, barred);
        assert_int_equal(locked_pawns_moves(l, i, 0, twice, barred, after), n);
        assert_int_equal(after[best].result, 0);
        changed += barred[i].result != 1, same += barred[i].result == 1;
        twice[locked_state(&next)] = false;
        if (changed + same > 60) break;
    }
    assert_true(changed && same);
    locked_pawns_free(l);
}

int main(void) {
    TabiaError error;
    EndgameTables *t = endgame_tables_create(names, 1, NULL, NULL, &error);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(results_are_those_of_all_lines, t),
        cmocka_unit_test_prestate(distances_are_exact, t),
        cmocka_unit_test_prestate(twice_bars_the_way, t),
    };
    const int failed = t ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    endgame_tables_free(t);
    return failed;
}
