/* SPDX-License-Identifier: MIT */
/*
 * Our pawns' moves, a set for each kind of step. All pawns that take the same step are added to the destination counts
 * together; only moves that change something else are handled one by one.
 *
 *      west  push  east                  made: what a step discovers; checks by a double push
 *         \   |   /                      G(f), and their king: square by square
 *          \  |  /                       a double push next to a pawn of theirs: en passant, tried on the board
 *            pawn
 */
#pragma once
#include "evasions.h"
#include "sum_state.h"

typedef struct {
    int step; /* a constant */
    int flag; /* PLAIN or DOUBLE_PUSH, a constant */
    Bits to;
} PawnMoves;

/* Their replies en passant to a double push from f: each is tried on the board. */
INLINE int count_ep_replies(const DeltaContext *ctx, Colour us, Bits f) {
    const Bits passed = forward(f, us);
    const int king = ctx->theirs.king_square;
    int n = 0;
    EACH (capturer, pawn_attacks[us][lsb(passed)] & ctx->theirs.pawn) {
        const Bits occ = (ctx->occ ^ bit((int)capturer) ^ f) | passed;
        n += !((rook_attacks(king, occ) & ctx->ours.orth) | (bishop_attacks(king, occ) & ctx->ours.diag));
    }
    return n;
}

/* The pawns' moves to `to` by one kind of step, made; a promotion is four moves. */
INLINE int64_t made_pawn_moves(const Position *p, Colour us, Bits to, int step, int flag) {
    int64_t sum = 0;
    EACH (t, to & ~last_rank(us)) sum += count_replies_after_special(p, us, (int)t - step, (int)t, flag);
    EACH (t, to & last_rank(us))
        for (int type = KNIGHT; type <= QUEEN; type++)
            sum += count_replies_after_special(p, us, (int)t - step, (int)t, PROMOTION + type);
    return sum;
}
NOINLINE int64_t made_pawn_moves_white(const Position *p, Bits to, int step, int flag) {
    return made_pawn_moves(p, WHITE, to, step, flag);
}
NOINLINE int64_t made_pawn_moves_black(const Position *p, Bits to, int step, int flag) {
    return made_pawn_moves(p, BLACK, to, step, flag);
}
INLINE int64_t sum_made_pawn_moves(const Position *p, Colour us, Bits to, int step, int flag) {
    return us == WHITE ? made_pawn_moves_white(p, to, step, flag) : made_pawn_moves_black(p, to, step, flag);
}

/* The change of their king's moves after the pawn moves to `to`, all by one kind of step. */
INLINE void add_pawn_king_deltas(SumState *state, Colour us, Bits to, int step) {
    const DeltaContext *ctx = state->ctx;
    const KingZone *zone = state->zone;
    const Bits recount = to & (zone->blocking | zone->contact | shift_by(zone->origins, step));
    EACH (t, to & zone->pawn & ~recount)
        state->sum += count_king_moves(ctx, zone, zone->attacked | pawn_attacks[us][t], ctx->occ) - zone->king_moves;
    EACH (t, recount)
        state->sum +=
            count_king_moves_after(ctx, zone, us, (PieceMove){PAWN, bit((int)t - step), bit((int)t)}, zone->attacked) -
            zone->king_moves;
}

INLINE void add_pawn_moves(SumState *state, Colour us, PawnMoves p) {
    const DeltaContext *ctx = state->ctx;
    const KingLines *lines = state->lines;
    if (!p.to) return;
    assert(!(p.to & ctx->ours.all));
    const Bits pin_moves = state->unpinning | shift_by(lines->pin_openers, p.step);
    const Bits checking = p.to & pawn_attacks[!us][ctx->theirs.king_square];
    Bits made = p.to & (state->castling_targets | shift_by(lines->discoverers, p.step));
    made |= checking & (p.flag == DOUBLE_PUSH ? ~(Bits)0 : pin_moves);
    const Bits promotions = p.to & last_rank(us) & ~made, checks = checking & ~made;
    const Bits summed = p.to & ~(made | checks | promotions);
    destination_counts_add(&state->destinations, summed);
    if (p.flag == DOUBLE_PUSH) {
        const Bits beside = forward(pawn_set_attacks(ctx->theirs.pawn, (Colour)!us), us);
        EACH (t, summed & beside) state->sum += count_ep_replies(ctx, us, bit((int)t - p.step));
    }
    EACH (t, summed & shift_by(state->null_move->delta_origins, p.step))
        state->sum += origin_delta(ctx, state->null_move, us, (int)t - p.step, bit((int)t));
    add_pawn_king_deltas(state, us, summed, p.step);
    EACH (t, summed & pin_moves) state->sum += pin_delta(ctx, lines, us, (int)t - p.step, (int)t, false);
    EACH (t, checks)
        state->sum += count_evasions(ctx, state->zone, us, (PieceMove){PAWN, bit((int)t - p.step), bit((int)t)},
                                     state->zone->attacked, state->null_move->pinned_squares);
    if (UNLIKELY(promotions)) add_promotions(state->promotions, us, promotions, p.step);
    if (UNLIKELY(made)) state->sum += sum_made_pawn_moves(ctx->position, us, made, p.step, p.flag);
}

INLINE void add_ep_captures(SumState *state, Colour us) {
    const DeltaContext *ctx = state->ctx;
    const Position *p = ctx->position;
    if (LIKELY(!p->ep)) return;
    EACH (f, pawn_attacks[!us][p->ep] & ctx->ours.pawn)
        if (ep_leaves_king_safe(p, us, (int)f, p->ep))
            state->sum += count_replies_after_special(p, us, (int)f, p->ep, EN_PASSANT);
}

/* All moves of our pawns; we are not in check. */
INLINE void add_all_pawns(SumState *state, Colour us, const Pins *pins) {
    const DeltaContext *ctx = state->ctx;
    const Bits orth = pins->orth, diag = pins->diag, push = ctx->ours.pawn & ~diag, capture = ctx->ours.pawn & ~orth;
    const Bits one = (forward(push & ~orth, us) | (forward(push & orth, us) & orth)) & ctx->empty;
    const Bits two = forward(one & third_rank(us), us) & ctx->empty;
    const Bits east =
        (pawn_east_attacks(capture & ~diag, us) | (pawn_east_attacks(capture & diag, us) & diag)) & ctx->theirs.all;
    const Bits west =
        (pawn_west_attacks(capture & ~diag, us) | (pawn_west_attacks(capture & diag, us) & diag)) & ctx->theirs.all;
    const int up = pawn_up(us);
    add_pawn_moves(state, us, (PawnMoves){up, PLAIN, one});
    add_pawn_moves(state, us, (PawnMoves){2 * up, DOUBLE_PUSH, two});
    add_pawn_moves(state, us, (PawnMoves){up + 1, PLAIN, east});
    add_pawn_moves(state, us, (PawnMoves){up - 1, PLAIN, west});
    add_ep_captures(state, us);
}
