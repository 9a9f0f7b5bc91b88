/* SPDX-License-Identifier: MIT */
/* A line's words, one after the other. */
#pragma once
#include "base/bits.h"

enum { WORD_MAX = 256 };

typedef struct {
    const char *at;
    char word[WORD_MAX]; /* a longer one is cut */
} Words;

/* The next word is in w->word; false at the end of the line. */
bool words_next(Words *w);
/* The next word as a number within the bounds; the nearest bound, or `otherwise` if it is none. */
int64_t words_number(Words *w, int64_t least, int64_t most, int64_t otherwise);
/* Is it this one? */
bool words_is(const Words *w, const char *text);
