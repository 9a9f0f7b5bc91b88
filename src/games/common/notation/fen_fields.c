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

int fen_copy_fields(const char *s, char out[FEN_GIVEN_MAX], const char **rest) {
    const size_t room = FEN_GIVEN_MAX - sizeof FEN_DEFAULTS;
    size_t used = 0;
    int n = 0;
    for (s = fen_skip_blanks(s); n < FEN_FIELDS && *s && *s != ';'; n++) {
        const char *end = fen_word_end(s);
        const size_t length = (size_t)(end - s);
        if (!fen_can_be_field(n, s, end)) break; /* an operation without a ';' before it */
        if (used + 1 + length > room) return 0;
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
    const char *rest, *defaults = FEN_DEFAULTS;
    const int n = fen_copy_fields(fen, out, &rest);
    if (n < 2) return false;
    for (int given = 2; given < n; given++) defaults += strcspn(defaults + 1, " ") + 1;
    strcat(out, defaults);
    assert(strlen(out) < FEN_GIVEN_MAX);
    return true;
}
