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
    OPENING_PLIES = 8,      /* from the start, or one more, so that either side is to move */
    OPENING_BOOK_PLIES = 2, /* the same from a book */
    OPENING_NODES = 2000,
    OPENING_SCORE = 90, /* centipawns that either side may be better by */
    OPENING_TRIES = 1000,
};

/* Nothing is learnt from one to the next, so that a seed gives the same openings wherever it is asked. */
static bool is_even(Search *s, const Position *p) {
    const SearchLimits limits = {.nodes = OPENING_NODES};
    search_clear(s);
    search_set_position(s, p, NULL, 0);
    search_run(s, &limits);
    return abs(search_answer(s, 0).score) <= OPENING_SCORE;
}

/* False: told to end, or none was found, which is said. */
static bool say_opening(Engine *e, Search *s, const Openings *o, uint64_t *random) {
    for (int tries = 0; tries < OPENING_TRIES && !engine_told_to_end(e); tries++) {
        Position p;
        if (!openings_draw(o, random, &p)) continue;
        const unsigned plies = (o->text || o->position ? OPENING_BOOK_PLIES : OPENING_PLIES) + random_below(random, 2);
        if (!openings_play(random, &p, plies) || !is_even(s, &p)) continue;
        char fen[FEN_MAX];
        fen_write(&p, e->options.chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
        engine_say(e, "info string genfens %s\n", fen);
        return true;
    }
    if (!engine_told_to_end(e)) engine_say(e, "info string genfens: no even position in %d tries\n", OPENING_TRIES);
    return false;
}

static void say_openings(Engine *e, const Openings *o, uint64_t random, int64_t n) {
    Search *s = engine_begin_aside(e);
    if (!s) return;
    int64_t done = 0;
    while (done < n && say_opening(e, s, o, &random)) done++;
    if (done < n && engine_told_to_end(e))
        engine_say(e, "info string genfens: stopped after %" PRId64 " of %" PRId64 "\n", done, n);
    engine_end_aside(e);
}

void engine_openings(Engine *e, Words *w) {
    Openings openings;
    TabiaError error;
    uint64_t random = 0;
    char path[WORD_MAX] = "";
    const int64_t n = words_number(w, 1, 1000000, 1);
    while (words_next(w)) {
        if (words_is(w, "seed")) random = (uint64_t)words_number(w, 0, INT64_MAX, 0);
        if (words_is(w, "book") && words_next(w)) snprintf(path, sizeof path, "%s", w->word);
    }
    const bool booked = path[0] && strcmp(path, "None") != 0;
    if (!openings_open(&openings, booked ? path : NULL, START_STANDARD, false, NULL, &error)) {
        engine_say(e, "info string genfens: %s\n", error.text);
        return;
    }
    say_openings(e, &openings, random, n);
    openings_close(&openings);
}
