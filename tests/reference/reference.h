/* SPDX-License-Identifier: MIT */
/*
 * The rules of chess a second time, as plainly as they can be written: a board of 64 characters, every move made on a
 * copy and the king tested afterwards. It shares no line with src/, so that a mistake there is not repeated here;
 * the tests compare the two. About a million positions a second.
 *
 * Standard chess, Chess960 and double Chess960 (the two sides' back ranks may differ).
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { REFERENCE_MOVES_MAX = 512, REFERENCE_FEN_MAX = 128 };

/* Squares are numbered from a1 = 0 by ranks: h1 = 7, a2 = 8, h8 = 63. */
typedef struct {
    char piece[64];           /* "PNBRQK" for white, "pnbrqk" for black, '.' for none */
    bool rook_may_castle[64]; /* a castling right is a rook that has it */
    bool black_to_move;
    int passed; /* the square that a pawn has just passed over in a double push, or -1 */
    int halfmove, fullmove;
} ReferenceBoard;

/* A move as UCI writes it where castling is "king takes own rook": "e2e4", "e7e8q", "e1h1". */
typedef struct {
    char text[6];
} ReferenceMove;

/*
 * Reads a FEN whose castling field is written KQkq (the outermost rook, as in X-FEN) or with file letters, or with
 * both. The last two fields may be missing. Returns false if it cannot be read; does not check whether the
 * position is legal.
 */
bool reference_read(ReferenceBoard *b, const char *fen);
/* Writes a FEN with file letters. */
void reference_write(const ReferenceBoard *b, char fen[REFERENCE_FEN_MAX]);

/* Is the king of that side in check? A side without a king is not. */
bool reference_in_check(const ReferenceBoard *b, bool black);

/* Writes the legal moves in some order, returns their number. */
int reference_moves(const ReferenceBoard *b, ReferenceMove moves[REFERENCE_MOVES_MAX]);
/* Writes to *after the board after the legal move so written; false if there is none. */
bool reference_make_move(const ReferenceBoard *b, const char *move, ReferenceBoard *after);
/* Is an en passant capture legal? */
bool reference_may_take_en_passant(const ReferenceBoard *b);
/* Leaves of the tree of legal moves at that depth; 1 at depth 0. */
uint64_t reference_perft(const ReferenceBoard *b, int depth);
