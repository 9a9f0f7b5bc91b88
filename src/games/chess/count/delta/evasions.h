/* SPDX-License-Identifier: MIT */
/*
 * Their replies to a check by the piece that moved, and by no other: the king steps away, or another piece interposes
 * or captures the checker. The move need not be made: the squares that end the check are known.
 *
 *      k . g g C        g and C are the targets; every unpinned piece of theirs that reaches one is a reply.
 *
 * A pinned piece never ends a check: its line and the line of the check share only the king.
 */
#pragma once
#include "king_moves.h"
#include "replies.h"

/* The moves of their pieces that are in `able` to target squares. `checker`: pawns capture there, and push to the
   other target squares. */
INLINE int count_moves_to(const DeltaContext *ctx, Colour them, Bits able, Bits targets, Bits checker, Bits empty) {
    const SidePieces *side = &ctx->theirs;
    assert(targets && !(targets & side->all & able));
    const Bits pawns = side->pawn & able, end = last_rank(them);
    const Bits step = forward(pawns, them) & empty, push = step & targets;
    const Bits double_push = forward(step & third_rank(them), them) & empty & targets;
    const Bits east = pawn_east_attacks(pawns, them) & checker, west = pawn_west_attacks(pawns, them) & checker;
    int n = popcount(push) + popcount(double_push) + popcount(east) + popcount(west);
    if (UNLIKELY((push | checker) & end)) n += 3 * (popcount(push & end) + popcount(east & end) + popcount(west & end));
    /* One target is asked for its attackers; with several, each piece is asked for its attacks. */
    if (more_than_one(targets)) {
        EACH (knight, side->knight & able) n += popcount(knight_attacks[knight] & targets);
        return n + count_slider_moves(side->orth & able, side->diag & able, ~empty, targets);
    }
    const int target = lsb(targets);
    return n + popcount(rook_attacks(target, ~empty) & side->orth & able) +
           popcount(bishop_attacks(target, ~empty) & side->diag & able) +
           popcount(knight_attacks[target] & side->knight & able);
}

/* `attacked`: what we attack of the zone after the checker left its square. `pinned`: the squares of all pins. */
INLINE int evasions_after(const DeltaContext *ctx, const KingZone *zone, Colour us, PieceMove m, Bits attacked,
                          Bits pinned) {
    const int to = lsb(m.to);
    const Bits occ = (ctx->occ ^ m.from) | m.to;
    attacked = attacked_after_move(ctx, zone, us, m, attacked);
    const Bits targets = m.type == KNIGHT ? m.to : squares_between[ctx->theirs.king_square][to];
    assert(targets & m.to);
    return popcount(zone->ring & ~(ctx->theirs.all & ~m.to) & ~attacked) +
           count_moves_to(ctx, (Colour)!us, ~(pinned | m.to), targets, m.to, ~occ);
}

NOINLINE int evasions_after_white(const DeltaContext *ctx, const KingZone *zone, const PieceMove *m, Bits attacked,
                                  Bits pinned) {
    return evasions_after(ctx, zone, WHITE, *m, attacked, pinned);
}
NOINLINE int evasions_after_black(const DeltaContext *ctx, const KingZone *zone, const PieceMove *m, Bits attacked,
                                  Bits pinned) {
    return evasions_after(ctx, zone, BLACK, *m, attacked, pinned);
}
INLINE int count_evasions(const DeltaContext *ctx, const KingZone *zone, Colour us, PieceMove m, Bits attacked,
                          Bits pinned) {
    return us == WHITE ? evasions_after_white(ctx, zone, &m, attacked, pinned)
                       : evasions_after_black(ctx, zone, &m, attacked, pinned);
}
