/* SPDX-License-Identifier: MIT */
/*
 * Captures on a square: the victim's replies are gone, and their pieces that defend the square may recapture. Computed
 * once for each victim and multiplied by the number of our moves that capture it.
 *
 *      lost: the victim's moves          gained: their pieces that attack the square, which was their own piece's
 */
#pragma once
#include "destination_counts.h"
#include "null_move.h"

INLINE int count_recaptures(const NullMoveReplies *null_move, Colour them, int square) {
    const Bits b = bit(square);
    const int moves_each = b & last_rank(them) ? 4 : 1;
    const int pawns = ((null_move->east_attacks & b) != 0) + ((null_move->west_attacks & b) != 0);
    return ray_attacks_on(null_move->slider_attacks, b) +
           popcount(knight_attacks[square] & null_move->unpinned_knights) + moves_each * pawns;
}

INLINE int count_victim_pawn_moves(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour them, Bits b) {
    const Bits push = forward(b, them) & null_move->pushes, end = last_rank(them);
    const Bits east = pawn_east_attacks(b, them) & null_move->east_attacks & ctx->ours.all,
               west = pawn_west_attacks(b, them) & null_move->west_attacks & ctx->ours.all;
    const Bits double_push = forward(push & third_rank(them), them) & null_move->double_pushes;
    return popcount(push) + popcount(double_push) + popcount(east) + popcount(west) +
           3 * popcount((push | east | west) & end);
}

/* A pinned piece keeps to its line; if it is pinned on a line of the other kind it has no move. */
INLINE int count_victim_moves(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour them, int square) {
    const Bits b = bit(square);
    const Bits line = b & null_move->pinned_squares ? line_through[ctx->theirs.king_square][square] : ~(Bits)0;
    if (b & ctx->theirs.pawn) return count_victim_pawn_moves(ctx, null_move, them, b);
    if (b & ctx->theirs.knight)
        return b & null_move->unpinned_knights ? popcount(knight_attacks[square] & ~ctx->theirs.all) : 0;
    int n = 0;
    if (b & ctx->theirs.orth) n += popcount(rook_attacks(square, ctx->occ) & ~ctx->theirs.all & line);
    if (b & ctx->theirs.diag) n += popcount(bishop_attacks(square, ctx->occ) & ~ctx->theirs.all & line);
    return n;
}

INLINE int64_t sum_captures(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour them,
                            const DestinationCounts *counts) {
    int64_t sum = 0;
    EACH (t, destination_counts_squares(counts) & ctx->theirs.all) {
        assert(t != (Bits)ctx->theirs.king_square);
        sum += destination_counts_at(counts, (int)t) *
               (count_recaptures(null_move, them, (int)t) - count_victim_moves(ctx, null_move, them, (int)t));
    }
    return sum;
}
