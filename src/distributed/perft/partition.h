/* SPDX-License-Identifier: MIT */
/*
 * Which rank owns a position: by the pieces of the side that has just moved (why that side: distributed_perft.h).
 *
 * The fewer squares are looked at, the more surely do parents of one position have the same owner: a capture by the
 * other side, the one thing that distinguishes their pieces, seldom strikes on the first rank of the board. But then
 * few values share all the positions, and one MPI rank may own half of the work. So rank 0 draws a sample of positions
 * and begins with the first rank of the board; a value that has more than a part of a rank's work is divided by the
 * next finer level, and so on:
 *
 *     level  0  own pieces on the first rank of the board   [ . x . . ^ . ]   x: an owner, ^: look at the next level
 *            1  and own pawns on the second                       |
 *            2  own pieces on two ranks of the board        [ . . ^ . x . ]
 *            3  on three                                          |
 *            4  all own pieces                              [ x . . . . . ]
 *
 * Slots (values, hashed) go to ranks from the heaviest down, each to the rank that has least. The map fits one message.
 * ("Pieces" are kings to pawns here.)
 */
#pragma once
#include "perft/frontier.h"
#include "rules/make_move.h"

enum {
    PARTITION_LEVELS = 5,
    PARTITION_SLOT_BITS = 10,
    PARTITION_SLOTS = 1 << PARTITION_SLOT_BITS,
    PARTITION_NEXT_LEVEL = 0xffff
};

typedef struct {
    uint16_t owner[PARTITION_LEVELS][PARTITION_SLOTS]; /* or PARTITION_NEXT_LEVEL */
} PartitionMap;

_Static_assert(sizeof(PartitionMap) == 10240, "a map fits one message");

/* What the owner is found from: all pieces, and the pawns, of the side that moved, after its move, as white sees them.
   */
typedef struct {
    Bits pieces, pawns;
} OwnerKey;

INLINE OwnerKey owner_key_of(Colour us, Bits pieces, Bits pawns) {
    if (us == WHITE) return (OwnerKey){pieces, pawns};
    return (OwnerKey){__builtin_bswap64(pieces), __builtin_bswap64(pawns)};
}

/* After a move of us, whose turn it is, without playing it. Constant arguments fold away. */
INLINE OwnerKey owner_key_after(const Position *p, Colour us, UnpackedMove m) {
    const Bits from = bit(m.from), to = bit(m.to), pieces = p->side[us] ^ from, pawns = p->side[us] & p->pawn;
    if (m.flag == CASTLING) {
        const Bits landed = bit(castled_king(us, m.to > m.from)) | bit(castled_rook(us, m.to > m.from));
        return owner_key_of(us, (pieces ^ to) | landed, pawns);
    }
    if (m.type != PAWN) return owner_key_of(us, pieces | to, pawns);
    return owner_key_of(us, pieces | to, (pawns ^ from) | (to & ~last_rank(us)));
}

INLINE OwnerKey owner_key_of_move(const Position *p, Move m) {
    return owner_key_after(p, (Colour)p->turn, position_unpack_move(p, m));
}

/* The slot at a level. (Multiplicative hashing: Donald Knuth, "Sorting and Searching", 1973, 6.4.) */
INLINE unsigned partition_slot(OwnerKey key, unsigned level) {
    static const Bits squares[PARTITION_LEVELS] = {0xff, 0xff, 0xffff, 0xffffff, ~(Bits)0};
    const uint64_t value = (key.pieces & squares[level]) + (level == 1 ? key.pawns & 0xff00 : 0);
    return (unsigned)(value * 0x9e3779b97f4a7c15ull >> (64 - PARTITION_SLOT_BITS));
}

/* Which of the first two levels decides cannot be predicted, so both are read. */
INLINE unsigned partition_owner(const PartitionMap *map, OwnerKey key) {
    const unsigned first = map->owner[0][partition_slot(key, 0)], second = map->owner[1][partition_slot(key, 1)];
    unsigned level = 1, owner = first == PARTITION_NEXT_LEVEL ? second : first;
    while (owner == PARTITION_NEXT_LEVEL) level++, owner = map->owner[level][partition_slot(key, level)];
    return owner;
}

/* The owner of most children of the positions `plies` below p: of those whose moves, on the way and there, do not
   change their key. */
INLINE unsigned partition_majority_owner(const PartitionMap *map, const Position *p, int plies) {
    const Colour us = (Colour)((p->turn + plies) & 1);
    return partition_owner(map, owner_key_of(us, p->side[us], p->side[us] & p->pawn));
}

/* One rank owns everything. */
void partition_fill(PartitionMap *map, unsigned rank);

/* Balances the slots over 1 to 65,534 ranks, for leaf parents that stand `plies` below the units of f. False with an
   error when memory is out. The same f gives the same map. */
bool partition_build(PartitionMap *map, const Frontier *f, int plies, unsigned ranks, TabiaError *error);
