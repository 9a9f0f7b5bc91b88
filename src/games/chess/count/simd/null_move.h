/* SPDX-License-Identifier: MIT */
/*
 * B's replies to a pass of A, without a lane: what the sets of effects.h already hold is added up. B is not in check,
 * as A's turn it was. Used where the pass would be alone in its eight lanes.
 */
#pragma once
#include "effects.h"

/* All that A hits in the parent. hit: by its sliders, a direction in each lane. */
INLINE Bits find_hit(const Shared *c, Boards hit, Colour b) {
    Bits all = union_of(hit) | pawn_hits(c->a.pawn, (Colour)!b) | king_attacks[first(c->a.king)];
    EACH (s, c->a.knight) all |= knight_attacks[s];
    return all;
}

INLINE int count_king_pass(const Shared *c, Bits hit, Bits pinned) {
    int n = count(c->near_king & ~(c->b.all | hit));
    for (int i = 0; i < 2; i++) {
        const Castle *k = &c->castle[i];
        n += k->rook && !((c->occ & k->path) | (hit & k->safe) | (pinned & k->rook));
    }
    return n;
}

INLINE int count_pawn_pass(const Mobility *m, const Shared *c, Colour b) {
    const Bits east = m->east & c->a.all, west = m->west & c->a.all, end = last_rank(b);
    int n = count(m->push1) + count(m->push2) + count(east) + count(west);
    if (UNLIKELY(c->promotes)) n += 3 * (count(m->push1 & end) + count(east & end) + count(west & end));
    return n;
}

INLINE uint64_t count_pass(const Mobility *m, const Shared *c, Boards hit, Bits pinned, Colour b) {
    int n = count_king_pass(c, find_hit(c, hit, b), pinned) + count_pawn_pass(m, c, b);
    EACH (s, c->b.knight & ~pinned) n += count(knight_attacks[s] & ~c->b.all);
    return (uint64_t)n + sum_of(counts(m->sight & ~c->b.all));
}
