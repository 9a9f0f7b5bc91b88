/* SPDX-License-Identifier: MIT */
/*
 * The last two plies by deltas. We move, they reply; wanted is the sum of their replies over all our moves. Hardly any
 * of our moves is made for it.
 *
 * Their replies to a null move are counted once (null_move.h). A move of ours from f to t changes that number by terms
 * that depend on f alone, on t alone, or on the captured piece. So each term is computed for a set of moves at a time:
 *
 *      sum of replies  =  moves * replies to a null move
 *         + sum of G(f)    vacating f opens rays of their sliders and pawn pushes       origin_delta.h
 *         + sum of L(t)    occupying t closes rays, stops pawns, lets pawns capture     destination_delta.h
 *         + captures       the victim's replies go, recaptures come                     captures.h
 *         + their king     where what we attack around him changes                      king_zone.h, king_moves.h
 *         + pins           one of their pieces is pinned, or unpinned, by the move      pin_delta.h
 *         + checks         replies counted as evasions                                  evasions.h
 *         + promotions     one arrival for each piece type, and what it attacks         promotions.h
 *         + the rest       discovered checks, castling, en passant and a few more:
 *                          made, and their replies counted                              make_and_count.h
 *
 * How many moves go to each square is kept in bit-sliced counters, for all squares at once (destination_counts.h). Rays
 * are filled in eight directions at once (ray_attacks.h). Signs are easy to get wrong where lines cross:
 * tests/fuzz/last_two.c compares the sums with making every move.
 */
#pragma once
#include "captures.h"
#include "destination_delta.h"
#include "pawns.h"
#include "pieces.h"

/* All squares that they attack: our king may not go there. If the set holds our king, it is valid only as that: the
   squares behind him on the checking ray are missing. */
INLINE Bits all_attacks(const DeltaContext *ctx, Colour them, RayAttacks slider_attacks) {
    Bits attacked = ray_attacks_union(slider_attacks) | pawn_set_attacks(ctx->theirs.pawn, them) |
                    king_attacks[ctx->theirs.king_square];
    EACH (knight, ctx->theirs.knight) attacked |= knight_attacks[knight];
    return attacked;
}

/* The terms that depend on the destinations of moves, and the replies to a null move for each move. */
INLINE int64_t sum_destinations(const DeltaContext *ctx, const NullMoveReplies *null_move, Colour them,
                                const DestinationCounts *counts) {
    return sum_destination_deltas(ctx, null_move, them, counts) + sum_captures(ctx, null_move, them, counts) +
           null_move->replies * destination_counts_total(counts);
}
NOINLINE int64_t sum_promotions_white(const PromotionSum *promotions) {
    return promotions->sum + sum_destinations(promotions->ctx, promotions->null_move, BLACK, &promotions->arrivals);
}
NOINLINE int64_t sum_promotions_black(const PromotionSum *promotions) {
    return promotions->sum + sum_destinations(promotions->ctx, promotions->null_move, WHITE, &promotions->arrivals);
}
INLINE int64_t sum_promotions(const PromotionSum *promotions, Colour us) {
    return us == WHITE ? sum_promotions_white(promotions) : sum_promotions_black(promotions);
}

/* The sum of the legal replies to all legal moves of `us`, whose turn it is. */
INLINE uint64_t delta_last_two(const Position *p, Colour us) {
    const Colour them = (Colour)!us;
    const DeltaContext ctx = delta_context(p, us);
    const RayAttacks their_rays = ray_attacks_fill(ctx.theirs.orth, ctx.theirs.diag, ctx.empty);
    const Bits attacked = all_attacks(&ctx, them, their_rays);
    /* In check there are few moves. With eight knights sixteen moves may share a destination; a counter holds 15. */
    if (UNLIKELY(attacked & ctx.ours.king) || UNLIKELY(popcount(ctx.ours.knight) > 7)) return sum_made_moves(p, us);
    const Pins our_pins = find_pins(&ctx.ours, &ctx.theirs, ctx.occ);
    const KingLines their_lines = find_king_lines(&ctx, them);
    const KingZone zone = find_king_zone(&ctx, us, &their_lines);
    const NullMoveReplies null_move = find_null_move_replies(&ctx, them, their_rays, their_lines.pins, zone.king_moves);

    PromotionSum promotions = {&ctx, &their_lines, &zone, &null_move, {{0}}, 0};
    SumState state = sum_state(&ctx, &their_lines, &zone, &null_move, &promotions, us);
    add_all_pieces(&state, us, &our_pins);
    add_king_moves(&state, us, &our_pins, attacked);
    add_all_pawns(&state, us, &our_pins);
    state.sum += sum_destinations(&ctx, &null_move, them, &state.destinations);
    if (UNLIKELY(forward(ctx.ours.pawn, us) & last_rank(us))) state.sum += sum_promotions(&promotions, us);
    assert(state.sum >= 0);
    return (uint64_t)state.sum;
}

/* The number of legal moves of `us`, whose turn it is. */
INLINE uint64_t delta_last_one(const Position *p, Colour us) {
    return count_replies(p, us);
}
