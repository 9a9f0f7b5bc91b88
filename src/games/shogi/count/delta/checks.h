/* SPDX-License-Identifier: MIT */
/*
 * The replies to a check by the piece that arrives: their king goes, the piece is taken, or something comes between.
 */
#pragma once
#include "replies.h"

/* What of the zone we attack without one piece, which attacks `zone`. */
INLINE Squares attacked_without(const DeltaContext *ctx, Squares zone) {
    return ctx->zone.twice | (ctx->zone.once & ~zone);
}

/* The moves to t of their pieces of a set, but for their king, through the squares that occ leaves empty. */
INLINE int count_moves_to(const DeltaContext *ctx, Colour them, int t, Squares pieces, Squares occ) {
    const Position *p = ctx->p;
    const Squares may_promote = ~p->promoted & ~p->type[GOLD], zone = promotion_zone(them), here = square_bit(t);
    Squares from = attackers(p, them, t, occ) & pieces & ~king_bit(p, them);
    if (UNLIKELY(from & ctx->their_pinned)) {
        EACH_SQUARE (s, from & ctx->their_pinned)
            if (!has_square(line_through[ctx->their_king][s], t)) from ^= square_bit(s);
    }
    Squares twice = from & may_promote & (here & zone ? BOARD : zone);
    if (here & dead_end(them, KNIGHT)) twice &= ~p->type[KNIGHT];
    if (here & dead_end(them, PAWN)) twice &= ~(p->type[PAWN] | p->type[LANCE]);
    return squares_count(from) + squares_count(twice);
}

/* A capture on t by our piece from `left`: can their king take it back? */
INLINE int king_takes_back(const DeltaContext *ctx, Colour us, Squares left, int t) {
    if (!(square_bit(t) & ctx->foe & step_attacks[us][KING][ctx->their_king])) return 0;
    return !(attackers(ctx->p, us, t, ctx->occ & ~left) & ~left);
}

/* Who takes a piece of ours that comes to t, and what comes between it and their king; our piece from `left` is gone. */
NOINLINE int count_answers(const DeltaContext *ctx, Colour us, Squares left, int t) {
    const Colour them = (Colour)!us;
    const Squares occ = (ctx->occ & ~left) | square_bit(t), others = ctx->foe & ~square_bit(t);
    const Squares between = squares_between[ctx->their_king][t] & ~square_bit(t);
    int answers = 0;
    EACH_SQUARE (s, between | square_bit(t)) answers += count_moves_to(ctx, them, s, others, occ);
    if (between)
        for (PieceType k = PAWN; k <= GOLD; k++) answers += squares_count(ctx->drops[k] & between);
    return answers;
}

/* Where their king goes when a piece of ours that moves as `type` checks from t; it attacked `zone` from `left`. */
INLINE int count_escapes(const DeltaContext *ctx, Colour us, PieceType type, Squares left, Squares zone, int t) {
    const Squares occ = (ctx->occ & ~left & ~king_bit(ctx->p, (Colour)!us)) | square_bit(t);
    return squares_count(ctx->zone.squares & ~attacked_without(ctx, zone) & ~attacks_as(us, type, t, occ));
}

INLINE int count_replies_to_check(const DeltaContext *ctx, Colour us, PieceType type, Squares left, Squares zone,
                                  int t) {
    return count_escapes(ctx, us, type, left, zone, t) + king_takes_back(ctx, us, left, t) +
           count_answers(ctx, us, left, t);
}

/* count_answers() to drops on each square, whatever is dropped; found when it is first asked. */
typedef struct {
    Squares known;
    int16_t answers[BOARD_SQUARES];
} CheckTerms;

INLINE int count_replies_to_drop(const DeltaContext *ctx, CheckTerms *terms, Colour us, PieceType type, int t) {
    if (!has_square(terms->known, t)) {
        terms->known |= square_bit(t);
        terms->answers[t] = (int16_t)count_answers(ctx, us, 0, t);
    }
    return terms->answers[t] + count_escapes(ctx, us, type, 0, 0, t);
}
