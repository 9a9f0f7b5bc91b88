/* SPDX-License-Identifier: MIT */
/*
 * Openings for matches: `genfens N seed S book FILE`, as test farms ask for them. Each is some random moves from the
 * start, or from a random line of the book, and is kept if a short search finds it nearly even.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engine_state.h"
#include "fen.h"
#include "movegen.h"

enum {
    OPENING_PLIES = 8,      /* from the start, or one more, so that either side is to move */
    OPENING_BOOK_PLIES = 2, /* the same from a book */
    OPENING_NODES = 2000,
    OPENING_SCORE = 90, /* centipawns that either side may be better by */
    OPENING_TRIES = 1000,
};

typedef struct {
    FILE *book; /* NULL: from the start */
    uint64_t random;
    long size;
} Source;

/* A line of the book, the one behind a random byte; its first four words. */
static bool random_line(Source *s, Position *p) {
    char text[FEN_MAX + 256], fen[FEN_MAX + 256] = "";
    if (fseek(s->book, (long)(random_next(&s->random) % (uint64_t)s->size), SEEK_SET)) return false;
    if (!fgets(text, sizeof text, s->book)) return false;
    if (!fgets(text, sizeof text, s->book)) { /* that was the last: the first follows */
        rewind(s->book);
        if (!fgets(text, sizeof text, s->book)) return false;
    }
    Words w = {.at = text};
    for (int i = 0; i < 4 && words_next(&w); i++) strcat(strcat(fen, i ? " " : ""), w.word);
    return fen_parse(p, fen, NULL);
}

static bool random_moves(uint64_t *random, Position *p, unsigned plies) {
    Move list[MOVES_MAX];
    for (unsigned i = 0; i < plies; i++) {
        const unsigned n = moves_list(p, list);
        if (!n) return false;
        position_play(p, p, list[random_below(random, n)]);
    }
    return moves_count(p) && !in_check(p);
}

static void note_score(void *score, const SearchReport *r) {
    *(int *)score = r->score;
}

/* The search begins with nothing learnt, so that a seed gives the same openings wherever it is asked. */
static bool is_even(Engine *e, const Position *p) {
    int score = SCORE_NONE;
    const SearchLimits limits = {.nodes = OPENING_NODES};
    const SearchListener listener = {.context = &score, .report = note_score};
    search_clear(e->search);
    search_set_position(e->search, p, NULL, 0);
    search_start(e->search, &limits, &listener);
    search_wait(e->search);
    return abs(score) <= OPENING_SCORE;
}

static bool say_opening(Engine *e, Source *s) {
    for (int tries = 0; tries < OPENING_TRIES; tries++) {
        Position p;
        if (s->book ? !random_line(s, &p) : !fen_parse(&p, fen_start, NULL)) continue;
        const unsigned plies = (s->book ? OPENING_BOOK_PLIES : OPENING_PLIES) + random_below(&s->random, 2);
        if (!random_moves(&s->random, &p, plies) || !is_even(e, &p)) continue;
        char fen[FEN_MAX];
        fen_write(&p, e->options.chess960 ? FEN_SHREDDER : FEN_STANDARD, fen);
        engine_say(e, "info string genfens %s\n", fen);
        return true;
    }
    return false;
}

static bool open_book(Source *s, const char *path) {
    if (!path[0] || !strcmp(path, "None")) return true;
    s->book = fopen(path, "r");
    if (!s->book || fseek(s->book, 0, SEEK_END)) return false;
    return (s->size = ftell(s->book)) > 0;
}

void engine_openings(Engine *e, Words *w) {
    Source s = {0};
    char path[WORD_MAX] = "";
    const int64_t n = words_number(w, 1, 1000000, 1);
    while (words_next(w)) {
        if (words_is(w, "seed")) s.random = (uint64_t)words_number(w, 0, INT64_MAX, 0);
        if (words_is(w, "book") && words_next(w)) snprintf(path, sizeof path, "%s", w->word);
    }
    if (!open_book(&s, path)) {
        engine_say(e, "info string genfens: cannot read %s: a file with a FEN on each line is wanted\n", path);
    } else {
        for (int64_t i = 0; i < n; i++)
            if (!say_opening(e, &s)) {
                engine_say(e, "info string genfens: no even position in %d tries\n", OPENING_TRIES);
                break;
            }
    }
    if (s.book) fclose(s.book);
    search_clear(e->search);
    search_set_position(e->search, &e->start, e->moves, e->moves_n);
}
