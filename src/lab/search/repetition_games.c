/* SPDX-License-Identifier: MIT */
#include "repetition_games.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "locked_pawns.h"

enum { GAME_TRIES = 24, START_TRIES = 400, LEAST_PLIES = 5 };

/* A game while it is made. The values with its history are those after `solved` plies. */
typedef struct {
    LockedPawns *pawns;
    EndgameGame *game;
    unsigned state[LINE_PLIES_MAX + 1];
    uint8_t visits[LOCKED_STATES];
    bool twice[LOCKED_STATES], never[LOCKED_STATES];
    EndgameValue bare[LOCKED_STATES], values[LOCKED_STATES];
} RepetitionGame;

/* ---- the line ---- */

/* Three starts of four can be won or lost, but not at once. */
static unsigned choose_start(const RepetitionGame *r, uint64_t *seed) {
    const bool decided = random_below(seed, 4);
    unsigned state = 0;
    for (unsigned i = 0, legal = 0; i < START_TRIES || !legal; i++) {
        const unsigned s = random_below(seed, LOCKED_STATES);
        MoveResult moves[LOCKED_MOVES_MAX];
        if (!locked_state_is_legal(r->pawns, s) || !locked_pawns_moves(r->pawns, s, 0, r->never, r->bare, moves))
            continue;
        state = s, legal = 1;
        if (!decided || r->bare[s].plies >= LEAST_PLIES) break;
    }
    return state;
}

static void visit(RepetitionGame *r, unsigned ply, unsigned state) {
    r->state[ply] = state;
    r->visits[state]++;
    assert(r->visits[state] <= 2);
    if (r->visits[state] < 2) return;
    r->twice[state] = true;
    locked_pawns_solve(r->pawns, r->twice, r->values);
}

/* Back to where the game was once, if possible, every other time; a good move or any otherwise. Not out, and nowhere a third time. */
static Move choose_quiet_move(const RepetitionGame *r, unsigned ply, uint64_t *seed) {
    MoveResult list[LOCKED_MOVES_MAX];
    const Position *p = &r->game->at[ply];
    const unsigned n = locked_pawns_moves(r->pawns, r->state[ply], (int)ply, r->twice, r->values, list);
    const bool back = random_below(seed, 2), good = random_below(seed, 2);
    Move chosen = 0;
    int most = 0;
    for (unsigned i = 0, equals = 0; i < n; i++) {
        Position next;
        game_make_move(&next, p, list[i].move);
        if (game_captured(p, list[i].move) != NO_PIECE_TYPE || !game_has_move(&next)) continue;
        const uint8_t visits = r->visits[locked_state(&next)];
        if (visits >= 2) continue;
        const int rating = 1 + 4 * (back && visits) + (good ? list[i].result + 1 : 0);
        if (rating > most) most = rating, equals = 0;
        if (rating == most && random_below(seed, ++equals) == 0) chosen = list[i].move;
    }
    return chosen;
}

static void choose_line(RepetitionGame *r, uint64_t *seed) {
    EndgameGame *g = r->game;
    memset(r->visits, 0, sizeof r->visits);
    memset(r->twice, 0, sizeof r->twice);
    memcpy(r->values, r->bare, sizeof r->values);
    visit(r, 0, choose_start(r, seed));
    g->at[0] = locked_position(r->pawns, r->state[0]);
    const unsigned most = 8 + random_below(seed, LINE_PLIES_MAX - 7);
    for (g->plies = 0; g->plies < most; g->plies++) {
        const Move m = choose_quiet_move(r, g->plies, seed);
        if (!m) return;
        g->moves[g->plies] = m;
        game_make_move(&g->at[g->plies + 1], &g->at[g->plies], m);
        visit(r, g->plies + 1, locked_state(&g->at[g->plies + 1]));
    }
}

/* ---- the questions ---- */

/* The history of a ply, or none, and the values with it. */
static void solve_at(RepetitionGame *r, unsigned ply, bool bare) {
    memset(r->visits, 0, sizeof r->visits);
    memset(r->twice, 0, sizeof r->twice);
    bool any = false;
    for (unsigned i = 0; i <= ply && !bare; i++)
        if (++r->visits[r->state[i]] == 2) r->twice[r->state[i]] = any = true;
    if (any)
        locked_pawns_solve(r->pawns, r->twice, r->values);
    else
        memcpy(r->values, r->bare, sizeof r->values);
}

/* A root that was there twice is no draw itself: its moves tell what it is worth. */
static void fill_question(RepetitionGame *r, unsigned ply, bool bare, Question *q) {
    const int clock = (int)ply;
    MoveResult without[LOCKED_MOVES_MAX];
    *q = (Question){.ply = ply, .clock = clock, .bare = bare, .expected = -1};
    solve_at(r, ply, bare);
    q->results_n = locked_pawns_moves(r->pawns, r->state[ply], clock, r->twice, r->values, q->results);
    locked_pawns_moves(r->pawns, r->state[ply], clock, r->never, r->bare, without);
    int alone = -1;
    for (unsigned i = 0; i < q->results_n; i++) {
        if (q->results[i].result > q->expected) q->expected = q->results[i].result;
        if (without[i].result > alone) alone = without[i].result;
    }
    q->by_history = alone != q->expected;
}

/* Returns how many have another result by their history. */
static unsigned choose_questions(RepetitionGame *r, uint64_t *seed) {
    EndgameGame *g = r->game;
    unsigned ply = random_below(seed, g->plies + 1), by_history = 0;
    for (unsigned i = 0; i < QUESTIONS_A_GAME; i++) {
        fill_question(r, ply, random_below(seed, 3) == 0, &g->question[i]);
        by_history += g->question[i].by_history;
        const unsigned step = 1 + random_below(seed, 4);
        if (random_below(seed, 2))
            ply = ply + step > g->plies ? g->plies : ply + step;
        else
            ply = ply < step ? 0 : ply - step;
    }
    return by_history;
}

/* In every other game the history decides something, where a game of that kind is soon found. */
bool repetition_game(const EndgameTables *t, uint64_t seed, EndgameGame *g, TabiaError *error) {
    uint64_t random = random_next(&seed);
    RepetitionGame *r = calloc(1, sizeof *r);
    if (!r) return tabia_fail(error, "no memory for games with repetitions");
    const bool decides = random_below(&random, 2);
    bool good = true;
    r->game = g;
    for (unsigned i = 0; i < GAME_TRIES && good; i++) {
        locked_pawns_free(r->pawns);
        r->pawns = locked_pawns_create(t, 8 + (int)random_below(&random, 40));
        good = r->pawns || tabia_fail(error, "no memory for games with repetitions");
        if (!good) break;
        locked_pawns_solve(r->pawns, r->never, r->bare);
        choose_line(r, &random);
        if (choose_questions(r, &random) || !decides) break;
    }
    locked_pawns_free(r->pawns);
    free(r);
    return good;
}
