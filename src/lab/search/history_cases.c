/* SPDX-License-Identifier: MIT */
/* Positions whose outcome is known: our own, solved, and those of files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ending.h"
#include "history.h"
#include "notation/fen.h"
#include "notation/move_text.h"
#include "positions.h"

static HistoryCase *add(HistoryCases *c, TabiaError *error) {
    HistoryCase *all = positions_room(c->all, c->n, sizeof *all, error);
    if (!all) return NULL;
    c->all = all;
    memset(&all[c->n], 0, sizeof *all);
    return &all[c->n++];
}

void history_cases_free(HistoryCases *c) {
    free(c->all);
    *c = (HistoryCases){0};
}

/* ---- our own ---- */

/* By chance, one pair for each odd number of plies from `least` to `most`. */
static bool add_pairs(HistoryCases *c, Kind man, int least, int most, uint64_t *seed, TabiaError *error) {
    Ending *e = ending_solve(man, most, error);
    bool good = e != NULL;
    for (int plies = least; good && plies <= most; plies += 2) {
        uint64_t r;
        do r = random_next(seed) >> 40;
        while (ending_plies(e, r & 63, r >> 6 & 63, r >> 12 & 63) != plies);
        for (int late = 0; late < 2 && good; late++) {
            HistoryCase *new = add(c, error);
            good = new != NULL;
            if (!good) break;
            new->at = ending_position(man, r & 63, r >> 6 & 63, r >> 12 & 63);
            new->at.halfmove = (uint16_t)(GAME_CLOCK_END - plies + late);
            new->outcome = late ? OUTCOME_DRAW : OUTCOME_WIN;
        }
    }
    ending_free(e);
    return good;
}

/* Every pawn stands before another and next to none it could take; a king cannot pass, and bishops of the colour of
   their own pawns can take nothing but each other: nobody ever wins. */
static const char *const locked[] = {
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3BK3 w - - 0 60",
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3BKB2 w - - 72 96",
    "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1B1BKB2 w - - 88 104",
};

bool history_cases_own(HistoryCases *c, TabiaError *error) {
    uint64_t seed = 50;
    *c = (HistoryCases){0};
    bool good = add_pairs(c, QUEEN, 5, 15, &seed, error) && add_pairs(c, ROOK, 5, 15, &seed, error);
    for (size_t i = 0; i < sizeof locked / sizeof *locked && good; i++) {
        HistoryCase *new = add(c, error);
        good = new &&fen_parse(&new->at, locked[i], error);
        if (good) new->outcome = OUTCOME_DRAW;
    }
    if (!good) history_cases_free(c);
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
        list[n++] = m;
        if (in_turn) position_play(&p, &p, m);
    }
    return n;
}

/* False: the line asks nothing that is understood. */
static bool read_case(HistoryCase *c, const char *operations) {
    c->played_n = read_moves(c->at, operations, "pv", true, c->played, HISTORY_MOVES_MOST);
    Position root = c->at;
    for (unsigned i = 0; i < c->played_n; i++) position_play(&root, &root, c->played[i]);
    c->best_n = read_moves(root, operations, "bm", false, c->best, HISTORY_NAMED_MOST);
    c->avoid_n = read_moves(root, operations, "am", false, c->avoid, HISTORY_NAMED_MOST);
    if (strstr(operations, "expect win"))
        c->outcome = OUTCOME_WIN;
    else if (c->best_n || c->avoid_n)
        c->outcome = OUTCOME_MOVE;
    else if (strstr(operations, "draw"))
        c->outcome = OUTCOME_DRAW;
    else
        return false;
    return true;
}

static bool take_case(void *cases, const Position *p, const char *operations, TabiaError *error) {
    HistoryCases *c = cases;
    HistoryCase *new = add(c, error);
    if (!new) return false;
    new->at = *p;
    if (!read_case(new, operations)) c->n--;
    return true;
}

bool history_cases_read(HistoryCases *c, const char *path, TabiaError *error) {
    *c = (HistoryCases){0};
    const bool good =
        positions_read(path, take_case, c, error) &&
        (c->n || tabia_fail(error, "%s has no position with bm, am, draw, expect draw or expect win", path));
    if (!good) history_cases_free(c);
    return good;
}
