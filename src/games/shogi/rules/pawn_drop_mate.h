/* SPDX-License-Identifier: MIT */
/*
 * A pawn may not be dropped to give mate. Only the square in front of the other king matters, and a check from there
 * cannot be blocked: the pawn is taken, or the king goes, or it is mate.
 */
#pragma once
#include "position.h"

/* Does a pawn that us drops on s mate? s is empty. */
static inline bool pawn_drop_mates(const Position *p, Colour us, int s) {
    const Colour them = (Colour)!us;
    const int king = king_square(p, them);
    const Squares pawn = square_bit(s), occ = occupied(p) | pawn;
    if (!(step_attacks[us][PAWN][s] & king_bit(p, them))) return false;
    EACH_SQUARE (f, attackers(p, them, s, occ) & ~king_bit(p, them)) /* takes the pawn, if that opens no line */
        if (!attackers(p, us, king, occ & ~square_bit(f))) return false;
    const Squares board = occ & ~king_bit(p, them);
    EACH_SQUARE (to, step_attacks[them][KING][king] & ~p->side[them])
        if (!(attackers(p, us, to, board) & ~square_bit(to))) return false;
    return true;
}
