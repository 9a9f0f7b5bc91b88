/* SPDX-License-Identifier: MIT */
#include "notation/move_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "notation/fen_fields.h"
#include "rules/movegen.h"

enum { TOKEN_MAX = 24 }; /* no move is longer, with all its marks */

Move move_from_text(const Position *p, const char *text, TabiaError *error) {
    const Move by_uci = move_from_uci(p, text), m = by_uci ? by_uci : move_from_san(p, text);
    if (m || !error) return m;
    TabiaError reason;
    move_explain_refusal(p, text, &reason);
    return tabia_fail(error, "\"%.*s\": %.300s", TOKEN_MAX - 1, text, reason.text), 0;
}

/* Skips blanks and move numbers: digits and at least one point after them (so "0-0" is none). */
static const char *skip_to_move(const char *at) {
    for (;;) {
        at = fen_skip_blanks(at);
        const char *after = at;
        while (*after >= '0' && *after <= '9') after++;
        if (after == at || *after != '.') return at;
        while (*after == '.') after++;
        at = after;
    }
}

/*
 * Copies the text up to the next blank and returns where it ends. A text too long to be a move is truncated, and marked
 * so that the rest is no move either.
 */
static const char *copy_token(const char *at, char token[TOKEN_MAX]) {
    int length = 0;
    for (; *at && !fen_is_blank(*at); at++) {
        if (length < TOKEN_MAX - 1)
            token[length++] = *at;
        else
            token[TOKEN_MAX - 2] = '~';
    }
    assert(length < TOKEN_MAX);
    token[length] = '\0';
    return at;
}

static bool is_mark(const char *token) {
    for (const char *const *mark = move_marks; *mark; mark++)
        if (!strcmp(token, *mark)) return true;
    return false;
}

bool position_make_moves(Position *p, const char *moves, TabiaError *error) {
    Position current = *p;
    int number = 0;
    for (const char *at = skip_to_move(moves ? moves : ""); *at; at = skip_to_move(at)) {
        char token[TOKEN_MAX];
        at = copy_token(at, token);
        if (number && is_mark(token)) continue;
        number++;
        TabiaError reason;
        const Move m = move_from_text(&current, token, &reason);
        if (!m) return tabia_fail(error, "move %d, %.350s", number, reason.text);
        position_make_move(&current, &current, m);
    }
    *p = current;
    return true;
}

void illegal_move(const Position *p, const char *text, char san[ILLEGAL_SAN_MAX], char why[ILLEGAL_WHY_MAX]) {
    TabiaError reason;
    move_write_illegal(p, text, san);
    move_explain_refusal(p, text, &reason);
    snprintf(why, ILLEGAL_WHY_MAX, "%.*s", ILLEGAL_WHY_MAX - 1, reason.text);
}
