/* SPDX-License-Identifier: MIT */
/*
 * What a piece attacks from a square. The tables are constant data, computed when Tabia is built
 * (make_attack_tables.c); entry NO_SQUARE of each is empty.
 *
 * Along a ray on which numbers rise the first blocker is the least bit of `ray & occupied`: subtracting 1 turns it and
 * the bits below it, which are the squares before it. Along one on which they fall it is the greatest bit.
 */
#pragma once
#include "types.h"

/* The rays from a square; numbers rise on the first four. */
typedef enum {
    RAY_DOWN,
    RAY_LEFT,
    RAY_DOWN_LEFT,
    RAY_UP_LEFT,
    RAY_UP,
    RAY_RIGHT,
    RAY_UP_RIGHT,
    RAY_DOWN_RIGHT,
    RAYS
} Ray;

/* The steps of a piece, by colour and type without PROMOTED: of GOLD those of promoted pieces too, of BISHOP and ROOK the
   steps that they win by promoting; of LANCE none. */
extern const Squares step_attacks[2][8][82];
extern const Squares rays[82][RAYS];
extern const Squares squares_between[82][81]; /* the squares between two that share a line, and the second; else 0 */
extern const Squares line_through[82][81];    /* the whole line through two squares, both included; else 0 */
extern const Squares squares_from[81];        /* a square and all greater ones */

INLINE Squares ray_attacks(int s, Ray ray, Squares occ) {
    const Squares all = rays[s][ray], blockers = all & occ;
    if (ray < RAY_UP) return (blockers ^ (blockers - 1)) & all;
    return squares_from[last_square(blockers | 1)] & all;
}
INLINE Squares lance_attacks(Colour c, int s, Squares occ) {
    return ray_attacks(s, c == BLACK ? RAY_UP : RAY_DOWN, occ);
}
INLINE Squares rook_attacks(int s, Squares occ) {
    return ray_attacks(s, RAY_UP, occ) | ray_attacks(s, RAY_DOWN, occ) | ray_attacks(s, RAY_LEFT, occ) |
           ray_attacks(s, RAY_RIGHT, occ);
}
INLINE Squares bishop_attacks(int s, Squares occ) {
    return ray_attacks(s, RAY_UP_LEFT, occ) | ray_attacks(s, RAY_DOWN_RIGHT, occ) | ray_attacks(s, RAY_DOWN_LEFT, occ) |
           ray_attacks(s, RAY_UP_RIGHT, occ);
}

/* Everything a piece of that type attacks; `type` may be promoted. */
INLINE Squares piece_attacks(Colour c, PieceType type, int s, Squares occ) {
    switch (type) {
    case PROMOTED_PAWN:
    case PROMOTED_LANCE:
    case PROMOTED_KNIGHT:
    case PROMOTED_SILVER:
        return step_attacks[c][GOLD][s];
    case LANCE:
        return lance_attacks(c, s, occ);
    case BISHOP:
        return bishop_attacks(s, occ);
    case ROOK:
        return rook_attacks(s, occ);
    case HORSE:
        return bishop_attacks(s, occ) | step_attacks[c][BISHOP][s];
    case DRAGON:
        return rook_attacks(s, occ) | step_attacks[c][ROOK][s];
    default:
        assert(type <= KING);
        return step_attacks[c][type][s];
    }
}
