/* SPDX-License-Identifier: MIT */
/*
 * A reply may not be a pawn drop that mates. Whether one would mate is asked of the positions only where our king has
 * nothing that surely survives our move: a square to go to, or the pawn to take.
 */
#pragma once
#include "context.h"

/* Finds the moves after which it must be asked; false if it must be after any. */
INLINE bool find_mating_drops(DeltaContext *ctx, Colour us) {
    const Colour them = (Colour)!us;
    const Position *p = ctx->p;
    const Squares front = step_attacks[us][PAWN][ctx->king];
    if (!hand_count(p->hand[them], PAWN)) return true;
    const Squares file = FILE_1 << RANKS * file_of(ctx->king);
    const Squares pawns = ctx->foe & unpromoted(p, PAWN) & file;
    ctx->made_from |= king_bit(p, us);
    ctx->made_to |= pawns;
    if (pawns || !front || front & ctx->foe) return true;
    ctx->made_from |= front;
    if (front & ctx->own) return true;
    ctx->made_from |= ctx->their_slides;
    if (!more_than_one_square(ctx->king_moves)) ctx->made_to |= ctx->king_moves & ~front;
    return ctx->king_moves != 0;
}
