/* SPDX-License-Identifier: MIT */
#include "notation/fen_fields.h"

#include <assert.h>
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

/* The hands may be missing, and then an operation may stand there, such as "D1": no hand has a digit at its end. */
static bool is_field(int n, const char *s, const char *end) {
    enum { HANDS = 2, PLY = 3 };
    const size_t length = (size_t)(end - s);
    if (n < HANDS) return true;
    const char *letters = n == PLY ? "0123456789" : "0123456789PLNSBRGKplnsbrgk-";
    return strspn(s, letters) >= length && (n == PLY || strspn(end - 1, "0123456789") == 0);
}

int fen_copy_fields(const char *s, char out[FEN_GIVEN_MAX], const char **rest) {
    enum { FIELDS = 4, ROOM_FOR_MISSING = 8 };
    size_t used = 0;
    int n = 0;
    for (s = fen_skip_blanks(s); n < FIELDS && *s && *s != ';'; n++) {
        const char *end = fen_word_end(s);
        const size_t length = (size_t)(end - s);
        if (!is_field(n, s, end)) break; /* an operation without a ';' before it */
        if (used + length + ROOM_FOR_MISSING > FEN_GIVEN_MAX) return 0;
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
    static const char *const missing[] = {" - 1", " 1", ""};
    const char *rest;
    const int n = fen_copy_fields(fen, out, &rest);
    if (n < 2) return false;
    assert(n <= 4 && strlen(out) + strlen(missing[n - 2]) < FEN_GIVEN_MAX);
    strcat(out, missing[n - 2]);
    return true;
}

bool fen_is_chess960(const Position *p, const char *fen) {
    (void)p, (void)fen;
    return false;
}
