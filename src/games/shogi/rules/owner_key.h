/* SPDX-License-Identifier: MIT */
/*
 * What a position's owner among the ranks of a count is found from, coarser and finer: the pieces of the side that has
 * just moved (why that side: distributed/perft/distributed_perft.h).
 *
 * The fewer squares are looked at, the more surely do parents of one position have the same owner: a capture by the
 * other side, the one thing that distinguishes their pieces, seldom strikes on the last rank of its board. But then few
 * values share all the positions, so that finer levels divide what the coarse ones leave too heavy:
 *
 *     level  0  own pieces on the last rank, where they begin
 *            1  on the last two
 *            2  on three
 *            3  on four
 *            4  all own pieces
 *
 * Whether they are promoted, and what is in hand, is not looked at.
 */
#pragma once
#include "position.h"

enum { OWNER_LEVELS = 5 };

/* All pieces of the side that moved, after its move. */
typedef struct {
    Squares pieces;
    Colour side;
} OwnerKey;

/* The key of p, if us moved last. */
INLINE OwnerKey owner_key_of(const Position *p, Colour us) {
    return (OwnerKey){p->side[us], us};
}

/* After a move of us, whose turn it is, without playing it. */
INLINE OwnerKey owner_key_after(const Position *p, Colour us, UnpackedMove m) {
    const Squares from = m.flag == DROP ? 0 : square_bit(m.from);
    return (OwnerKey){(p->side[us] & ~from) | square_bit(m.to), us};
}

/* What a level looks at, in one word. */
INLINE uint64_t owner_key_value(OwnerKey key, unsigned level) {
    const int ranks = level + 1 < OWNER_LEVELS ? (int)level + 1 : RANKS;
    const Squares seen = key.pieces & last_ranks((Colour)!key.side, ranks);
    return lower_word(seen) ^ upper_word(seen) * 0xd6e8feb86659fd93ull;
}
