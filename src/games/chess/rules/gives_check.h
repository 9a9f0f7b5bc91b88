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
    const int king = king_square(p, (Colour)!us), from = move_from(m), to = move_to(m), flag = move_flag(m);
    const Bits f = bit(from), t = bit(to), occ = occupied(p), own = p->side[us] & ~f;
    assert(p->side[us] & f);
    if (flag == CASTLING) { /* `to` is the rook's square; the king hides nothing that its rook would not see */
        const Bits rook = bit(castled_rook(us, to > from));
        const Bits after = (occ & ~f & ~t) | rook | bit(castled_king(us, to > from));
        return rook_attacks(king, after) & (rook | (p->orth & own & ~t));
    }
    Bits after = (occ & ~f) | t;
    if (flag == EN_PASSANT) after &= ~forward(t, (Colour)!us);
    if ((bishop_attacks(king, after) & p->diag & own) | (rook_attacks(king, after) & p->orth & own)) return true;
    const PieceType type = move_promotes(m) ? move_promotion(m) : piece_type_at_branchless(p, from);
    return piece_attacks((Colour)!us, type, king, after) & t;
}
