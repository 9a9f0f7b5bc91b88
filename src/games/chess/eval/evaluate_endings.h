/* SPDX-License-Identifier: MIT */
/*
 * Endings. How much of an advantage remains where it is hard to turn into a win, and which are judged by rules of their
 * own (endings.c): king and pawn against king by a table of all positions, a bare king against what mates it.
 */
#pragma once
#include "endings.h"

enum { SCALE_MAX = 64 };

/* The square relative to a side. */
INLINE int relative_square(Colour c, int s) {
    return c == WHITE ? s : s ^ 56;
}

/* King steps between two squares (Chebyshev distance). */
INLINE int distance(int a, int b) {
    return king_steps[a][b];
}

/* A side has its king only, so that ending_value may know more. */
INLINE bool ending_is_special(const Position *p) {
    return !more_than_one(p->side[WHITE]) || !more_than_one(p->side[BLACK]);
}

INLINE int piece_material(const Position *p, Bits own) {
    return 3 * popcount(own & (p->knight | (p->diag & ~p->orth))) + 5 * popcount(own & p->orth & ~p->diag) +
           10 * popcount(own & p->orth & p->diag);
}

/* Pawns of the edge files only, a bishop of the other colour than their last square, and the enemy king before them. */
INLINE bool has_wrong_bishop(const Position *p, Colour better) {
    const Bits own = p->side[better], pawns = own & p->pawn, bishops = own & p->diag & ~p->orth;
    if ((own & (p->knight | p->orth)) || !pawns || more_than_one(bishops)) return false;
    if ((pawns & ~FILE_A) && (pawns & ~FILE_H)) return false;
    const int corner = relative_square(better, pawns & FILE_A ? 56 : 63);
    if (bishops && ((bishops & DARK) != 0) == ((bit(corner) & DARK) != 0)) return false;
    return distance(king_square(p, (Colour)!better), corner) <= 1;
}

/* What the better side lacks to win, whatever else stands on the board: of SCALE_MAX, all if it lacks nothing. */
INLINE int winnability_scale(const Position *p, Colour better) {
    const Bits own = p->side[better], foe = p->side[!better];
    if (own & p->pawn) return has_wrong_bishop(p, better) ? 0 : SCALE_MAX;
    const int ours = piece_material(p, own), theirs = piece_material(p, foe);
    if (ours <= 3 || (ours == 6 && !(own & p->diag))) return 0;
    return ours - theirs <= 3 ? SCALE_MAX / 8 : SCALE_MAX;
}
