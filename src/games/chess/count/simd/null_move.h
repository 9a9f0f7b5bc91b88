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

INLINE int null_move_pawn_replies(const Mobility *m, const ParentContext *c, Colour b) {
    const Bits east = m->east_attacks & c->a.all, west = m->west_attacks & c->a.all, end = last_rank(b);
    int n = popcount(m->pushes) + popcount(m->double_pushes) + popcount(east) + popcount(west);
    if (UNLIKELY(c->promotes)) n += 3 * (popcount(m->pushes & end) + popcount(east & end) + popcount(west & end));
    return n;
}

/* The replies by king and pawns. */
INLINE uint64_t null_move_replies(const Mobility *m, const ParentContext *c, BitsVector attacked, Bits pinned,
                                  Colour b) {
    const int n = null_move_king_replies(c, parent_attacks(c, attacked, b), pinned) + null_move_pawn_replies(m, c, b);
    assert(n >= 0);
    return (uint64_t)n;
}

/* The replies by the others, summed in lanes. */
INLINE BitsVector null_move_piece_replies(const Mobility *m, const ParentContext *c) {
    return popcount_lanes(m->slider_attacks & ~c->b.all) + popcount_lanes(m->knight_attacks & ~c->b.all);
}
