/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "perft/divide.h"

#include "base/text.h"
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *skip_blanks(const char *s) {
    while (*s == ' ' || *s == '\t') s++;
    return s;
}

/* The number at s, and where it ends; null if no digits stand there, or too many. */
static const char *read_number(const char *s, U128 *n) {
    char digits[U128_TEXT_MAX];
    const size_t length = strspn(s, "0123456789");
    if (!length || length >= sizeof digits) return 0;
    memcpy(digits, s, length);
    digits[length] = '\0';
    return tabia_u128_parse(digits, n) ? s + length : 0;
}

static bool read_move_line(const char *s, char move[UCI_MAX], U128 *count) {
    s = protocol_read_move(s, move);
    if (!s) return false;
    s = skip_blanks(s);
    if (*s && strchr(":=-", *s)) s = skip_blanks(s + 1);
    return read_number(s, count);
}

/* The word is of small letters. */
static bool has_word(const char *text, const char *word) {
    for (; *text; text++) {
        size_t n = 0;
        while (word[n] && tolower((unsigned char)text[n]) == word[n]) n++;
        if (!word[n]) return true;
    }
    return false;
}

/* A word that a total goes with. */
static bool names_total(const char *s) {
    return has_word(s, "node") || has_word(s, "total") || has_word(s, "perft") || has_word(s, "lea");
}

/* Nothing but one number. */
static bool number_alone(const char *s) {
    U128 n;
    s = read_number(s, &n);
    return s && !*skip_blanks(s);
}

/* The first number of the line goes into *n, unless another is the sum: then that. Is there any? */
static bool find_number(const char *s, U128 sum, U128 *n) {
    bool found = false;
    for (const char *end; *s; s = end) {
        U128 next;
        end = s + 1;
        if (!isdigit((unsigned char)*s)) continue;
        end = read_number(s, &next);
        if (!end)
            end = s + strspn(s, "0123456789");
        else if (!found || next == sum)
            *n = next, found = true;
        if (found && *n == sum) return true;
    }
    return found;
}

DivideLine divide_read(Divide *d, const char *line) {
    static const char prefix[] = "info string ";
    char move[UCI_MAX];
    U128 number;
    const char *s = skip_blanks(line);
    if (!strncmp(s, prefix, sizeof prefix - 1)) s = skip_blanks(s + sizeof prefix - 1);
    if (read_move_line(s, move, &number)) {
        if (d->n == DIVIDE_MAX) return DIVIDE_FULL;
        assert(d->n < DIVIDE_MAX && strlen(move) < UCI_MAX);
        memcpy(d->move[d->n], move, sizeof move);
        d->count[d->n++] = number;
        d->sum += number;
        return DIVIDE_MOVE;
    }
    const bool alone = number_alone(s);
    if (!strncmp(s, "info ", 5) || (!alone && !names_total(s)) || !find_number(s, d->sum, &number)) return DIVIDE_OTHER;
    d->total = number;
    return number == d->sum ? DIVIDE_TOTAL : DIVIDE_MAYBE_TOTAL;
}
