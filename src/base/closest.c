/* SPDX-License-Identifier: MIT */
/*
 * The distance with exchanges of neighbours (optimal string alignment), a row for each letter of the word:
 *
 *     d[i][j] = min of    d[i-1][j] + 1    a letter of the word is left out
 *                         d[i][j-1] + 1    a letter of the name is added
 *                         d[i-1][j-1] + (word[i] != name[j])
 *                         d[i-2][j-2] + 1  where the last two are exchanged
 */
#include "base/closest.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned DistanceRow[CLOSEST_WORD_MAX];

static unsigned lesser(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* row[0] is to be filled, for the first i letters; row[1] and row[2] are those of i - 1 and i - 2. */
static void fill_row(DistanceRow *row[3], const char *word, size_t i, const char *name) {
    (*row[0])[0] = (unsigned)i;
    for (size_t j = 1; name[j - 1]; j++) {
        const bool same = word[i - 1] == name[j - 1];
        unsigned min = (*row[1])[j - 1] + !same;
        min = lesser(min, lesser((*row[1])[j], (*row[0])[j - 1]) + 1);
        if (i > 1 && j > 1 && word[i - 1] == name[j - 2] && word[i - 2] == name[j - 1])
            min = lesser(min, (*row[2])[j - 2] + 1);
        (*row[0])[j] = min;
    }
}

static unsigned distance(const char *word, size_t length, const char *name) {
    DistanceRow rows[3];
    DistanceRow *row[3] = {&rows[0], &rows[1], &rows[2]};
    assert(length < CLOSEST_WORD_MAX && strlen(name) < CLOSEST_WORD_MAX);
    for (size_t j = 0; j <= strlen(name); j++) rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= length; i++) {
        DistanceRow *const oldest = row[2];
        row[2] = row[1], row[1] = row[0], row[0] = oldest;
        fill_row(row, word, i, name);
    }
    return (*row[0])[strlen(name)];
}

void tabia_closest(Closest *c, const char *name) {
    if (!c->length || c->length >= CLOSEST_WORD_MAX || strlen(name) >= CLOSEST_WORD_MAX) return;
    const unsigned allowed = lesser((unsigned)(c->length + 2) / 3, 3), d = distance(c->word, c->length, name);
    if (d > allowed || d >= strlen(name) || (c->name && d >= c->distance)) return;
    c->name = name, c->distance = d;
}

void tabia_closest_text(const Closest *c, const char *prefix, char out[CLOSEST_TEXT_MAX]) {
    out[0] = '\0';
    if (c->name) snprintf(out, CLOSEST_TEXT_MAX, "; did you mean '%s%s'?", prefix, c->name);
}
