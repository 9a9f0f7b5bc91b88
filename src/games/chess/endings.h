/* SPDX-License-Identifier: MIT */
/* Endings against a bare king, each by its own rule. */
#pragma once
#include "position.h"

/*
 * King and pawn against king, all positions: can the pawn's side win? One bit each, computed when Tabia is built
 * (make_kpk_table.c): pawns on the a- to d-file, the other half of the board is its mirror image.
 *
 *     bit number = ((turn * 24 + pawn) * 64 + own king) * 64 + other king
 *     turn 0: the pawn's side moves;  pawn = 4 * (rank - 1) + file, ranks from 0
 */
enum { KPK_PAWNS = 24, KPK_WORDS = 2 * KPK_PAWNS * 64 };
extern const uint64_t kpk_table[KPK_WORDS]; /* a word for all squares of the other king */

/* Squares as the pawn's side sees them. */
bool kpk_wins(bool pawn_side_moves, int king, int pawn, int other_king);

/*
 * The value for white of a position in which at least one side has only its king. False: no rule knows it. Wins come
 * out above every sum of terms that such material could have, so that a search wants to reach them, and grow as the
 * win comes nearer.
 */
bool ending_value(const Position *p, int *white);
