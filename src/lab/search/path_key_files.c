/* SPDX-License-Identifier: MIT */
/* Lists of positions whose outcome is known, and those of files. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "notation/move_text.h"
#include "path_keys.h"
#include "position_list.h"

PathKeyCase *path_key_cases_append(PathKeyCases *c, TabiaError *error) {
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
    PathKeyCase *new = path_key_cases_append(c, error);
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
