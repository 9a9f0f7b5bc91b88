/* SPDX-License-Identifier: MIT */
/* Positions whose outcome is known: our own, solved, and those of files. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "endgame_table.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "path_keys.h"
#include "position_list.h"

static PathKeyCase *append_case(PathKeyCases *c, TabiaError *error) {
    PathKeyCase *all = position_list_reserve(c->all, c->n, sizeof *all, error);
    if (!all) return NULL;
    c->all = all;
    memset(&all[c->n], 0, sizeof *all);
    return &all[c->n++];
}

void path_key_cases_free(PathKeyCases *c) {
    free(c->all);
    *c = (PathKeyCases){0};
}

/* ---- our own ---- */

enum { PLIES_LEAST = 5, PLIES_MOST = 15 };

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
    for (int plies = PLIES_LEAST; plies <= PLIES_MOST; plies += 2) {
        Position p;
        while (!is_mate_in(e, piece, random_next(seed) >> 40, plies, &p)) continue;
        for (int late = 0; late < 2; late++) {
            PathKeyCase *new = append_case(c, error);
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
    EndgameTables *e = endgame_tables_create(names, 2, error);
    bool good = e && add_solved_pairs(c, e, QUEEN, &seed, error) && add_solved_pairs(c, e, ROOK, &seed, error);
    endgame_tables_free(e);
    for (size_t i = 0; i < sizeof blocked_positions / sizeof *blocked_positions && good; i++) {
        PathKeyCase *new = append_case(c, error);
        good = new &&fen_parse(&new->at, blocked_positions[i], error);
        if (good) new->expected = OUTCOME_DRAW;
    }
    if (!good) path_key_cases_free(c);
    return good;
}

/* ---- files ---- */

/* The moves after a word like "bm", up to the ';'. A text that is no move ends them. */
static unsigned read_moves(Position p, const char *operations, const char *word, bool in_turn, Move *list,
                           unsigned most) {
    char text[16], needle[8];
    snprintf(needle, sizeof needle, "%s ", word);
    const char *at = strstr(operations, needle);
    if (!at || (at != operations && at[-1] != ' ' && at[-1] != ';' && at[-1] != '"')) return 0;
    at += strlen(needle);
    unsigned n = 0;
    for (int used; n < most && sscanf(at, " %15[^ ;\"\r\n]%n", text, &used) == 1; at += used) {
        const Move m = move_from_text(&p, text, NULL);
        if (!m) break;
        assert(move_is_legal(&p, m));
        list[n++] = m;
        if (in_turn) position_make_move(&p, &p, m);
    }
    return n;
}

/* False: the line asks nothing that is understood. */
static bool read_case(PathKeyCase *c, const char *operations) {
    c->moves_n = read_moves(c->at, operations, "pv", true, c->moves, PATH_KEY_CASE_MOVES_MAX);
    Position root = c->at;
    for (unsigned i = 0; i < c->moves_n; i++) position_make_move(&root, &root, c->moves[i]);
    c->best_n = read_moves(root, operations, "bm", false, c->best, PATH_KEY_CASE_BEST_MAX);
    c->avoid_n = read_moves(root, operations, "am", false, c->avoid, PATH_KEY_CASE_BEST_MAX);
    if (strstr(operations, "expect win"))
        c->expected = OUTCOME_WIN;
    else if (c->best_n || c->avoid_n)
        c->expected = OUTCOME_MOVE;
    else if (strstr(operations, "draw"))
        c->expected = OUTCOME_DRAW;
    else
        return false;
    return true;
}

static bool on_case(void *cases, const Position *p, const char *operations, TabiaError *error) {
    PathKeyCases *c = cases;
    PathKeyCase *new = append_case(c, error);
    if (!new) return false;
    new->at = *p;
    if (!read_case(new, operations)) c->n--;
    return true;
}

bool path_key_cases_read(PathKeyCases *c, const char *path, TabiaError *error) {
    *c = (PathKeyCases){0};
    const bool good =
        positions_read(path, on_case, c, error) &&
        (c->n || tabia_fail(error, "%s has no position with bm, am, draw, expect draw or expect win", path));
    if (!good) path_key_cases_free(c);
    return good;
}
