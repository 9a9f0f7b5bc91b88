/* SPDX-License-Identifier: MIT */
/*
 * The rules of shogi a second time, as plainly as they can be written: a board of characters, every move made on a copy
 * and the king tested afterwards. It shares no line with src/, so that a mistake there is not repeated here; the tests
 * compare the two.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SHOGI_REFERENCE_MOVES_MAX = 1024 };

/* piece[rank][column]: rank a is 0, column 0 is file 9. 'P' to 'K' for black, 'p' to 'k' for white, '.' for none. */
typedef struct {
    char piece[9][9];
    bool promoted[9][9];
    int hand[2][7]; /* black's, white's: of "PLNSGBR" */
    bool white_to_move;
} ShogiReferenceBoard;

/* A move as USI writes it. */
typedef struct {
    char text[6];
} ShogiReferenceMove;

/* Reads an SFEN without testing whether the position is legal; false if it cannot be read. */
bool shogi_reference_read(ShogiReferenceBoard *b, const char *sfen);
/* Is the king of that side attacked? A side without a king is not in check. */
bool shogi_reference_in_check(const ShogiReferenceBoard *b, bool white);
/* Writes the legal moves in some order, returns their number. */
int shogi_reference_moves(const ShogiReferenceBoard *b, ShogiReferenceMove moves[SHOGI_REFERENCE_MOVES_MAX]);
/* The board after a move that is legal. */
ShogiReferenceBoard shogi_reference_after(const ShogiReferenceBoard *b, const char *move);
/* Leaves of the tree of legal moves at that depth; 1 at depth 0. */
uint64_t shogi_reference_perft(const ShogiReferenceBoard *b, int depth);
