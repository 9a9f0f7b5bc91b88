/* SPDX-License-Identifier: MIT */
/*
 * The declaration of a win after the king has entered the other side's camp, by the 27-point rule of the Computer Shogi
 * Association. On its own turn a side wins by declaring if
 *
 *   its king stands on the far three ranks and is not in check,
 *   ten or more of its other pieces stand there, too,
 *   these and its hand are worth 28 points for black, 27 for white: a rook or bishop, promoted or not, 5, others 1.
 */
#pragma once
#include "rules/position.h"

enum { DECLARATION_PIECES = 10, DECLARATION_POINTS = 28, DECLARATION_POINTS_MAJOR = 5 };

/* The points of a side's pieces on the far three ranks, but its king, and in its hand. */
INLINE int declaration_points(const Position *p, Colour c) {
    const Squares there = p->side[c] & promotion_zone(c) & ~king_bit(p, c);
    const int majors = squares_count(there & (p->type[BISHOP] | p->type[ROOK]));
    int points = squares_count(there) + majors * (DECLARATION_POINTS_MAJOR - 1);
    for (PieceType t = PAWN; t <= GOLD; t++)
        points += (int)hand_count(p->hand[c], t) * (t == BISHOP || t == ROOK ? DECLARATION_POINTS_MAJOR : 1);
    return points;
}

/* May the side to move declare that it has won? */
INLINE bool declaration_wins(const Position *p) {
    const Colour us = (Colour)p->turn;
    const Squares zone = promotion_zone(us);
    if (LIKELY(!(zone & king_bit(p, us)))) return false;
    return squares_count(p->side[us] & zone) > DECLARATION_PIECES && /* with the king */
           declaration_points(p, us) >= DECLARATION_POINTS - (us == WHITE) && !in_check(p);
}
