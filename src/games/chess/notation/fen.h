/* SPDX-License-Identifier: MIT */
/*
 * Positions as text: Forsyth-Edwards Notation and the two ways of naming the rook that castles in Chess960.
 *
 *     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
 *     1 board, from rank 8 down                   2 3    4 5 6      2 side to move   5 halfmove clock
 *                                                                   3 castling       6 fullmove number
 *                                                                   4 en passant
 *   X-FEN          KQkq mean the outermost rook on that side of the king; another rook is named by its file
 *   Shredder-FEN   every rook is named by its file: HAha for the position above
 *
 * Both are read, also mixed; the reader need not know whether the game is Chess960.
 */
#pragma once
#include "base/error.h"
#include "rules/position.h"

enum { FEN_MAX = 128 }; /* room for any FEN that fen_write writes, its '\0' included */

typedef enum {
    FEN_STANDARD, /* X-FEN: KQkq, and a file letter only where KQkq would mean another rook */
    FEN_SHREDDER, /* file letters always */
} FenStyle;

/* The initial position of standard chess. */
extern const char fen_start[];

/*
 * Reads a position that text begins with; it ends at '\0', a line end or ';' (for what an EPD line says after that, see
 * below). Fields are separated by blanks. Fields 4 to 6 may be missing from some point on: en passant "-", halfmove
 * clock 0, fullmove number 1. The counters are 0 to 65535; fullmove number 0 is read as 1.
 *
 * An en passant square must be one that a pawn can just have passed; then it is kept only if a legal move captures
 * there, and otherwise dropped silently, since writers differ here and the positions do not.
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

/* Writes all six fields, one blank apart. fen_parse() reads them back to the same position, counters included. */
void fen_write(const Position *p, FenStyle style, char out[FEN_MAX]);
