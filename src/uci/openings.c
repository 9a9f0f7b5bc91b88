/* SPDX-License-Identifier: MIT */
/*
 * Openings for matches: `genfens N seed S book FILE`, as test farms ask for them. Each is some random moves from the
 * start, or from a random line of the book, and is kept if a short search finds it nearly even.
 */
#include "datagen/openings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engine_state.h"
#include "notation/fen.h"

enum {
    OPENING_PLIES = 8,      /* from the start position, or one more, so that either side is to move */
    OPENING_BOOK_PLIES = 2, /* the same from a book */
    OPENING_NODES = 2000,
    OPENING_SCORE = 90, /* centipawns, the bound of a balanced position */
    OPENING_ATTEMPTS = 1000,
};

/* Tables are cleared, so that a seed gives the same openings everywhere. */
static bool is_balanced(Search *s, const Position *p) {
    const SearchLimits limits = {.nodes = OPENING_NODES};
    search_clear(s);
    search_set_position(s, p, NULL, 0);
    search_run(s, &limits);
    return abs(search_result(s, 0).score) <= OPENING_SCORE;
}

/* False: stopped, or no opening was found, which is printed. */
static bool print_opening(Engine *e, Search *s, const Openings *o, uint64_t *random) {
    for (int tries = 0; tries < OPENING_ATTEMPTS && !engine_stop_pending(e); tries++) {
        Position p;
        if (!openings_draw(o, random, &p)) continue;
        const unsigned plies = (o->text || o->positions ? OPENING_BOOK_PLIES : OPENING_PLIES) + random_below(random, 2);
        if (!openings_play_random(random, &p, plies) || !is_balanced(s, &p)) continue;
        char fen[FEN_MAX];
        fen_write(&p, e->options.chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
        engine_print(e, "info string genfens %s\n", fen);
        return true;
    }
    if (!engine_stop_pending(e))
        engine_print(e, "info string genfens: no even position in %d tries\n", OPENING_ATTEMPTS);
    return false;
}

static void print_openings(Engine *e, const Openings *o, uint64_t random, int64_t n) {
    Search *s = engine_create_auxiliary(e, NULL);
    if (!s) return;
    int64_t done = 0;
    while (done < n && print_opening(e, s, o, &random)) done++;
    if (done < n && engine_stop_pending(e))
        engine_print(e, "info string genfens: stopped after %" PRId64 " of %" PRId64 "\n", done, n);
    engine_destroy_auxiliary(e);
}

void engine_genfens(Engine *e, Tokenizer *w) {
    Openings openings;
    TabiaError error;
    uint64_t random = 0;
    char book[TOKEN_MAX] = "";
    const int64_t n = engine_read_number(e, w, "genfens", (NumberBounds){1, 1000000, 1});
    while (tokenizer_next(w)) {
        if (tokenizer_is(w, "seed"))
            random = (uint64_t)engine_read_number(e, w, "genfens: seed", (NumberBounds){0, INT64_MAX, 0});
        if (tokenizer_is(w, "book") && tokenizer_next(w)) snprintf(book, sizeof book, "%s", w->token);
    }
    const bool booked = book[0] && strcmp(book, "None") != 0;
    if (!openings_open(&openings, booked ? book : NULL, START_standard, false, NULL, &error)) {
        engine_print(e, "info string genfens: %s\n", error.text);
        return;
    }
    print_openings(e, &openings, random, n);
    openings_close(&openings);
}
