/* SPDX-License-Identifier: MIT */
/*
 * The rules of chess once more, as plainly as they can be written: a board of 64 characters, every move tried on a copy
 * and the king looked at afterwards. It shares no line with src/, so that a mistake there is not repeated here; the
 * tests compare the two. Slow (about a million positions a second), and meant to be read.
 *
 * Standard chess, Chess960 and double Chess960 (the two sides' men may stand differently).
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { REFERENCE_MOVES_MAX = 512, REFERENCE_FEN_MAX = 128 };

/* Squares are numbered from a1 = 0 by ranks: h1 = 7, a2 = 8, h8 = 63. */
typedef struct {
    char man[64];             /* "PNBRQK" for white, "pnbrqk" for black, '.' for none */
    bool rook_may_castle[64]; /* a castling right is a rook that has it */
    bool black_to_move;
    int passed; /* the square that a pawn has just passed over in a double step, or -1 */
    int halfmove, fullmove;
} Board;

/* A move as UCI writes it where castling is "king takes own rook": "e2e4", "e7e8q", "e1h1". */
typedef struct {
    char text[6];
} MoveText;

/* Reads a FEN whose castling field is written KQkq (the outermost rook, as X-FEN has it) or with file letters, or with
   both. The last two fields may be missing. Returns false if it cannot be read; says nothing about whether it makes
   sense. */
bool reference_read(Board *b, const char *fen);
/* Writes a FEN with file letters. */
void reference_write(const Board *b, char fen[REFERENCE_FEN_MAX]);

/* Is the king of that side hit? A side without a king is not. */
bool reference_king_is_hit(const Board *b, bool black);

/* Writes the legal moves in some order, returns how many. */
int reference_moves(const Board *b, MoveText moves[REFERENCE_MOVES_MAX]);
/* Writes to *after the board after the legal move so written; false if there is none such. */
bool reference_play(const Board *b, const char *move, Board *after);
/* May a pawn take en passant now? */
bool reference_may_take_en_passant(const Board *b);
/* Leaves of the tree of legal moves at that depth; 1 at depth 0. */
uint64_t reference_perft(const Board *b, int depth);
