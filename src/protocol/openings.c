/* SPDX-License-Identifier: MIT */
/*
 * Openings for matches: `genfens N seed S book FILE`, as test farms ask for them. Each is some random moves from the
 * start, or from a random line of the book, and is kept if a short search finds it nearly even.
 */
#include "generate/openings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engine_state.h"
#include "fen.h"

enum {
    OPENING_PLIES = 8,      /* from the start, or one more, so that either side is to move */
    OPENING_BOOK_PLIES = 2, /* the same from a book */
    OPENING_NODES = 2000,
    OPENING_SCORE = 90, /* centipawns that either side may be better by */
    OPENING_TRIES = 1000,
};

/* The search begins with nothing learnt, so that a seed gives the same openings wherever it is asked. */
static bool is_even(Engine *e, const Position *p) {
    const SearchLimits limits = {.nodes = OPENING_NODES};
    const SearchListener nobody = {0};
    search_clear(e->search);
    search_set_position(e->search, p, NULL, 0);
    search_start(e->search, &limits, &nobody);
    search_wait(e->search);
    return abs(search_answer(e->search, 0).score) <= OPENING_SCORE;
}

static bool say_opening(Engine *e, const Openings *o, uint64_t *random) {
    for (int tries = 0; tries < OPENING_TRIES; tries++) {
        Position p;
        if (!openings_draw(o, random, &p)) continue;
        const unsigned plies = (o->text || o->position ? OPENING_BOOK_PLIES : OPENING_PLIES) + random_below(random, 2);
        if (!openings_play(random, &p, plies) || !is_even(e, &p)) continue;
        char fen[FEN_MAX];
        fen_write(&p, e->options.chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
        engine_say(e, "info string genfens %s\n", fen);
        return true;
    }
    return false;
}

void engine_openings(Engine *e, Words *w) {
    Openings openings;
    Fault fault;
    uint64_t random = 0;
    char path[WORD_MAX] = "";
    const int64_t n = words_number(w, 1, 1000000, 1);
    while (words_next(w)) {
        if (words_is(w, "seed")) random = (uint64_t)words_number(w, 0, INT64_MAX, 0);
        if (words_is(w, "book") && words_next(w)) snprintf(path, sizeof path, "%s", w->word);
    }
    const bool booked = path[0] && strcmp(path, "None") != 0;
    if (!openings_open(&openings, booked ? path : NULL, START_STANDARD, false, NULL, &fault)) {
        engine_say(e, "info string genfens: %s\n", fault.text);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        if (!say_opening(e, &openings, &random)) {
            engine_say(e, "info string genfens: no even position in %d tries\n", OPENING_TRIES);
            break;
        }
    openings_close(&openings);
    search_clear(e->search);
    search_set_position(e->search, &e->start, e->moves, e->moves_n);
}
