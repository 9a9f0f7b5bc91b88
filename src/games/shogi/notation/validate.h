/* SPDX-License-Identifier: MIT */
/*
 * What a position must satisfy for the rest of Tabia to be exact on it. The limit is set by the move generator, not by
 * whether a game could lead there.
 *
 *   refused    two kings of a side, or no king at all; an unpromoted pawn or lance on the last rank as its side sees the
 *              board, a knight on the last two; two unpromoted pawns of a side on one file; more pieces of a type, on the
 *              board and in hands, than pieces_max(); the side that does not move in check (so also adjacent kings)
 *   accepted   a king missing, as in mate problems; pieces missing, as in handicap games and problems; a third bishop and
 *              a third rook, which a position of the usual suites has; checks that no move could bring about
 */
#pragma once
#include "notation/position_error.h"

/* The pieces of a type that a set has, 18 pawns, 4 lances, ... 2 kings; and how many are accepted. */
unsigned set_pieces(PieceType type);
unsigned pieces_max(PieceType type);

/*
 * Each returns whether that field is valid, and writes to *invalid what is not. The board is checked first: the others
 * require a valid one.
 */
bool validate_board(const Position *p, PositionError *invalid);
bool validate_hands(const Position *p, PositionError *invalid);
bool validate_turn(const Position *p, PositionError *invalid);

/*
 * All of them, and the invariants of position.h. On false the error names field, square and reason. `error` may be
 * NULL.
 */
bool position_validate(const Position *p, TabiaError *error);
