/* SPDX-License-Identifier: MIT */
/*
 * What a position must be for the rest of Tabia to be exact on it. The line is drawn by the move generator, not by
 * whether a game could lead there.
 *
 *   refused    other than one king a side; a pawn on the first or last rank; more than 16 men of one side; the side
 *              that does not move in check (so also kings that touch); a right to castle without the king on its home
 *              rank or without the rook, or two rights on one side of a king; an en passant square off its rank, not
 *              empty, without the pawn in front of it, or with a man on the square that pawn came from
 *   accepted   whatever is merely unusual: nine queens, ten knights, nine pawns, bishops behind unmoved pawns, three
 *              checkers or two that no move could bring about, an en passant square while something else than the
 *              passed pawn gives check, a halfmove clock above 100
 *
 * The accepted ones are safe because nothing in the generator reasons about how a position came about: two checkers or
 * twenty leave king moves only, an en passant capture is tried on the board, and 16 men have fewer than MOVES_MAX
 * moves. What a count of the last plies takes for granted must hold on these too.
 */
#pragma once
#include "base/error.h"
#include "rules/position.h"

/* Named and numbered as the fields of a FEN. */
typedef enum { PART_BOARD = 1, PART_TURN, PART_CASTLING, PART_EP, PART_HALFMOVE, PART_FULLMOVE } Part;

/* "board" to "fullmove number". */
const char *part_name(Part part);

/* What is wrong, in which part, and on which square if it has one (else NO_SQUARE). */
typedef struct {
    Part part;
    int square;
    char reason[240];
} Flaw;

/*
 * Each returns whether that part is good, and says in *flaw what is not. The board comes first: the others may be asked
 * only when it is good. The castling question is whether the right to castle with the rook on that file of c's home
 * rank may be added to those p has; the en passant one, whether the last move can have been a pawn's double step over
 * that square (not whether somebody can capture there).
 */
bool validate_board(const Position *p, Flaw *flaw);
bool validate_turn(const Position *p, Flaw *flaw);
bool validate_castling(const Position *p, Colour c, int file, Flaw *flaw);
bool validate_ep(const Position *p, int square, Flaw *flaw);

/* All of them, and the invariants of position.h. On false the error names part, square and reason. */
bool position_validate(const Position *p, TabiaError *error);
