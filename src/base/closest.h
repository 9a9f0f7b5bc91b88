/* SPDX-License-Identifier: MIT */
/*
 * The name that was meant by a mistyped word: "did you mean 'perft'?". Words are a few letters apart when few of them
 * are left out, added, changed, or exchanged with their neighbour. Any thread; no allocation.
 */
#pragma once
#include <stddef.h>

enum { CLOSEST_WORD_MAX = 64, CLOSEST_TEXT_MAX = 160 };

/* Looks at names one after another. Begins with {word, length}. */
typedef struct {
    const char *word;
    size_t length;
    const char *name; /* the closest so far, the first of several; NULL: none is close */
    unsigned distance;
} Closest;

/* Is the name closer than those before it? At most one letter in three (at least one, at most three) may differ; longer
   words than CLOSEST_WORD_MAX - 1 are close to nothing. */
void tabia_closest(Closest *c, const char *name);

/* "; did you mean 'NAME'?", with prefix before the name, or nothing where no name is close. */
void tabia_closest_text(const Closest *c, const char *prefix, char out[CLOSEST_TEXT_MAX]);
