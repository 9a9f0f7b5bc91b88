/* SPDX-License-Identifier: MIT */
/*
 * Their king's moves after one of ours that concerns him (king_zone.h), from the set of squares that we then attack.
 * The set is exact on the squares of the zone and on the square we moved to, and read nowhere else.
 */
#pragma once
#include "king_zone.h"

/*
 * What we attack after a piece left f for a square that is not in `blocking`: squares that only it attacked are safe,
 * and squares that it hid from a slider are attacked. A slider behind it on the same line makes both the second case.
 * `lost_attacks`: what the piece attacked from f.
 */
INLINE Bits attacked_without(const DeltaContext *ctx, const KingZone *zone, int f, Bits lost_attacks) {
    assert(ctx->ours.all & bit(f));
    const Bits lost = lost_attacks & zone->attacked_once, occ = ctx->occ ^ bit(f);
    Bits attacked = zone->attacked & ~lost;
    EACH (square, lost | (zone->xray & (rook_lines[f] | bishop_lines[f]))) {
        const Bits sliders =
            (rook_attacks((int)square, occ) & ctx->ours.orth) | (bishop_attacks((int)square, occ) & ctx->ours.diag);
        if (sliders & ~bit(f)) attacked |= bit((int)square);
    }
    return attacked;
}

/*
 * What we attack after a move whose destination is not in `blocking`; `attacked` is what we attack without the piece.
 * What it attacks from there is added. Its own square, next to the king, is attacked if another piece defends it.
 */
INLINE Bits attacked_with(const DeltaContext *ctx, const KingZone *zone, Colour us, PieceMove m, Bits attacked) {
    const int to = lsb(m.to);
    const Bits occ = ctx->occ ^ m.from ^ ctx->theirs.king;
    attacked |= piece_attacks(us, m.type, to, occ);
    if (!(m.to & zone->contact)) return attacked;
    return side_attackers(&ctx->ours, us, to, occ) & ~m.from ? attacked | m.to : attacked & ~m.to;
}

/* What we attack after any move, square by square; `becomes` is the promoted piece, or the piece that moved. The king
   is removed, so that he does not hide the squares behind him. */
INLINE Bits attacked_after(const DeltaContext *ctx, const KingZone *zone, Colour us, PieceMove m, PieceType becomes) {
    SidePieces ours = ctx->ours;
    assert(m.from & ours.all && !(m.to & ours.all));
    side_flip_piece(&ours, m.type, m.from);
    side_flip_piece(&ours, becomes, m.to);
    const Bits occ = ((ctx->occ ^ m.from) | m.to) ^ ctx->theirs.king;
    Bits attacked = 0;
    EACH (square, zone->squares | (zone->ring & m.to))
        attacked |= (Bits)(side_attackers(&ours, us, (int)square, occ) != 0) << square;
    return attacked;
}

/* The king's moves after ours from f to t, given what we then attack. He is not in check. */
INLINE int king_moves_given(const DeltaContext *ctx, const KingZone *zone, Bits attacked, Bits f, Bits t) {
    return popcount(zone->ring & ~(ctx->theirs.all & ~t) & ~attacked) +
           count_castlings(&zone->castlings, (ctx->occ ^ f) | t, attacked);
}

/*
 * What we attack after any move that is no promotion. A king, and a pawn, may move along a line that it screens and
 * still screen it; there, and where one of our lines is blocked, every square is looked at. `attacked` is what we attack
 * without the piece; for a pawn, with it.
 */
INLINE Bits attacked_after_move(const DeltaContext *ctx, const KingZone *zone, Colour us, PieceMove m, Bits attacked) {
    const int from = lsb(m.from), to = lsb(m.to);
    const bool may_screen = m.from & zone->origins && line_through[from][to] & (ctx->ours.orth | ctx->ours.diag);
    if (m.to & zone->blocking || ((m.type == KING || m.type == PAWN) && may_screen))
        return attacked_after(ctx, zone, us, m, m.type);
    if (m.type == PAWN && m.from & zone->origins) attacked = attacked_without(ctx, zone, from, pawn_attacks[us][from]);
    return attacked_with(ctx, zone, us, m, attacked);
}

INLINE int king_moves_after(const DeltaContext *ctx, const KingZone *zone, Colour us, PieceMove m, Bits attacked) {
    return king_moves_given(ctx, zone, attacked_after_move(ctx, zone, us, m, attacked), m.from, m.to);
}
NOINLINE int king_moves_after_white(const DeltaContext *ctx, const KingZone *zone, PieceType type, Bits f, Bits t,
                                    Bits attacked) {
    return king_moves_after(ctx, zone, WHITE, (PieceMove){type, f, t}, attacked);
}
NOINLINE int king_moves_after_black(const DeltaContext *ctx, const KingZone *zone, PieceType type, Bits f, Bits t,
                                    Bits attacked) {
    return king_moves_after(ctx, zone, BLACK, (PieceMove){type, f, t}, attacked);
}
/* The king's moves after any move that does not check him; `attacked` as in attacked_after_move(). */
INLINE int count_king_moves_after(const DeltaContext *ctx, const KingZone *zone, Colour us, PieceMove m,
                                  Bits attacked) {
    return us == WHITE ? king_moves_after_white(ctx, zone, m.type, m.from, m.to, attacked)
                       : king_moves_after_black(ctx, zone, m.type, m.from, m.to, attacked);
}
