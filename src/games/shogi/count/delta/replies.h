/* SPDX-License-Identifier: MIT */
/*
 * Their replies to a null move, and what one square matters to them. A pawn drop that mates counts as a reply here: where
 * a move of ours could leave one, it is made (mating_drops.h).
 */
#pragma once
#include "king_zone.h"
#include "square_counts.h"

/* How their board moves are counted: as if the turn were theirs. */
INLINE LegalMasks their_masks(const DeltaContext *ctx, Colour us) {
    LegalMasks v = {.own = ctx->foe, .foe = ctx->own, .occ = ctx->occ, .king = ctx->their_king, .us = (Colour)!us};
    v.target = BOARD & ~ctx->foe;
    v.plain = v.promoting = BOARD;
    v.pinned = ctx->their_pinned;
    return v;
}

INLINE int64_t count_null_move_replies(const DeltaContext *ctx, Colour us) {
    const LegalMasks v = their_masks(ctx, us);
    MoveSink k = {.n = (unsigned)squares_count(ctx->zone.squares & ~ctx->zone.once)};
    gen_board(ctx->p, &k, GEN_COUNT, &v);
    for (PieceType t = PAWN; t <= GOLD; t++) k.n += (unsigned)squares_count(ctx->drops[t] & empty_squares(ctx));
    return k.n;
}

/* Where a slider of theirs on s has two moves to each square: with and without promotion. */
INLINE Squares two_moves(const DeltaContext *ctx, Colour them, int s) {
    if (ctx->p->promoted & square_bit(s)) return 0;
    const Squares zone = promotion_zone(them);
    if (ctx->their_sliders.lances & square_bit(s)) return zone & ~dead_end(them, LANCE);
    return has_square(zone, s) ? BOARD : zone;
}

/* How many types they could drop on each square, if it were empty. */
INLINE SquareCounts find_kinds(const DeltaContext *ctx) {
    SquareCounts kinds = square_counts_none();
    if (ctx->p->hand[!ctx->p->turn])
        for (PieceType t = PAWN; t <= GOLD; t++) square_counts_add(&kinds, ctx->drops[t], 1);
    return kinds;
}

/* What a piece of ours on each empty square costs them: drops there, and moves of sliders beyond it. */
INLINE SquareCounts find_costs(const DeltaContext *ctx, Colour them, SquareCounts costs) {
    EACH_SQUARE (s, ctx->their_sliders.lances | ctx->their_sliders.bishops | ctx->their_sliders.rooks) {
        const Squares two = two_moves(ctx, them, s);
        EACH_SQUARE (d, slides_from(&ctx->their_sliders, them, s, ctx->occ) & ~ctx->foe & ~step_attacks[them][KING][s])
            square_counts_add(&costs, squares_between[s][d] ^ square_bit(d), 1 + has_square(two, d));
    }
    return costs;
}

/* How many moves their sliders gain when a piece of ours leaves f, if it does not stay on a line of one of their sliders through f. */
INLINE int64_t count_gain_of_leaving(const DeltaContext *ctx, Colour them, int f) {
    const Squares occ = ctx->occ ^ square_bit(f);
    int gain = 0;
    if (!has_square(ctx->their_slides, f)) return gain;
    EACH_SQUARE (s, ctx->their_sliders.lances | ctx->their_sliders.bishops | ctx->their_sliders.rooks) {
        const Squares before = slides_from(&ctx->their_sliders, them, s, ctx->occ);
        if (!has_square(before, f)) continue;
        const Squares more = slides_from(&ctx->their_sliders, them, s, occ) & ~before & ~ctx->foe;
        gain += squares_count(more) + squares_count(more & two_moves(ctx, them, s));
    }
    return gain;
}

/* The lines of their sliders through f, on which leaving and arriving depend on each other. */
INLINE Squares lines_through(const DeltaContext *ctx, int f) {
    const Squares occ = ctx->occ;
    if (!has_square(ctx->their_slides, f)) return 0;
    Squares lines = 0;
    const Sliders *of = &ctx->their_sliders;
    EACH_SQUARE (s, (rook_attacks(f, occ) & (of->rooks | of->lances)) | (bishop_attacks(f, occ) & of->bishops))
        lines |= line_through[f][s];
    return lines;
}
