/* SPDX-License-Identifier: MIT */
/*
 * Promotions. What a promotion changes at f and t does not depend on what the pawn becomes; only their king and their
 * pins depend on it. So each of the four is an arrival on t like any other, in destination counts of its own (three
 * pawns by four piece types: twelve to a square), and only the attacks of the new piece are computed, through f, which
 * the pawn left:
 *
 *      t  Q          Q on t attacks down the file through f; the pawn on f was in the way before
 *      f  |
 *         k
 *
 * A promotion that checks is made.
 */
#pragma once
#include "destination_counts.h"
#include "king_moves.h"
#include "make_and_count.h"
#include "origin_delta.h"
#include "pin_delta.h"

/* The terms of a position's promotions. Kept in memory: they are rare, and registers are scarce. */
typedef struct {
    const DeltaContext *ctx;
    const KingLines *lines;
    const KingZone *zone;
    const NullMoveReplies *null_move;
    DestinationCounts arrivals;
    int64_t sum; /* of all other terms */
} PromotionSum;

/* Would a piece of that type on t pin a piece of theirs, f being empty? */
INLINE bool promotion_pins(const DeltaContext *ctx, PieceType type, Bits f, Bits t) {
    const int king = ctx->theirs.king_square;
    const Bits slider_lines = (type != ROOK ? bishop_lines[king] : 0) | (type != BISHOP ? rook_lines[king] : 0);
    if (type == KNIGHT || !(slider_lines & t)) return false;
    const Bits blockers = squares_between[king][lsb(t)] & ctx->occ & ~(f | t);
    return blockers & ctx->theirs.all && !more_than_one(blockers);
}

/* The change by one promotion that does not check, besides what every arrival on t changes. */
INLINE int promotion_delta(const PromotionSum *v, Colour us, PieceType type, int from, int to, Bits attacks) {
    const DeltaContext *ctx = v->ctx;
    const KingZone *zone = v->zone;
    const Bits f = bit(from), t = bit(to);
    int delta = 0;
    if ((t & (zone->blocking | zone->contact)) | (f & zone->origins) | (attacks & zone->squares)) {
        const Bits attacked = attacked_after(ctx, zone, us, (PieceMove){PAWN, f, t}, type);
        delta += king_moves_given(ctx, zone, attacked, f, t) - zone->king_moves;
    }
    const bool pins = promotion_pins(ctx, type, f, t);
    if (pins | ((f & v->lines->pin_openers) != 0) | ((t & v->null_move->pinned_squares & ~ctx->theirs.all) != 0))
        delta += pin_delta(ctx, v->lines, us, from, to, pins);
    return delta;
}

/* The four promotions from one square to another; the pawn's leaving discovers no check. */
INLINE void add_promotion(PromotionSum *v, Colour us, int from, int to) {
    const DeltaContext *ctx = v->ctx;
    assert(ctx->ours.pawn & bit(from) && bit(to) & last_rank(us));
    int arrivals = 0;
    for (PieceType type = KNIGHT; type <= QUEEN; type++) {
        const Bits attacks = piece_attacks(us, type, to, ctx->occ ^ bit(from));
        if (attacks & ctx->theirs.king) {
            v->sum += count_replies_after_special(ctx->position, us, from, to, PROMOTION + (int)type);
        } else {
            v->sum += promotion_delta(v, us, type, from, to, attacks);
            destination_counts_add(&v->arrivals, bit(to));
            arrivals++;
        }
    }
    if (bit(from) & v->null_move->delta_origins)
        v->sum += arrivals * origin_delta(ctx, v->null_move, us, from, bit(to));
}

NOINLINE void add_promotions_white(PromotionSum *v, Bits to, int step) {
    EACH (t, to) add_promotion(v, WHITE, (int)t - step, (int)t);
}
NOINLINE void add_promotions_black(PromotionSum *v, Bits to, int step) {
    EACH (t, to) add_promotion(v, BLACK, (int)t - step, (int)t);
}
/* All promotions by one kind of step. */
INLINE void add_promotions(PromotionSum *v, Colour us, Bits to, int step) {
    if (us == WHITE)
        add_promotions_white(v, to, step);
    else
        add_promotions_black(v, to, step);
}
