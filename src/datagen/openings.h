/* SPDX-License-Identifier: MIT */
/*
 * Start positions of games: the game's own (selfplay/starts.h), or a position of a book; and random moves from there. Used
 * by the generator and by the engine's `genfens`.
 *
 * A book is a text with a FEN or EPD on each line, or `startpos`, `fen FEN` or `sfen SFEN`, and behind it maybe `moves` and moves
 * to the position that is meant; or a file of training data, each record of which is a position. A text is mapped, not read. The line behind a random byte is drawn, so lines that follow long ones are a little more
 * probable.
 *
 * Threads: constant once opened; any number of threads may draw.
 */
#pragma once
#include <stddef.h>

#include "rules/movegen.h"
#include "settings.h"

typedef struct {
    StartPosition start;
    const char *text; /* of a mapped book, or NULL */
    size_t text_bytes;
    Position *positions;   /* of a book of training data, or NULL */
    size_t position_count; /* of a book; 0 of a text that was not validated */
} Openings;

/* Opens a book, or none (NULL). With `validate` every line of a text is parsed, and the first bad one is an error.
   *checksum (may be NULL) receives that of the book's bytes. False with an error. */
bool openings_open(Openings *o, const char *book, StartPosition start, bool validate, uint64_t *checksum,
                   TabiaError *error);
void openings_close(Openings *o);

/* The number of start positions; UINT64_MAX where many: a text that was not validated, and some starts. */
uint64_t openings_count(const Openings *o);

/* Draws a start position. False: the line of a text that was not validated is bad; draw again. */
bool openings_draw(const Openings *o, uint64_t *random, Position *p);

/* Plays random legal moves. False if the game ends within these plies or after them, or the side to move is in check. */
bool openings_play_random(uint64_t *random, Position *p, unsigned plies);
