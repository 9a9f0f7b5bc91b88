/* SPDX-License-Identifier: MIT */
/*
 * Forsyth-Edwards Notation and the two ways of naming the rook that castles in Chess960.
 *
 *     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
 *     1 board, from rank 8 down                   2 3    4 5 6      2 side to move   5 halfmove clock
 *                                                                   3 castling       6 fullmove number
 *                                                                   4 en passant
 *   X-FEN          KQkq mean the outermost rook on that side of the king; another rook is named by its file
 *   Shredder-FEN   every rook is named by its file: HAha for the position above
 *
 * Both are read, also mixed; the reader need not know whether the game is Chess960. Fields 4 to 6 may be missing from some
 * point on: en passant "-", halfmove clock 0, fullmove number 1. The counters are 0 to 65535; fullmove number 0 is read
 * as 1.
 *
 * An en passant square must be one that a pawn can just have passed; then it is kept only if a legal move captures
 * there, and otherwise dropped silently, since writers differ here and the positions do not.
 */
#pragma once

enum { FEN_MAX = 128 }; /* room for any FEN that fen_write writes, its '\0' included */

typedef enum {
    FEN_STANDARD, /* X-FEN: KQkq, and a file letter only where KQkq would mean another rook */
    FEN_SHREDDER, /* file letters always */
} FenStyle;

typedef enum { FIELD_BOARD = 1, FIELD_TURN, FIELD_CASTLING, FIELD_EP, FIELD_HALFMOVE, FIELD_FULLMOVE } FenField;
enum { FEN_FIELDS = FIELD_FULLMOVE };

/* What stands for the fields behind the second where they are missing. */
#define FEN_DEFAULTS " - - 0 1"
