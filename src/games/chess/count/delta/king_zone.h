/* SPDX-License-Identifier: MIT */
/*
 * Their king. His moves depend on which squares around him we attack, so they must be counted anew after some of our
 * moves; the zone tells after which. It consists of the squares he could step on and those his castlings need.
 *
 *      . z z z .       A square z of the zone that we do not attack becomes attacked
 *      . z k z .         - when a piece comes to a square from which its type       "orth, diag, knight, pawn, king"
 *      . z z z .           attacks z
 *                        - when a piece leaves that stood between z and our slider  "origins"; z is in "xray"
 *                      A square that we attack may become safe
 *                        - when its only attacker leaves                                   "origins"; "attacked_once"
 *                        - when a piece comes between an attacker and it                   "blocking"
 *                          (three attackers are never lost by one move; two only together with a block)
 *                      A piece that comes next to the king can be captured unless another one defends that square, and
 *                      one that comes to the path of a castling stops it                   "contact"
 *
 * All these sets may be larger than necessary, never smaller: a move outside them leaves the king's moves as they are;
 * after any other they are counted (king_moves.h).
 */
#pragma once
#include "castlings.h"
#include "king_lines.h"

typedef struct {
    Bits ring;                           /* the squares next to the king */
    Bits squares;                        /* those of them that they do not occupy, and the paths of castlings */
    Bits attacked;                       /* the squares of the zone that we attack */
    Bits attacked_once;                  /* by one piece only */
    Bits xray;                           /* not attacked, but one of our pieces stands before our slider */
    Bits origins;                        /* moves from here concern the king, whatever the piece */
    Bits blocking, contact;              /* moves to here do, whatever the piece */
    Bits orth, diag, knight, pawn, king; /* moves to here do, of a piece of that type: it newly attacks the zone */
    CastlingPaths castlings;
    int king_moves; /* the king's moves after a null move */
} KingZone;

INLINE void add_safe_square(const DeltaContext *ctx, KingZone *zone, Colour us, int square) {
    const Bits orth = rook_attacks(square, ctx->occ), diag = bishop_attacks(square, ctx->occ);
    zone->orth |= orth;
    zone->diag |= diag;
    zone->knight |= knight_attacks[square];
    zone->pawn |= pawn_attacks[!us][square];
    zone->king |= king_attacks[square];
    const Bits xray_sliders = (rook_attacks(square, ctx->occ ^ (orth & ctx->ours.all)) & ctx->ours.orth) |
                              (bishop_attacks(square, ctx->occ ^ (diag & ctx->ours.all)) & ctx->ours.diag);
    if (UNLIKELY(xray_sliders)) {
        zone->xray |= bit(square);
        EACH (slider, xray_sliders) zone->origins |= squares_between[slider][square] & ctx->ours.all;
    }
}

INLINE void add_attacked_square(KingZone *zone, int square, Bits attackers) {
    assert(attackers);
    const Bits others = attackers & (attackers - 1), b = bit(square);
    zone->attacked |= b;
    if (more_than_one(others)) return;
    zone->blocking |= squares_between[lsb(attackers)][square] & ~b;
    if (others) {
        zone->blocking |= squares_between[lsb(others)][square] & ~b;
    } else {
        zone->attacked_once |= b;
        zone->origins |= attackers;
    }
}

/* Their king's moves, given what we attack of the zone. */
INLINE int count_king_moves(const DeltaContext *ctx, const KingZone *zone, Bits attacked, Bits occ) {
    return popcount(zone->ring & ~ctx->theirs.all & ~attacked) + count_castlings(&zone->castlings, occ, attacked);
}

INLINE KingZone find_king_zone(const DeltaContext *ctx, Colour us, const KingLines *their_lines) {
    KingZone zone = {.ring = king_attacks[ctx->theirs.king_square]};
    zone.castlings =
        find_castling_paths(ctx->position, (Colour)!us, &ctx->theirs, ctx->theirs.all, their_lines->pins.orth);
    if (zone.castlings.rooks)
        for (int i = 0; i < 2; i++)
            if (!(zone.castlings.clear[i] & ctx->theirs.all))
                zone.contact |= zone.castlings.clear[i] | zone.castlings.safe[i];
    zone.squares = (zone.ring & ~ctx->theirs.all) | zone.contact;
    zone.origins = zone.squares & ctx->ours.all;
    EACH (square, zone.squares) {
        const Bits attackers = side_attackers(&ctx->ours, us, (int)square, ctx->occ);
        if (attackers) {
            add_attacked_square(&zone, (int)square, attackers);
        } else {
            add_safe_square(ctx, &zone, us, (int)square);
        }
    }
    zone.contact |= zone.ring & ~(zone.attacked & ~zone.attacked_once);
    zone.king_moves = count_king_moves(ctx, &zone, zone.attacked, ctx->occ);
    return zone;
}
