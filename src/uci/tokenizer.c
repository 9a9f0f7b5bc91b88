/* SPDX-License-Identifier: MIT */
#include "tokenizer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool tokenizer_next(Tokenizer *w) {
    while (is_blank(*w->cursor)) w->cursor++;
    size_t n = 0;
    for (; *w->cursor && !is_blank(*w->cursor); w->cursor++)
        if (n + 1 < TOKEN_MAX) w->token[n++] = *w->cursor;
    assert(n < TOKEN_MAX);
    w->token[n] = '\0';
    return n != 0;
}

int64_t tokenizer_number(Tokenizer *w, int64_t least, int64_t most, int64_t otherwise) {
    assert(least <= most);
    if (!tokenizer_next(w)) return otherwise;
    char *end;
    errno = 0;
    const long long n = strtoll(w->token, &end, 10);
    if (end == w->token || *end) return otherwise;
    return n < least ? least : n > most ? most : n;
}

bool tokenizer_is(const Tokenizer *w, const char *text) {
    return strcmp(w->token, text) == 0;
}
