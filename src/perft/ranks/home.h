/* SPDX-License-Identifier: MIT */
/* The rank at which a position's count is known: by the pawns of the side that has just moved (why: ranks.h). */
#pragma once
#include "movegen.h"

/* By those pawns. */
INLINE unsigned home_of(Bits pawns, unsigned ranks) {
    uint64_t mixed = (pawns ^ pawns >> 29) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93ull;
    return (unsigned)((unsigned __int128)mixed * ranks >> 64);
}

/* The same of the position after a move of p's side to move. A pawn that moves to the last rank is one no more. */
INLINE Bits pawns_after(const Position *p, Move m) {
    const Bits own = p->pawn & p->side[p->turn], from = bit(move_from(m)), to = bit(move_to(m));
    if (!(own & from)) return own;
    return (own ^ from) | (to & ~last_rank((Colour)p->turn));
}
