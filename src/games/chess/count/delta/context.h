/* SPDX-License-Identifier: MIT */
/*
 * The position as the delta method reads it: the pieces of two sides, ours and theirs, and the squares between them. We
 * are to move, they reply. Colour matters only in which side is which and in the direction of pawns.
 */
#pragma once
#include "rules/movegen.h"

/* The pieces of one side. A queen is in diag and in orth. */
typedef struct {
    Bits all, pawn, knight, diag, orth, king;
    int king_square;
} SidePieces;

typedef struct {
    const Position *position;
    SidePieces ours, theirs;
    Bits occ, empty;
} DeltaContext;

/* A move of one of our pieces that is no promotion, castling or en passant capture; sets of one square each. */
typedef struct {
    PieceType type; /* a constant */
    Bits from, to;
} PieceMove;

INLINE SidePieces side_pieces(const Position *p, Colour c) {
    const Bits all = p->side[c];
    assert(all & p->king);
    return (SidePieces){.all = all,
                        .pawn = all & p->pawn,
                        .knight = all & p->knight,
                        .diag = all & p->diag,
                        .orth = all & p->orth,
                        .king = all & p->king,
                        .king_square = lsb(all & p->king)};
}

INLINE DeltaContext delta_context(const Position *p, Colour us) {
    DeltaContext ctx = {.position = p, .ours = side_pieces(p, us), .theirs = side_pieces(p, (Colour)!us)};
    assert(p->turn == us);
    ctx.occ = ctx.ours.all | ctx.theirs.all;
    ctx.empty = ~ctx.occ;
    return ctx;
}

/* A set shifted by a pawn's step, which is negative for black; and shifted back. */
INLINE Bits shift_by(Bits b, int step) {
    return step > 0 ? b << step : b >> -step;
}
INLINE Bits shift_back(Bits b, int step) {
    return step > 0 ? b >> step : b << -step;
}

/* The pieces of a side, of colour c, that attack `square`. */
INLINE Bits side_attackers(const SidePieces *side, Colour c, int square, Bits occ) {
    return (rook_attacks(square, occ) & side->orth) | (bishop_attacks(square, occ) & side->diag) |
           (knight_attacks[square] & side->knight) | (pawn_attacks[!c][square] & side->pawn) |
           (king_attacks[square] & side->king);
}

/* Adds a piece, or removes it: its square flips in every set that holds it. */
INLINE void side_flip_piece(SidePieces *side, PieceType type, Bits square) {
    side->all ^= square;
    if (type == PAWN) side->pawn ^= square;
    if (type == KNIGHT) side->knight ^= square;
    if (type == BISHOP || type == QUEEN) side->diag ^= square;
    if (type == ROOK || type == QUEEN) side->orth ^= square;
    if (type == KING) side->king ^= square;
}
