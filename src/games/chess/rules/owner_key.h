/* SPDX-License-Identifier: MIT */
/*
 * What a position's owner among the ranks of a count is found from, coarser and finer: the pieces of the side that has
 * just moved (why that side: distributed/perft/distributed_perft.h).
 *
 * The fewer squares are looked at, the more surely do parents of one position have the same owner: a capture by the
 * other side, the one thing that distinguishes their pieces, seldom strikes on the first rank of the board. But then few
 * values share all the positions, so that finer levels divide what the coarse ones leave too heavy:
 *
 *     level  0  own pieces on the first rank of the board
 *            1  and own pawns on the second
 *            2  own pieces on two ranks of the board
 *            3  on three
 *            4  all own pieces
 *
 * ("Pieces" are kings to pawns here.)
 */
#pragma once
#include "position.h"

enum { OWNER_LEVELS = 5 };

/* All pieces, and the pawns, of the side that moved, after its move, as white sees them. */
typedef struct {
    Bits pieces, pawns;
} OwnerKey;

INLINE OwnerKey owner_key_of_pieces(Colour us, Bits pieces, Bits pawns) {
    if (us == WHITE) return (OwnerKey){pieces, pawns};
    return (OwnerKey){__builtin_bswap64(pieces), __builtin_bswap64(pawns)};
}

/* The key of p, if us moved last. */
INLINE OwnerKey owner_key_of(const Position *p, Colour us) {
    return owner_key_of_pieces(us, p->side[us], p->side[us] & p->pawn);
}

/* After a move of us, whose turn it is, without playing it. Constant arguments fold away. */
INLINE OwnerKey owner_key_after(const Position *p, Colour us, UnpackedMove m) {
    const Bits from = bit(m.from), to = bit(m.to), pieces = p->side[us] ^ from, pawns = p->side[us] & p->pawn;
    if (m.flag == CASTLING) {
        const Bits landed = bit(castled_king(us, m.to > m.from)) | bit(castled_rook(us, m.to > m.from));
        return owner_key_of_pieces(us, (pieces ^ to) | landed, pawns);
    }
    if (m.type != PAWN) return owner_key_of_pieces(us, pieces | to, pawns);
    return owner_key_of_pieces(us, pieces | to, (pawns ^ from) | (to & ~last_rank(us)));
}

/* What a level looks at. */
INLINE uint64_t owner_key_value(OwnerKey key, unsigned level) {
    static const Bits squares[OWNER_LEVELS] = {0xff, 0xff, 0xffff, 0xffffff, ~(Bits)0};
    return (key.pieces & squares[level]) + (level == 1 ? key.pawns & 0xff00 : 0);
}
