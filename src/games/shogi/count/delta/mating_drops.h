/* SPDX-License-Identifier: MIT */
/*
 * A reply may not be a pawn drop that mates. Whether one would mate is asked of the positions only where our king has
 * nothing that surely survives our move: a square to go to, or the pawn to take.
 */
#pragma once
#include "context.h"

/* Our king has no square. Does a drop in front of him mate now, and after any drop of ours but some? Else false. */
INLINE bool find_mating_drop(DeltaContext *ctx, const LegalMasks *masks, Colour us, Squares front) {
    if (masks->in_check || masks->pinned || !pawn_drop_mates(ctx->p, (Colour)!us, first_square(front))) return false;
    ctx->mating_drop = front;
    ctx->made_from = BOARD;
    return true;
}

/* Finds the moves after which it must be asked; false if it must be after any. */
INLINE bool find_mating_drops(DeltaContext *ctx, const LegalMasks *masks, Colour us) {
    const Colour them = (Colour)!us;
    const Position *p = ctx->p;
    const Squares front = step_attacks[us][PAWN][ctx->king];
    if (!hand_count(p->hand[them], PAWN)) return true;
    const Squares file = FILE_1 << RANKS * file_of(ctx->king);
    const Squares pawns = ctx->foe & unpromoted(p, PAWN) & file;
    ctx->made_to |= pawns;
    if (pawns || !front || front & ctx->foe) return true;
    ctx->made_from |= front;
    if (front & ctx->own) return true;
    ctx->made_from |= ctx->theirs.all;
    if (!more_than_one_square(ctx->king_moves)) ctx->made_to |= ctx->king_moves & ~front;
    return ctx->king_moves || find_mating_drop(ctx, masks, us, front);
}

/* The moves of our king after which it must be asked: from there he must have an answer to any drop. */
INLINE Squares mating_king_moves(const DeltaContext *ctx, const LegalMasks *masks, Colour us) {
    const Squares held = ctx->own & ~king_bit(ctx->p, us);
    Squares unsure = ctx->king_moves & ctx->foe;
    if (!hand_count(ctx->p->hand[!us], PAWN)) return 0;
    EACH_SQUARE (t, ctx->king_moves & ~ctx->foe)
        if (!(step_attacks[us][KING][t] & ~held & ~masks->attacked)) unsure |= square_bit(t);
    return unsure;
}
