/* SPDX-License-Identifier: MIT */
/* Positions of chess whose outcome is known: endings that are solved, and locked ones. */
#include <stddef.h>

#include "base/random.h"
#include "endgame_table.h"
#include "notation/fen.h"
#include "path_keys.h"

/* Two from the middle of games, two endings whose halfmove clock has run for a while. */
const char *const path_key_node_positions[] = {
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "2r2rk1/pp1bqppp/4pn2/3p4/3P4/1P1QPN2/PB3PPP/2R2RK1 w - - 4 17",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/2r5/R7 b - - 61 78",
    "1k6/1b3p2/pp2p1p1/4P2p/3N1P2/P3K1PP/1P6/8 w - - 55 73",
    NULL,
};

enum { PLIES_MIN = 5, PLIES_MAX = 15 };

/* False: the position that r names is not legal, or white, to move, mates in another number of plies. */
static bool is_mate_in(const EndgameTables *e, PieceType piece, uint64_t r, int plies, Position *p) {
    const int white_king = r & 63, piece_at = r >> 6 & 63, black_king = r >> 12 & 63;
    if (white_king == piece_at || white_king == black_king || piece_at == black_king) return false;
    EndgameValue v;
    *p = endgame_position(piece, white_king, piece_at, black_king);
    return endgame_value(e, p, &v) && v.result > 0 && v.plies == plies;
}

/* By chance, one pair for each odd number of plies. */
static bool add_solved_pairs(PathKeyCases *c, const EndgameTables *e, PieceType piece, uint64_t *seed,
                             TabiaError *error) {
    for (int plies = PLIES_MIN; plies <= PLIES_MAX; plies += 2) {
        Position p;
        while (!is_mate_in(e, piece, random_next(seed) >> 40, plies, &p)) continue;
        for (int late = 0; late < 2; late++) {
            PathKeyCase *new = path_key_cases_append(c, error);
            if (!new) return false;
            new->at = p;
            new->at.halfmove = (uint16_t)(GAME_HALFMOVE_DRAW - plies + late);
            new->expected = late ? OUTCOME_DRAW : OUTCOME_WIN;
        }
    }
    return true;
}

/* Every pawn stands before another and next to none it could take; a king cannot pass, and bishops of the colour of
   their own pawns can take nothing but each other: nobody ever wins. */
static const char *const blocked_positions[] = {
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3BK3 w - - 0 60",
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3BKB2 w - - 72 96",
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1B1BKB2 w - - 88 104",
};

bool path_key_cases_built_in(PathKeyCases *c, TabiaError *error) {
    static const char *const names[] = {"KQK", "KRK"};
    uint64_t seed = 50;
    *c = (PathKeyCases){0};
    EndgameTables *e = endgame_tables_create(names, 2, NULL, NULL, error);
    bool good = e && add_solved_pairs(c, e, QUEEN, &seed, error) && add_solved_pairs(c, e, ROOK, &seed, error);
    endgame_tables_free(e);
    for (size_t i = 0; i < sizeof blocked_positions / sizeof *blocked_positions && good; i++) {
        PathKeyCase *new = path_key_cases_append(c, error);
        good = new &&fen_parse(&new->at, blocked_positions[i], error);
        if (good) new->expected = OUTCOME_DRAW;
    }
    if (!good) path_key_cases_free(c);
    return good;
}
