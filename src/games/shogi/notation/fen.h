/* SPDX-License-Identifier: MIT */
/*
 * Positions as text: SFEN, shogi's Forsyth-Edwards Notation.
 *
 *     lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
 *     1 board, from rank a down, each from file 9 to file 1     2 3 4    2 side to move   4 number of the move to come
 *                                                                        3 hands
 *
 * Capitals are black's pieces, '+' stands before a promoted one. Hands: a number, if it is not 1, before each letter;
 * '-' if both are empty. They are written as USI orders them, black's first, R B G S N L P; any order is read.
 */
#pragma once
#include "base/error.h"
#include "rules/position.h"

enum { FEN_MAX = 160 }; /* room for any SFEN that fen_write writes, its '\0' included */

/* There is one way of writing a position; a caller that wants no ambiguity in a game that has more asks by the second
   name. */
typedef enum { FEN_STANDARD, FEN_SHREDDER = FEN_STANDARD } FenStyle;

/* The initial position. */
extern const char fen_start[];

/*
 * Reads a position that text begins with; it ends at '\0', a line end or ';' (for what an EPD line says after that, see
 * below). Fields are separated by blanks. Fields 3 and 4 may be missing: hands "-", move number 1. The number is 0 to
 * 65535; 0 is read as 1.
 *
 * True: *p is the position, and it passes position_validate(). False: *p is unchanged, and the error (may be NULL)
 * names field, character (counted from 1 in text), what is wrong and what would be right.
 */
bool fen_parse(Position *p, const char *text, TabiaError *error);

/*
 * The same for a line with operations after the position, with or without a ';' before the first: what is not a number
 * where the move number may stand ends the position. True: *rest is where it ended, past blanks, at the operations, a
 * ';', or the end of line or text.
 */
bool fen_parse_epd(Position *p, const char *text, const char **rest, TabiaError *error);

/* Writes all four fields, one blank apart. fen_parse() reads them back to the same position, move number included. */
void fen_write(const Position *p, FenStyle style, char out[FEN_MAX]);
