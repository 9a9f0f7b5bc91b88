/* SPDX-License-Identifier: MIT */
/* Numbers and moves of a command line. What cannot be read is named. */
#include <ctype.h>
#include <inttypes.h>

#include "engine_state.h"
#include "notation/move_text.h"

int64_t engine_read_number(Engine *e, Tokenizer *w, const char *what, NumberBounds bounds) {
    const int64_t n = tokenizer_number(w, bounds.min, bounds.max, INT64_MIN);
    char taken[40] = "";
    if (n != INT64_MIN) return n;
    if (bounds.otherwise >= bounds.min) snprintf(taken, sizeof taken, ", so %" PRId64 " is taken", bounds.otherwise);
    if (w->token[0])
        engine_print(e, "info string %s: '%s' is not a number from %" PRId64 " to %" PRId64 "%s\n", what, w->token,
                     bounds.min, bounds.max, taken);
    else
        engine_print(e, "info string %s: a number is missing%s\n", what, taken);
    return bounds.otherwise;
}

Move engine_read_move(const Position *p, const char *token) {
    char text[UCI_MAX + 1]; /* one too long stays so */
    size_t n = 0;
    for (; token[n] && n < UCI_MAX; n++) text[n] = (char)tolower((unsigned char)token[n]);
    text[n] = '\0';
    if (n > 1 && text[1] == '*') text[0] = (char)toupper((unsigned char)text[0]); /* a drop */
    return move_from_uci(p, text);
}
