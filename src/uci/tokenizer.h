/* SPDX-License-Identifier: MIT */
/* The tokens of a line, separated by blanks. */
#pragma once
#include "base/bits.h"

enum { TOKEN_MAX = 256 };

typedef struct {
    const char *cursor;
    char token[TOKEN_MAX]; /* a longer one is truncated */
} Tokenizer;

/* The next token is in w->token; false at the end of the line. */
bool tokenizer_next(Tokenizer *w);
/* The next token as a number: its digits up to the end or a decimal point, `max` if it is more. `otherwise` if it is not a
   number or less than `min`, and then w->token is what stood there, or empty at the end of the line. */
int64_t tokenizer_number(Tokenizer *w, int64_t min, int64_t max, int64_t otherwise);
/* Is the current token equal to the text? */
bool tokenizer_is(const Tokenizer *w, const char *text);
