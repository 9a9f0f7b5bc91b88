/* SPDX-License-Identifier: MIT */
/*
 * SFEN, shogi's Forsyth-Edwards Notation.
 *
 *     lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
 *     1 board, from rank a down, each from file 9 to file 1     2 3 4    2 side to move   4 number of the move to come
 *                                                                        3 hands
 *
 * Capitals are black's pieces, '+' stands before a promoted one. Hands: a number, if it is not 1, before each letter;
 * '-' if both are empty. They are written as USI orders them, black's first, R B G S N L P; any order is read. Fields 3
 * and 4 may be missing: hands "-", move number 1. The number is 0 to 65535; 0 is read as 1.
 */
#pragma once

enum { FEN_MAX = 160 }; /* room for any SFEN that fen_write writes, its '\0' included */

/* There is one way of writing a position; a caller that wants no ambiguity in a game that has more asks by the second
   name. */
typedef enum { FEN_STANDARD, FEN_SHREDDER = FEN_STANDARD } FenStyle;

typedef enum { FIELD_BOARD = 1, FIELD_TURN, FIELD_HANDS, FIELD_PLY } FenField;
enum { FEN_FIELDS = FIELD_PLY };

/* What stands for the fields behind the second where they are missing. */
#define FEN_DEFAULTS " - 1"
