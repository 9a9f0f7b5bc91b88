/* SPDX-License-Identifier: MIT */
/*
 * The last two plies by sums. We move, they reply; wanted is the sum of their replies over all our moves. Hardly any of
 * our moves is made for it.
 *
 * Their replies to a null move are counted once. A move of ours from f to t changes that number by terms that depend on
 * f alone, on t alone, or on what it attacks around their king:
 *
 *      sum of replies  =  moves * replies to a null move                              replies.h
 *         + for each f    what they can drop there, and sliders that it stopped       replies.h
 *         - for each t    what they can no longer drop there, and sliders it stops    replies.h, square_counts.h
 *         + captures      the replies of the piece taken go, recaptures come          captures.h
 *         + their king    squares that he wins and loses                              moves.h, king_zone.h
 *         + checks        he goes, the piece is taken, something comes between        checks.h
 *         + pins          the replies of the piece that is pinned go                        captures.h
 *         + the rest      moves that unpin, discovered checks: made and counted           make_and_count.h
 *
 * A drop is a move without f; what is dropped matters only around the king, so the drops of all types on a square are one
 * term. tests/fuzz/shogi_last_two.c compares the sums with making every move.
 */
#pragma once
#include "moves.h"

INLINE void find_their_drops(DeltaContext *ctx, Colour us) {
    const Colour them = (Colour)!us;
    const uint32_t hand = ctx->p->hand[them];
    for (PieceType t = PAWN; t <= GOLD; t++)
        ctx->drops[t] = hand_count(hand, t) ? BOARD & ~dead_end(them, t) : (Squares)0;
    if (hand_count(hand, PAWN)) ctx->drops[PAWN] &= ~whole_files(unpromoted(ctx->p, PAWN) & ctx->foe);
}

INLINE void find_context(DeltaContext *ctx, Colour us) {
    const Colour them = (Colour)!us;
    ctx->their_pinned = ctx->made_from = 0;
    find_king_zone(ctx, us);
    find_their_drops(ctx, us);
    const Sliders theirs = sliders_of(ctx->p, ctx->foe);
    ctx->their_slides = all_slides(&theirs, them, ctx->occ);
    ctx->their_sliders = sliders_of(ctx->p, ctx->foe & ~ctx->their_pinned);
}

/* The sum of the legal replies to all legal moves of `us`, whose turn it is. */
INLINE uint64_t delta_last_two(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    DeltaContext ctx;
    ctx.p = p;
    ctx.own = p->side[us];
    ctx.foe = p->side[them];
    ctx.occ = ctx.own | ctx.foe;
    ctx.king = king_square(p, us);
    ctx.their_king = king_square(p, them);
    const LegalMasks masks = find_legal_masks(p, us);
    ctx.king_moves = step_attacks[us][KING][ctx.king] & ~ctx.own & ~masks.attacked;
    find_context(&ctx, us);
    if (UNLIKELY(!find_mating_drops(&ctx, us))) return sum_made_moves_of(p, us);
    return sum_moves(&ctx, &masks, us);
}
