/* SPDX-License-Identifier: MIT */
#include "notation/fen_fields.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

bool fen_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

const char *fen_skip_blanks(const char *s) {
    while (fen_is_blank(*s)) s++;
    return s;
}

const char *fen_word_end(const char *s) {
    while (*s && *s != ';' && !fen_is_blank(*s)) s++;
    return s;
}

static bool is_clock(const char *s, const char *end) {
    if (*s == '-' && end == s + 1) return true;
    for (; s < end; s++)
        if (!isdigit((unsigned char)*s)) return false;
    return true;
}

int fen_copy_fields(const char *s, char out[FEN_GIVEN_MAX], const char **rest) {
    size_t used = 0;
    int n = 0;
    for (s = fen_skip_blanks(s); n < 6 && *s && *s != ';'; n++) {
        const char *end = fen_word_end(s);
        const size_t length = (size_t)(end - s);
        if (n >= 4 && !is_clock(s, end)) break; /* an operation without a ';' before it */
        if (used + length + 16 > FEN_GIVEN_MAX) return 0;
        if (n) out[used++] = ' ';
        memcpy(out + used, s, length);
        used += length;
        s = fen_skip_blanks(end);
    }
    out[used] = '\0';
    *rest = s;
    return n;
}

bool fen_normalize(const char *fen, char out[FEN_GIVEN_MAX]) {
    static const char *const missing[] = {" - - 0 1", " - 0 1", " 0 1", " 1", ""};
    const char *rest;
    const int n = fen_copy_fields(fen, out, &rest);
    if (n < 2) return false;
    assert(n <= 6 && strlen(out) + strlen(missing[n - 2]) < FEN_GIVEN_MAX);
    strcat(out, missing[n - 2]);
    return true;
}

/* The third field. */
static const char *castling_field(const char *fen) {
    const char *turn = strchr(fen, ' ') + 1;
    return strchr(turn, ' ') + 1;
}

bool fen_is_chess960(const Position *p, const char *fen) {
    if (!castles_as_standard(p, WHITE) || !castles_as_standard(p, BLACK)) return true;
    const char *castling = castling_field(fen);
    return castling[strcspn(castling, "ABCDEFGHabcdefgh ")] != ' ';
}
