/* SPDX-License-Identifier: MIT */
#include "path_key_games.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"

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
