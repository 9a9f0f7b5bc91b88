/* SPDX-License-Identifier: MIT */
/*
 * Moves of ours that pin a piece of theirs, or unpin one. Such a move is summed like any other, as if the piece m had
 * stayed pinned or unpinned; then m's moves off the line, counted after the move, are corrected:
 *
 *      K . m . x . R        is unpinned:   + its moves off the line       (along the line it could move before)
 *                           is pinned:     - the same
 *
 * One move may do several of these, to several pieces, or both to the same piece; then they cancel, as they must.
 */
#pragma once
#include "null_move.h"

/* The moves of their piece on `square` that leave the line, after ours from f to t. */
INLINE int count_moves_off_line(const DeltaContext *ctx, Colour them, int square, Bits line, Bits f, Bits t) {
    const Bits b = bit(square), occ = (ctx->occ ^ f) | t, ours = (ctx->ours.all ^ f) | t;
    const Bits targets = ~(ctx->theirs.all & ~t) & ~line;
    assert(b & ctx->theirs.all);
    if (b & t) return 0;
    if (b & ctx->theirs.pawn) {
        const Bits push = forward(b, them) & ~occ, double_push = forward(push & third_rank(them), them) & ~occ;
        const Bits to = (push | (pawn_attacks[them][square] & ours)) & ~line;
        return popcount(to) + popcount(double_push & ~line) + 3 * popcount(to & last_rank(them));
    }
    if (b & ctx->theirs.knight) return popcount(knight_attacks[square] & targets);
    int n = 0;
    if (b & ctx->theirs.orth) n += popcount(rook_attacks(square, occ) & targets);
    if (b & ctx->theirs.diag) n += popcount(bishop_attacks(square, occ) & targets);
    return n;
}

/* `pins_from_there`: the piece that moved pins from its new square. */
INLINE int pin_delta_of(const DeltaContext *ctx, const KingLines *lines, Colour us, int from, int to,
                        bool pins_from_there) {
    const Colour them = (Colour)!us;
    const int king = ctx->theirs.king_square;
    const Bits f = bit(from), t = bit(to), pinned = (lines->pins.orth | lines->pins.diag) & ctx->theirs.all;
    int delta = 0;
    if (f & (lines->pinners | lines->pin_openers) && !(ray_through(king, from) & t)) {
        const Bits ray = ray_through(king, from);
        if (f & lines->pinners) delta += count_moves_off_line(ctx, them, lsb(ray & pinned), ray, f, t);
        if (f & lines->pin_openers)
            delta -= count_moves_off_line(ctx, them, lsb(ray & lines->pin_candidates), ray, f, t);
    }
    if (t & (lines->pins.orth | lines->pins.diag) & ~ctx->theirs.all) {
        const Bits ray = ray_through(king, to);
        delta += count_moves_off_line(ctx, them, lsb(ray & pinned), ray, f, t);
    }
    if (pins_from_there) {
        const Bits ray = ray_through(king, to), newly_pinned = squares_between[king][to] & ctx->theirs.all & ~t;
        assert(newly_pinned && !more_than_one(newly_pinned));
        delta -= count_moves_off_line(ctx, them, lsb(newly_pinned), ray, f, t);
    }
    return delta;
}

NOINLINE int pin_delta_white(const DeltaContext *ctx, const KingLines *lines, int f, int t, bool pins_from_there) {
    return pin_delta_of(ctx, lines, WHITE, f, t, pins_from_there);
}
NOINLINE int pin_delta_black(const DeltaContext *ctx, const KingLines *lines, int f, int t, bool pins_from_there) {
    return pin_delta_of(ctx, lines, BLACK, f, t, pins_from_there);
}
/* What is added to the sum for a move that changes pins. */
INLINE int pin_delta(const DeltaContext *ctx, const KingLines *lines, Colour us, int f, int t, bool pins_from_there) {
    return us == WHITE ? pin_delta_white(ctx, lines, f, t, pins_from_there)
                       : pin_delta_black(ctx, lines, f, t, pins_from_there);
}
