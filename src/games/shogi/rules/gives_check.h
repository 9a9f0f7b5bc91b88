/* SPDX-License-Identifier: MIT */
/*
 * Does a move give check? Found without making it: by the piece that arrives, or by one behind the square that it
 * left.
 */
#pragma once
#include "position.h"

/* For legal moves of the side to move. */
INLINE bool gives_check(const Position *p, Move m) {
    const Colour us = (Colour)p->turn;
    const int king = king_square(p, (Colour)!us), to = move_to(m);
    const Squares f = move_is_drop(m) ? 0 : square_bit(move_from(m)), t = square_bit(to);
    const Squares after = (occupied(p) & ~f) | t, own = p->side[us] & ~f;
    PieceType type = move_is_drop(m) ? move_drop_type(m) : piece_type_at(p, move_from(m));
    if (move_promotes(m)) type = (PieceType)(type | PROMOTED);
    if (king == NO_SQUARE) return false;
    if (piece_attacks(us, type, to, after) & square_bit(king)) return true;
    return (own & ((bishop_attacks(king, after) & p->type[BISHOP]) | (rook_attacks(king, after) & p->type[ROOK]) |
                   (lance_attacks((Colour)!us, king, after) & unpromoted(p, LANCE)))) != 0;
}
