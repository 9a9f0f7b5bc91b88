/* SPDX-License-Identifier: MIT */
/* Endings against a bare king, each by its own rule. */
#pragma once
#include "rules/position.h"

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
 * out above what such material is worth elsewhere, so that a search wants to reach them, and grow as the
 * win comes nearer.
 */
bool ending_value(const Position *p, int *white);

/*
 * Plies that a mate takes at the least, by where the kings are, when one side has its king alone: a lower bound, which
 * holds wherever the other pieces stand. NEVER_MATES: kings that touch. Computed when Tabia is built, in a game that is
 * easier for the side that mates (make_mate_plies_table.c).
 */
typedef enum {
    MATE_BY_QUEEN,
    MATE_BY_ROOK,
    MATE_BY_BISHOPS,
    MATE_BY_BISHOP_AND_KNIGHT,
    MATING_MATERIALS
} MatingMaterial;
enum { MATE_PLIES_MAX = 12, NEVER_MATES = 255 };
extern const uint8_t mate_plies_table[MATING_MATERIALS][2][64][64]; /* [material][bare king moves][king][bare king] */

/* The bound for a position; 0 where the table has none for its pieces. */
int ending_mate_plies(const Position *p);
