/* SPDX-License-Identifier: MIT */
/*
 * What a position must satisfy for the rest of Tabia to be exact on it. The limit is set by the move generator, not by
 * whether a game could lead there.
 *
 *   refused    other than one king a side; a pawn on the first or last rank; more than 16 pieces of one side; the side
 *              that does not move in check (so also adjacent kings); a castling right without the king on its back
 *              rank or without the rook, or two rights on one side of a king; an en passant square off its rank, not
 *              empty, without the pawn in front of it, or with a piece on the square that pawn came from
 *   accepted   whatever is merely unusual: nine queens, ten knights, nine pawns, bishops behind unmoved pawns, three
 *              checkers or two that no move could bring about, an en passant square while something else than the
 *              passed pawn gives check, a halfmove clock above 100
 *
 * The accepted ones are safe because nothing in the generator depends on how a position arose: two checkers or twenty
 * leave king moves only, an en passant capture is tried on the board, and 16 pieces have fewer than MOVES_MAX moves.
 * What a count of the last plies assumes must hold on these too.
 */
#pragma once
#include "notation/position_error.h"

/*
 * Each returns whether that field is valid, and writes to *invalid what is not. The board is checked first: the others
 * require a valid one. validate_castling: may the right to castle with the rook on that file of c's back rank be added
 * to those p has? validate_ep: can the last move have been a pawn's double push over that square (not whether a pawn
 * can capture there)?
 */
bool validate_board(const Position *p, PositionError *invalid);
bool validate_turn(const Position *p, PositionError *invalid);
bool validate_castling(const Position *p, Colour c, int file, PositionError *invalid);
bool validate_ep(const Position *p, int square, PositionError *invalid);

/*
 * All of them, and the invariants of position.h. On false the error names field, square and reason. `error` may be
 * NULL.
 */
bool position_validate(const Position *p, TabiaError *error);
