/* SPDX-License-Identifier: MIT */
/*
 * Castling as two sets for each side of the king, so that one can ask after every move of the other side whether it is
 * still possible:
 *
 *      r . . . k . . r      clear: the squares that king and rook cross, without the two:   must be empty
 *        ^ ^ ^   + +        safe:  the squares that the king crosses:                       must not be attacked
 *          s s   s s
 *
 * All squares between king and rook are in `clear`, so a king that does not see his rook cannot castle. That ends the
 * question in most positions.
 *
 * In Chess960 the king may land where the rook stood, or not move at all; then `safe` holds the rook's square, or is
 * empty. A rook that shields its king on the rank may not castle: it is pinned, and is left out from the start.
 */
#pragma once
#include "context.h"

typedef struct {
    Bits clear[2], safe[2]; /* long, short; where there is no castling right, `clear` is all squares */
    Bits rooks;             /* of the castlings that are possible now or after one move */
} CastlingPaths;

/* The castlings of side c that are possible, or would be if pieces that are not in `block` went away. */
INLINE CastlingPaths find_castling_paths(const Position *p, Colour c, const SidePieces *own, Bits block,
                                         Bits pinned_orth) {
    assert(own->king_square == king_square(p, c));
    CastlingPaths paths = {.clear = {~(Bits)0, ~(Bits)0}};
    if (!p->castle[c]) return paths;
    paths.rooks = castling_rooks(p, c) & rook_attacks(own->king_square, block) & ~pinned_orth;
    if (!paths.rooks) return paths;
    for (int is_short = 0; is_short < 2; is_short++) {
        const Bits rook = castling_rook(p, c, is_short) & paths.rooks;
        if (!rook) continue;
        paths.safe[is_short] = squares_between[own->king_square][castled_king(c, is_short)];
        paths.clear[is_short] =
            (paths.safe[is_short] | squares_between[lsb(rook)][castled_rook(c, is_short)]) & ~(rook | own->king);
    }
    return paths;
}

INLINE bool can_castle(const CastlingPaths *paths, int is_short, Bits occ, Bits attacked) {
    return !((paths->clear[is_short] & occ) | (paths->safe[is_short] & attacked));
}
/* How many castlings are possible. The king is not in check. */
INLINE int count_castlings(const CastlingPaths *paths, Bits occ, Bits attacked) {
    return paths->rooks ? can_castle(paths, 0, occ, attacked) + can_castle(paths, 1, occ, attacked) : 0;
}
