/* SPDX-License-Identifier: MIT */
/* Positions whose outcome is known: our own, and those of files, in the same words. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "notation/fen.h"
#include "notation/move_text.h"
#include "path_keys.h"

/* The list grows at powers of two. realloc() does not keep the alignment of a Position. */
static PathKeyCase *append(PathKeyCases *c, TabiaError *error) {
    if (!(c->n & (c->n - 1))) {
        PathKeyCase *more = aligned_alloc(_Alignof(PathKeyCase), (c->n ? 2 * c->n : 1) * sizeof *more);
        if (!more) return tabia_fail(error, "no memory for %u positions", c->n + 1), NULL;
        if (c->n) memcpy(more, c->all, c->n * sizeof *more);
        free(c->all);
        c->all = more;
    }
    memset(&c->all[c->n], 0, sizeof *c->all);
    return &c->all[c->n++];
}

void path_key_cases_free(PathKeyCases *c) {
    free(c->all);
    *c = (PathKeyCases){0};
}

/* The moves after a word like "bm", up to the ';'. A text that is no move ends them. */
static unsigned read_moves(Position p, const char *operations, const char *word, bool in_turn, Move *list,
                           unsigned max) {
    char text[16], needle[8];
    snprintf(needle, sizeof needle, "%s ", word);
    const char *at = strstr(operations, needle);
    if (!at || (at != operations && at[-1] != ' ' && at[-1] != ';' && at[-1] != '"')) return 0;
    at += strlen(needle);
    unsigned n = 0;
    for (int used; n < max && sscanf(at, " %15[^ ;\"\r\n]%n", text, &used) == 1; at += used) {
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

/* A blank line, and one that begins with '#', is passed over. */
static bool read_line(PathKeyCases *c, const char *line, TabiaError *error) {
    Position p;
    const char *operations;
    if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#') return true;
    if (!fen_parse_epd(&p, line, &operations, error)) return false;
    PathKeyCase *new = append(c, error);
    if (!new) return false;
    new->at = p;
    if (!read_case(new, operations)) c->n--;
    return true;
}

bool path_key_cases_built_in(PathKeyCases *c, TabiaError *error) {
    *c = (PathKeyCases){0};
    for (const char *const *line = path_key_built_in; *line; line++)
        if (!read_line(c, *line, error)) return path_key_cases_free(c), false;
    return true;
}

static bool read_lines(PathKeyCases *c, FILE *f, const char *path, TabiaError *error) {
    char line[1024];
    TabiaError cause;
    for (unsigned number = 1; fgets(line, sizeof line, f); number++)
        if (!read_line(c, line, &cause)) return tabia_fail(error, "%.120s:%u: %.250s", path, number, cause.text);
    if (ferror(f)) return tabia_fail(error, "%s cannot be read: %s", path, strerror(errno));
    return c->n || tabia_fail(error, "%s has no position with bm, am, draw, expect draw or expect win", path);
}

bool path_key_cases_read(PathKeyCases *c, const char *path, TabiaError *error) {
    *c = (PathKeyCases){0};
    FILE *f = fopen(path, "r");
    if (!f) return tabia_fail(error, "%s cannot be read: %s", path, strerror(errno));
    const bool good = read_lines(c, f, path, error);
    fclose(f);
    if (!good) path_key_cases_free(c);
    return good;
}
