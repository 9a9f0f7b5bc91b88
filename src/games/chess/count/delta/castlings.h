/* SPDX-License-Identifier: MIT */
/*
 * Castling as two sets for each side of the king, so that whether it is possible can be asked again for every move of
 * the other side:
 *
 *      r . . . k . . r      clear: the squares that king and rook cross, without the two:   no man may stand there
 *        ^ ^ ^   + +        safe:  the squares that the king crosses:                      none may be hit
 *          s s   s s
 *
 * All squares between the two are among them, so a king that does not see his rook cannot castle; most are spared
 * the rest by that.
 *
 * In Chess960 the king may land where the rook stood, or not move at all; then `safe` holds the rook's square, or none.
 * A rook that shields its king on the rank may not castle; that is a pin, and such a rook is left out from the start.
 */
#pragma once
#include "context.h"

typedef struct {
    Bits clear[2], safe[2]; /* long, short; a castling that there is not can never be clear */
    Bits rooks;             /* of those that are not hopeless */
} Castlings;

/* The castlings of side c that are possible, or would be if men that are not in `block` went away. */
INLINE Castlings find_castlings(const Position *p, Colour c, const Army *own, Bits block, Bits pinned_orth) {
    Castlings k = {.clear = {~(Bits)0, ~(Bits)0}};
    if (!p->castle[c]) return k;
    k.rooks = castling_rooks(p, c) & rook_attacks(own->king_at, block) & ~pinned_orth;
    if (!k.rooks) return k;
    for (int is_short = 0; is_short < 2; is_short++) {
        const Bits rook = castling_rook(p, c, is_short) & k.rooks;
        if (!rook) continue;
        k.safe[is_short] = squares_between[own->king_at][castled_king(c, is_short)];
        k.clear[is_short] =
            (k.safe[is_short] | squares_between[first(rook)][castled_rook(c, is_short)]) & ~(rook | own->king);
    }
    return k;
}

INLINE bool can_castle(const Castlings *k, int is_short, Bits occ, Bits hit) {
    return !((k->clear[is_short] & occ) | (k->safe[is_short] & hit));
}
/* How many castlings are possible. The king is not in check. */
INLINE int count_castlings(const Castlings *k, Bits occ, Bits hit) {
    return k->rooks ? can_castle(k, 0, occ, hit) + can_castle(k, 1, occ, hit) : 0;
}
