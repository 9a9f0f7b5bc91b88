/* SPDX-License-Identifier: MIT */
/*
 * The position as the sums look at it: two armies, we and they, and the squares between them. We are to move, they
 * reply. Nothing here depends on whose turn it is but which army is which.
 */
#pragma once
#include "rules/movegen.h"

typedef struct {
    Bits men, pawn, knight, diag, orth, king; /* sliders as movers: a queen is in diag and in orth */
    int king_at;
} Army;

/* Which of our moves count: all, but a test that hunts a wrong one asks for one at a time. */
typedef struct {
    Bits from, to;
} Only;

typedef struct {
    const Position *p;
    Army we, they;
    Bits occ, empty;
    Only only;
} Scene;

INLINE Army army_of(const Position *p, Colour c) {
    const Bits men = p->side[c];
    return (Army){.men = men,
                  .pawn = men & p->pawn,
                  .knight = men & p->knight,
                  .diag = men & p->diag,
                  .orth = men & p->orth,
                  .king = men & p->king,
                  .king_at = first(men & p->king)};
}

INLINE Scene scene_of(const Position *p, Colour us, Only only) {
    Scene s = {.p = p, .we = army_of(p, us), .they = army_of(p, (Colour)!us), .only = only};
    s.occ = s.we.men | s.they.men;
    s.empty = ~s.occ;
    return s;
}

/* A pawn's set moved by a step that may be negative. */
INLINE Bits ahead(Bits b, int step) {
    return step > 0 ? b << step : b >> -step;
}
INLINE Bits behind(Bits b, int step) {
    return step > 0 ? b >> step : b << -step;
}

/* What one man hits from t, through the squares that occ leaves empty. */
INLINE Bits hits_from(Colour c, Kind kind, int t, Bits occ) {
    switch (kind) {
    case PAWN:
        return pawn_attacks[c][t];
    case KNIGHT:
        return knight_attacks[t];
    case BISHOP:
        return bishop_attacks(t, occ);
    case ROOK:
        return rook_attacks(t, occ);
    case QUEEN:
        return bishop_attacks(t, occ) | rook_attacks(t, occ);
    default:
        return king_attacks[t];
    }
}

/* The men of an army of colour c that hit square z. */
INLINE Bits army_hits(const Army *a, Colour c, int z, Bits occ) {
    return (rook_attacks(z, occ) & a->orth) | (bishop_attacks(z, occ) & a->diag) | (knight_attacks[z] & a->knight) |
           (pawn_attacks[!c][z] & a->pawn) | (king_attacks[z] & a->king);
}

/* Puts a man on, or takes it off. */
INLINE void army_flip(Army *a, Kind kind, Bits square) {
    a->men ^= square;
    if (kind == PAWN) a->pawn ^= square;
    if (kind == KNIGHT) a->knight ^= square;
    if (kind == BISHOP || kind == QUEEN) a->diag ^= square;
    if (kind == ROOK || kind == QUEEN) a->orth ^= square;
    if (kind == KING) a->king ^= square;
}
