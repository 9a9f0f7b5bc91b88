/* SPDX-License-Identifier: MIT */
/*
 * What a capture changes: the replies of the piece that is taken go, recaptures come, and the file of an unpromoted pawn is
 * free for another one.
 */
#pragma once
#include "replies.h"

/* The replies to a null move of their piece on s. */
INLINE int count_replies_of(const DeltaContext *ctx, Colour us, int s) {
    LegalMasks v = their_masks(ctx, us);
    const PieceType type = piece_type_at(ctx->p, s);
    Squares to = piece_attacks(v.us, type, s, v.occ) & v.target;
    MoveSink k = {0};
    if (has_square(v.pinned, s)) to &= line_through[v.king][s];
    emit_piece(&k, GEN_COUNT, type, s, to, &v);
    return (int)k.n;
}

/* Their moves that take back on t; their king is not near. */
INLINE int count_recaptures(const DeltaContext *ctx, Colour them, int t) {
    const Position *p = ctx->p;
    const Squares may_promote = ~p->promoted & ~p->type[GOLD], zone = promotion_zone(them), here = square_bit(t);
    Squares from = attackers(p, them, t, ctx->occ) & ~king_bit(p, them);
    if (UNLIKELY(from & ctx->their_pinned)) {
        EACH_SQUARE (s, from & ctx->their_pinned)
            if (!has_square(line_through[ctx->their_king][s], t)) from ^= square_bit(s);
    }
    Squares twice = from & may_promote & (here & zone ? BOARD : zone);
    if (here & dead_end(them, KNIGHT)) twice &= ~p->type[KNIGHT];
    if (here & dead_end(them, PAWN)) twice &= ~(p->type[PAWN] | p->type[LANCE]);
    return squares_count(from) + squares_count(twice);
}

/* By how much capturing on t, from f, changes the number of their replies, beside what leaving f does. */
NOINLINE int count_capture(const DeltaContext *ctx, Colour us, int f, int t) {
    const Colour them = (Colour)!us;
    int change = count_recaptures(ctx, them, t) - count_replies_of(ctx, us, t);
    if (has_square(unpromoted(ctx->p, PAWN), t) && hand_count(ctx->p->hand[them], PAWN)) {
        const Squares file = FILE_1 << RANKS * file_of(t);
        change += squares_count(file & ~dead_end(them, PAWN) & (empty_squares(ctx) | square_bit(f)));
    }
    return change;
}
