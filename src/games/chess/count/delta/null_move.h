/* SPDX-License-Identifier: MIT */
/*
 * Their replies to a null move of ours: the number that each of our moves would have if it changed nothing. Kept as
 * sets, not only as a number, because the sets tell what a move changes: our pieces that their sliders attack or their
 * pawns could capture, the squares their pawns push to, and our pieces that block a push.
 *
 *      . . p . .        pushes: one step                   push_blockers: our piece where a pawn would step
 *      . . 1 . .        double_pushes: two steps           double_push_blockers: where it would step twice
 *      . . 2 . .        east_attacks, west_attacks: what pawns attack; they move there only to capture
 */
#pragma once
#include "king_lines.h"
#include "ray_attacks.h"

typedef struct {
    Pins pins;
    Bits pinned_squares;       /* the lines of both kinds of pin, the pinned pieces among them */
    RayAttacks slider_attacks; /* pins applied; their own pieces included */
    Bits unpinned_knights, unpinned_pawns;
    Bits pushes, double_pushes, east_attacks, west_attacks;
    Bits slider_targets; /* our pieces that their sliders attack */
    Bits push_blockers, double_push_blockers;
    Bits delta_origins;  /* our pieces with G(f) != 0 possible (origin_delta.h) */
    bool near_promotion; /* they have a pawn on its seventh rank */
    int64_t replies;
} NullMoveReplies;

/* What their sliders attack with pins applied. `all`: without; it is returned unless a slider is pinned. */
INLINE RayAttacks apply_pins(const DeltaContext *ctx, const NullMoveReplies *null_move, RayAttacks all) {
    const SidePieces *side = &ctx->theirs;
    const Bits unpinned = ~null_move->pinned_squares;
    if (LIKELY(!(null_move->pinned_squares & (side->orth | side->diag)))) return all;
    RayAttacks attacks = ray_attacks_fill(side->orth & unpinned, side->diag & unpinned, ctx->empty);
    EACH (r, side->orth & null_move->pins.orth)
        attacks = ray_attacks_or(
            attacks, ray_attacks_and(ray_attacks_fill(bit((int)r), 0, ctx->empty), line_through[side->king_square][r]));
    EACH (b, side->diag & null_move->pins.diag)
        attacks = ray_attacks_or(
            attacks, ray_attacks_and(ray_attacks_fill(0, bit((int)b), ctx->empty), line_through[side->king_square][b]));
    return attacks;
}

INLINE void find_pawn_replies(const DeltaContext *ctx, NullMoveReplies *null_move, Colour them) {
    const Bits pawns = ctx->theirs.pawn, orth = null_move->pins.orth, diag = null_move->pins.diag;
    const Bits push = pawns & ~diag, capture = pawns & ~orth;
    null_move->pushes = (forward(push & ~orth, them) | (forward(push & orth, them) & orth)) & ctx->empty;
    null_move->double_pushes = forward(null_move->pushes & third_rank(them), them) & ctx->empty;
    null_move->east_attacks =
        pawn_east_attacks(capture & ~diag, them) | (pawn_east_attacks(capture & diag, them) & diag);
    null_move->west_attacks =
        pawn_west_attacks(capture & ~diag, them) | (pawn_west_attacks(capture & diag, them) & diag);

    /* Pawns that would push if our piece were gone: unpinned, or pinned on a file. */
    const Bits file = FILE_A << file_of(ctx->theirs.king_square);
    const Bits pushers = pawns & ~(null_move->pinned_squares & ~(orth & file));
    null_move->push_blockers = forward(pushers, them) & ctx->ours.all;
    null_move->double_push_blockers =
        forward(forward(pushers & pawn_start_rank(them), them) & ctx->empty, them) & ctx->ours.all;
    null_move->unpinned_pawns = pawns & ~null_move->pinned_squares;
    null_move->near_promotion = (forward(pawns, them) & last_rank(them)) != 0;
}

INLINE int64_t count_null_move_pawns(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour them) {
    const Bits east = null_move->east_attacks & ctx->ours.all, west = null_move->west_attacks & ctx->ours.all;
    const Bits end = last_rank(them);
    int64_t n = popcount(null_move->pushes) + popcount(null_move->double_pushes) + popcount(east) + popcount(west);
    if (UNLIKELY(null_move->near_promotion))
        n += 3 * (popcount(null_move->pushes & end) + popcount(east & end) + popcount(west & end));
    return n;
}

/* `all_attacks`: what their sliders attack, pins not applied. `king_moves`: of their king. */
INLINE NullMoveReplies find_null_move_replies(const DeltaContext *ctx, Colour them, RayAttacks all_attacks, Pins pins,
                                              int king_moves) {
    NullMoveReplies null_move = {.pins = pins, .pinned_squares = pins.orth | pins.diag};
    null_move.slider_attacks = apply_pins(ctx, &null_move, all_attacks);
    const RayAttacks destinations = ray_attacks_and(null_move.slider_attacks, ~ctx->theirs.all);
    null_move.slider_targets = ray_attacks_union(destinations) & ctx->ours.all;
    null_move.unpinned_knights = ctx->theirs.knight & ~null_move.pinned_squares;
    find_pawn_replies(ctx, &null_move, them);
    null_move.delta_origins =
        null_move.slider_targets |
        ((null_move.east_attacks | null_move.west_attacks | null_move.push_blockers | null_move.double_push_blockers) &
         ctx->ours.all);
    null_move.replies =
        king_moves + (int64_t)ray_attacks_count(destinations) + count_null_move_pawns(ctx, &null_move, them);
    assert(null_move.replies >= 0 && !(null_move.delta_origins & ~ctx->ours.all));
    EACH (n, null_move.unpinned_knights) null_move.replies += popcount(knight_attacks[n] & ~ctx->theirs.all);
    return null_move;
}
