/* SPDX-License-Identifier: MIT */
/*
 * Games of shogi whose end is near and known: a position has occurred three times, its fourth occurrence ends the game.
 * In most, rook and knight or king go to and fro while one side is far behind: it wants the draw, the other must leave
 * the cycle. In the others a rook checks in a cycle of checks alone, which loses, or of checks and other moves.
 */
#include <stdio.h>

#include "notation/fen.h"
#include "notation/move_text.h"
#include "path_keys.h"

const char *const path_key_node_positions[] = {
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "l7l/3s5/prnp2kp1/2p1Gppnp/1P7/PnPP1P3/3BP2PP/1S1G5/LN1K1G1+rL b SBG3ps 91",
    NULL,
};

#define WITHOUT_ROOK_AND_BISHOP "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define BLACK_WITHOUT "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w - 1"
#define WITHOUT_GOLDS "lns1k1snl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
#define BARE_KING "4k4/9/9/9/9/9/9/5R3/4K4 b G2S 1"
#define BARE_KING_LEFT "4k4/9/9/9/9/9/9/3R5/4K4 b G2S 1"
#define FOUR "2h3h 5a4b 3h2h 4b5a"
#define SIX "2h3h 5a5b 3h4h 5b4b 4h2h 4b5a"
#define EIGHT "2h3h 5a5b 3h4h 5b4b 4h5h 4b5b 5h2h 5b5a"
#define CHECKS "4h5h 5a4a 5h4h 4a5a"
#define EIGHT_CHECKS "4h5h 5a6a 5h6h 6a5b 6h5h 5b4a 5h4h 4a5a"
#define CHECK_AND_MOVE "6h5h 5a4a 5h6h 4a5a"

/* The cycle is played three times, but for its last moves. */
static const struct {
    const char *start, *cycle;
    unsigned before_end;
    PathKeyOutcome expected;
    const char *best, *avoid;
} built_in[] = {
    {WITHOUT_ROOK_AND_BISHOP, FOUR, 1, OUTCOME_DRAW, NULL, NULL},
    {WITHOUT_ROOK_AND_BISHOP, FOUR, 2, OUTCOME_MOVE, NULL, "3h2h"},
    {WITHOUT_ROOK_AND_BISHOP, FOUR, 2, OUTCOME_WIN, NULL, NULL},
    {WITHOUT_ROOK_AND_BISHOP, SIX, 1, OUTCOME_DRAW, NULL, NULL},
    {WITHOUT_ROOK_AND_BISHOP, SIX, 2, OUTCOME_MOVE, NULL, "4h2h"},
    {WITHOUT_ROOK_AND_BISHOP, EIGHT, 1, OUTCOME_MOVE, "5b5a", NULL},
    {WITHOUT_ROOK_AND_BISHOP, EIGHT, 2, OUTCOME_MOVE, NULL, "5h2h"},
    {WITHOUT_GOLDS, FOUR, 1, OUTCOME_DRAW, NULL, NULL},
    {WITHOUT_GOLDS, EIGHT, 1, OUTCOME_DRAW, NULL, NULL},
    {WITHOUT_GOLDS, EIGHT, 2, OUTCOME_WIN, NULL, NULL},
    {BLACK_WITHOUT, "8b7b 5i4h 7b8b 4h5i", 1, OUTCOME_DRAW, NULL, NULL},
    {BLACK_WITHOUT, "8b7b 5i4h 7b8b 4h5i", 2, OUTCOME_MOVE, NULL, "7b8b"},
    {BARE_KING, CHECKS, 1, OUTCOME_WIN, NULL, NULL},
    {BARE_KING, CHECKS, 1, OUTCOME_MOVE, "4a5a", NULL},
    {BARE_KING, CHECKS, 2, OUTCOME_MOVE, NULL, "5h4h"},
    {BARE_KING, EIGHT_CHECKS, 1, OUTCOME_WIN, NULL, NULL},
    {BARE_KING, EIGHT_CHECKS, 2, OUTCOME_MOVE, NULL, "5h4h"},
    {BARE_KING_LEFT, CHECK_AND_MOVE, 1, OUTCOME_DRAW, NULL, NULL},
    {BARE_KING_LEFT, CHECK_AND_MOVE, 2, OUTCOME_MOVE, NULL, "5h6h"},
};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

/* A move as text, made in *p if `in_turn`; false: it is not legal. NULL is none. */
static bool add_move(Position *p, const char *text, bool in_turn, Move *list, unsigned *n) {
    if (!text) return true;
    const Move m = move_from_uci(p, text);
    list[(*n)++] = m;
    if (m && in_turn) position_make_move(p, p, m);
    return m != 0;
}

static bool fill_case(PathKeyCase *c, unsigned i) {
    Move cycle[PATH_KEY_CASE_MOVES_MAX];
    unsigned n = 0;
    char text[8];
    if (!fen_parse(&c->at, built_in[i].start, NULL)) return false;
    Position p = c->at;
    const char *at = built_in[i].cycle;
    for (int used; sscanf(at, " %7s%n", text, &used) == 1; at += used)
        if (!add_move(&p, text, true, cycle, &n)) return false;
    c->moves_n = 3 * n - built_in[i].before_end;
    p = c->at;
    for (unsigned k = 0; k < c->moves_n; k++) c->moves[k] = cycle[k % n], position_make_move(&p, &p, cycle[k % n]);
    c->expected = built_in[i].expected;
    return add_move(&p, built_in[i].best, false, c->best, &c->best_n) &&
           add_move(&p, built_in[i].avoid, false, c->avoid, &c->avoid_n);
}

bool path_key_cases_built_in(PathKeyCases *c, TabiaError *error) {
    *c = (PathKeyCases){0};
    for (unsigned i = 0; i < BUILT_IN; i++) {
        PathKeyCase *new = path_key_cases_append(c, error);
        if (new &&fill_case(new, i)) continue;
        if (new) tabia_fail(error, "position %u of our own is not as it should be", i + 1);
        return path_key_cases_free(c), false;
    }
    return true;
}
