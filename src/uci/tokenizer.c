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

/* No sign, no blank, no other base: strtoull would take them. */
static bool is_decimal(const char *text) {
    const size_t whole = strspn(text, "0123456789");
    return whole && (!text[whole] || (text[whole] == '.' && !text[whole + 1 + strspn(text + whole + 1, "0123456789")]));
}

int64_t tokenizer_number(Tokenizer *w, int64_t min, int64_t max, int64_t otherwise) {
    assert(0 <= min && min <= max);
    if (!tokenizer_next(w) || !is_decimal(w->token)) return otherwise;
    errno = 0;
    const unsigned long long n = strtoull(w->token, NULL, 10);
    if (errno || n < (uint64_t)min) return otherwise;
    return n > (uint64_t)max ? max : (int64_t)n;
}

bool tokenizer_is(const Tokenizer *w, const char *text) {
    return strcmp(w->token, text) == 0;
}
