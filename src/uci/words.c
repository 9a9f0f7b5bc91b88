/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool words_next(Words *w) {
    while (is_blank(*w->at)) w->at++;
    size_t n = 0;
    for (; *w->at && !is_blank(*w->at); w->at++)
        if (n + 1 < WORD_MAX) w->word[n++] = *w->at;
    w->word[n] = '\0';
    return n != 0;
}

int64_t words_number(Words *w, int64_t least, int64_t most, int64_t otherwise) {
    if (!words_next(w)) return otherwise;
    char *end;
    errno = 0;
    const long long n = strtoll(w->word, &end, 10);
    if (end == w->word || *end) return otherwise;
    return n < least ? least : n > most ? most : n;
}

bool words_is(const Words *w, const char *text) {
    return strcmp(w->word, text) == 0;
}
