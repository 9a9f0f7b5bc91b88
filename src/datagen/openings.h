/* SPDX-License-Identifier: MIT */
/*
 * Where games begin: the start position, one of the 960 of Chess960 or of the 921,600 pairs of double Chess960, or a
 * position of a book; and random moves from there. Used by the generator and by the engine's `genfens`.
 *
 * A book is a text with a FEN or EPD on each line, or a file of training data, of which each position is one. A text is
 * mapped, not read, and a line is found as the one behind a random byte: lines that follow long ones are a little more
 * likely. Once opened it is constant: threads may draw at once.
 */
#pragma once
#include <stddef.h>

#include "rules/movegen.h"
#include "settings.h"

typedef struct {
    Start start;
    const char *text; /* of a mapped book, or NULL */
    size_t bytes;
    Position *position; /* of a file of training data, or NULL */
    size_t positions;   /* of a book; 0 of a text that was not checked */
} Openings;

/* Opens a book, or none (NULL). With `check` every line is read, so that a bad one is found now and named. *sum (may be
   NULL) is the checksum of the book's bytes. False with an error. */
bool openings_open(Openings *o, const char *book, Start start, bool check, uint64_t *sum, TabiaError *error);
void openings_close(Openings *o);

/* How many positions games can begin in; of an unchecked book, and with Chess960, many. */
uint64_t openings_starts(const Openings *o);

/* The next start that *random draws. False: the line of an unchecked book cannot be read; draw again. */
bool openings_draw(const Openings *o, uint64_t *random, Position *p);

/* Plays random legal moves; false if the game is over before so many, or then. Who is then to move is not in check. */
bool openings_play(uint64_t *random, Position *p, unsigned plies);

/* The start with white's pieces arranged by the first of Reinhard Scharnagl's numbers and black's by the second, each 0
   to 959; 518 is the standard one. */
void openings_chess960(Position *p, unsigned white, unsigned black);
