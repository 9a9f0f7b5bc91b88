/* SPDX-License-Identifier: MIT */
/* What is known before our moves are classified, and what is summed meanwhile. */
#pragma once
#include "promotions.h"

/* The pointers are to what functions out of line read too; the rest stays in registers. */
typedef struct {
    const DeltaContext *ctx;
    const KingLines *lines;
    const KingZone *zone;
    const NullMoveReplies *null_move;
    PromotionSum *promotions;
    Bits special_origins;           /* squares whose leaving may change more than the destination counts hold */
    Bits unpinning;                 /* moves to here unpin a piece */
    Bits castling_targets;          /* moves to here are made: they may change a castling */
    DestinationCounts destinations; /* the moves that are summed by set */
    int64_t sum;                    /* of all other terms */
} SumState;

/*
 * Where a move may change whether they can castle, other than by what the zone sees: it captures the rook, or comes to
 * the rook's line beyond it, or, if the rook is pinned, between.
 */
INLINE Bits find_castling_targets(const DeltaContext *ctx, const KingLines *lines, const CastlingPaths *castlings,
                                  Colour them) {
    Bits set = 0;
    EACH (rook, castlings->rooks | (castling_rooks(ctx->position, them) & lines->pins.orth)) {
        const int king = ctx->theirs.king_square;
        assert(ctx->theirs.orth & bit((int)rook));
        const Bits ray = ray_through(king, (int)rook), pinned = lines->pins.orth & bit((int)rook);
        set |= bit((int)rook) | (pinned ? ray : ray & ~squares_between[king][rook]);
    }
    return set;
}

INLINE SumState sum_state(const DeltaContext *ctx, const KingLines *lines, const KingZone *zone,
                          const NullMoveReplies *null_move, PromotionSum *promotions, Colour us) {
    SumState state = {.ctx = ctx, .lines = lines, .zone = zone, .null_move = null_move, .promotions = promotions};
    state.special_origins =
        null_move->delta_origins | zone->origins | lines->discoverers | lines->pinners | lines->pin_openers;
    state.unpinning = null_move->pinned_squares & ~ctx->theirs.all;
    if (ctx->position->castle[!us])
        state.castling_targets = find_castling_targets(ctx, lines, &zone->castlings, (Colour)!us);
    return state;
}
