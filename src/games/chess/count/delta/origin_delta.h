/* SPDX-License-Identifier: MIT */
/*
 * G(f): the change of their replies because one of our pieces leaves the square f.
 *
 *      r - - f + + x        a slider that attacks f reaches on, up to x, and x too if x is ours      +
 *      p takes f            a pawn has nothing to capture on f any more                              -
 *      p before f           a pawn may push to f, perhaps two squares                                +
 *
 * This is the same number for every move of the piece, except where f and the destination t share a line with the
 * slider:
 *
 *      r - t - f . . .      t is before f: nothing beyond t is reached, so nothing is gained
 *      r - - - f + t . .    t is behind f: the ray now ends at t
 *
 * and where t blocks the pawn's push. All destinations of one piece are handled together. Out of line: only three to
 * five of our pieces are attacked or blocking in a typical position.
 */
#pragma once
#include "null_move.h"

/* May a slider, if it is pinned, move along the line on which it attacks f? */
INLINE bool may_move_along(const DeltaContext *ctx, const NullMoveReplies *null_move, int slider, int f) {
    return LIKELY(!(null_move->pinned_squares & bit(slider))) || line_through[ctx->theirs.king_square][slider] & bit(f);
}

INLINE int slider_delta(const DeltaContext *ctx, const NullMoveReplies *null_move, int f, Bits to) {
    const Bits orth = rook_attacks(f, ctx->occ), diag = bishop_attacks(f, ctx->occ);
    const int moves = popcount(to);
    int delta = 0;
    EACH (slider, (orth & ctx->theirs.orth) | (diag & ctx->theirs.diag)) {
        if (!may_move_along(ctx, null_move, (int)slider, f)) continue;
        const Bits before = squares_between[f][slider], beyond = line_through[f][slider] & ~before;
        const Bits reached = (orth | diag) & beyond & ~ctx->theirs.all;
        delta += popcount(reached) * (moves - popcount(to & before));
        EACH (t, to & beyond) delta += (ctx->theirs.all >> t & 1) - popcount(reached & ~squares_between[f][t]);
    }
    return delta;
}

INLINE int pawn_delta(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour us, int f, Bits to) {
    const Colour them = (Colour)!us;
    const Bits b = bit(f), front = forward(b, us);
    const int moves_each = b & last_rank(them) ? 4 : 1, moves = popcount(to);
    int delta = 0;
    if (b & (null_move->east_attacks | null_move->west_attacks)) {
        const int capturers = ((b & null_move->east_attacks) != 0) + ((b & null_move->west_attacks) != 0);
        /* Where our move captures the capturer, its capture is subtracted with its other moves (captures.h). */
        delta -= moves_each * (moves * capturers - popcount(to & pawn_attacks[us][f] & null_move->unpinned_pawns));
    }
    if (b & null_move->push_blockers) {
        const Bits second = forward(b & third_rank(them), them) & ctx->empty;
        delta += (moves_each + (second != 0)) * (moves - ((to & front) != 0)) - ((to & second) != 0);
    }
    if (b & null_move->double_push_blockers) delta += moves - popcount(to & (front | forward(front, us)));
    return delta;
}

INLINE int origin_delta_of(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour us, int f, Bits to) {
    assert(ctx->ours.all & bit(f) && to);
    int delta = pawn_delta(ctx, null_move, us, f, to);
    if (null_move->slider_targets & bit(f)) delta += slider_delta(ctx, null_move, f, to);
    return delta;
}
NOINLINE int origin_delta_white(const DeltaContext *ctx, const NullMoveReplies *null_move, int f, Bits to) {
    return origin_delta_of(ctx, null_move, WHITE, f, to);
}
NOINLINE int origin_delta_black(const DeltaContext *ctx, const NullMoveReplies *null_move, int f, Bits to) {
    return origin_delta_of(ctx, null_move, BLACK, f, to);
}
/* The sum of G(f) over the moves from f to each square of `to`. */
INLINE int origin_delta(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour us, int f, Bits to) {
    return us == WHITE ? origin_delta_white(ctx, null_move, f, to) : origin_delta_black(ctx, null_move, f, to);
}
