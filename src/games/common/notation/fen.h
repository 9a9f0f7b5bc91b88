/* SPDX-License-Identifier: MIT */
/*
 * Positions as text, one line of fields with blanks between them: FEN, or the form of it that the game has
 * (notation/fen_form.h).
 */
#pragma once
#include "base/error.h"
#include "notation/fen_form.h"
#include "rules/position.h"

/* The initial position. */
extern const char fen_start[];

/* "board" and its like, by the number of the field. */
extern const char *const fen_field_names[];

/*
 * Reads a position that text begins with; it ends at '\0', a line end or ';' (for what an EPD line says after that, see
 * below).
 *
 * True: *p is the position, and it passes position_validate(). False: *p is unchanged, and the error (may be NULL)
 * names field, character (counted from 1 in text), what is wrong and what would be right.
 */
bool fen_parse(Position *p, const char *text, TabiaError *error);

/*
 * The same for a line of Extended Position Description, whose operations may follow the position without a ';' before
 * the first (`... w - - bm Qg6; id "1";`): what is not a number where a counter may stand ends the position. True:
 * *rest is where it ended, past blanks, at the operations, a ';', or the end of line or text.
 */
bool fen_parse_epd(Position *p, const char *text, const char **rest, TabiaError *error);

/* Writes all fields, one blank apart. fen_parse() reads them back to the same position, counters included. */
void fen_write(const Position *p, FenStyle style, char out[FEN_MAX]);
