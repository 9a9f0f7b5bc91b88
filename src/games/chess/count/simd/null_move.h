/* SPDX-License-Identifier: MIT */
/*
 * B's replies to a null move of A, from the sets that square_deltas.h has computed already. B is not in check, as it
 * was A's turn. Used instead of eight lanes for this one child.
 */
#pragma once
#include "square_deltas.h"

/* All that A attacks in the parent. attacked: by its sliders, a direction in each lane. */
INLINE Bits parent_attacks(const ParentContext *c, BitsVector attacked, Colour b) {
    return union_lanes(attacked | knight_attacks_of(c->a.knight)) | pawn_set_attacks(c->a.pawn, (Colour)!b) |
           king_attacks[lsb(c->a.king)];
}

INLINE int null_move_king_replies(const ParentContext *c, Bits attacked, Bits pinned) {
    int n = popcount(c->near_king & ~(c->b.all | attacked));
    for (int i = 0; i < 2; i++) {
        const ReplyCastling *k = &c->castle[i];
        n += k->rook && !((c->occ & k->path) | (attacked & k->safe) | (pinned & k->rook));
    }
    return n;
}

/* The replies by the others, summed in lanes. */
INLINE BitsVector null_move_piece_replies(const Mobility *m, const ParentContext *c, Colour b) {
    const BitsVector pawns = keep_lanes(PAWN_MOVE_LANES, m->pawn.moves);
    const BitsVector n = popcount_lanes(m->slider_attacks & ~c->b.all) + popcount_lanes(m->knight_attacks & ~c->b.all) +
                         popcount_lanes(pawns);
    return LIKELY(!c->promotes) ? n : n + three_times(popcount_lanes(pawns & last_rank(b)));
}
