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
 *         + pins          the replies of the piece that is pinned go                  captures.h
 *         + the rest      moves that unpin, discovered checks: made and counted       make_and_count.h
 *
 * A drop is a move without f; what is dropped matters only around the king, so the drops of all types on a square are one
 * term. tests/fuzz/last_two.c compares the sums with making every move.
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

/* What limits our moves: find_legal_masks() by what is known already; in check they are found from scratch. */
INLINE LegalMasks find_our_masks(const DeltaContext *ctx, Colour us) {
    const Colour them = (Colour)!us;
    LegalMasks v = {.own = ctx->own, .foe = ctx->foe, .occ = ctx->occ, .king = ctx->king, .us = us};
    v.attacked = stepped_by(ctx->p, them) | ctx->theirs.all;
    if (UNLIKELY(v.attacked & king_bit(ctx->p, us))) return find_legal_masks(ctx->p, us);
    v.target = BOARD & ~ctx->own;
    v.plain = v.promoting = BOARD;
    EACH_SQUARE (s, sliders_in_line(&ctx->theirs, them, ctx->king)) {
        const Squares line = squares_between[ctx->king][s] & ~square_bit(s);
        if (!(line & ctx->foe) && !more_than_one_square(line & ctx->own)) v.pinned |= line & ctx->own;
    }
    return v;
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
    ctx.their_pinned = ctx.made_from = ctx.mating_drop = 0;
    find_sliders(&ctx.ours, p, us, ctx.occ);
    find_sliders(&ctx.theirs, p, them, ctx.occ);
    const LegalMasks masks = find_our_masks(&ctx, us);
    ctx.king_moves = step_attacks[us][KING][ctx.king] & ~ctx.own & ~masks.attacked;
    find_king_zone(&ctx, us);
    find_their_drops(&ctx, us);
    if (UNLIKELY(!find_mating_drops(&ctx, &masks, us))) return sum_made_moves_of(p, us);
    return sum_moves(&ctx, &masks, us);
}
