/* SPDX-License-Identifier: MIT */
/*
 * Which rank is home to a position: by what stands of the side that has just moved (why that side: ranks.h).
 *
 * The fewer squares are looked at, the more surely do parents of one position have the same home: a capture by the
 * other side, the one thing that tells their men apart, seldom strikes on the first rank. But then few values share all
 * the positions, and one rank may have half of the work. So rank 0 draws a sample of positions and begins with the
 * first rank of the board; a value that more than a part of a rank's work has is told apart by the next finer view, and
 * so on:
 *
 *     level  0  own men on the first rank    [ . x . . ^ . ]     x: home to that rank, ^: look at the next level
 *            1  and own pawns on the second        |
 *            2  own men on two ranks          [ . . ^ . x . ]
 *            3  on three                            |
 *            4  all own men                   [ x . . . . . ]
 *
 * Slices (values, hashed) go to ranks from the heaviest down, each to the rank that has least. The map fits one
 * message.
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
    uint16_t rank[PARTITION_LEVELS][PARTITION_SLOTS]; /* or PARTITION_NEXT_LEVEL */
} PartitionMap;

_Static_assert(sizeof(PartitionMap) == 10240, "a map fits one message");

/* The board as its owner sees it: all men and pawns of the side that moved, after its move. */
typedef struct {
    Bits men, pawns;
} OwnerKey;

INLINE OwnerKey owner_key_of(Colour us, Bits men, Bits pawns) {
    if (us == WHITE) return (OwnerKey){men, pawns};
    return (OwnerKey){__builtin_bswap64(men), __builtin_bswap64(pawns)};
}

/* After a move of us, whose turn it is. What is a constant folds away. */
INLINE OwnerKey owner_key_after(const Position *p, Colour us, Kind kind, int from, int to, int flag) {
    const Bits men = p->side[us] ^ bit(from), pawns = p->side[us] & p->pawn;
    if (flag == CASTLING) {
        const Bits landed = bit(castled_king(us, to > from)) | bit(castled_rook(us, to > from));
        return owner_key_of(us, (men ^ bit(to)) | landed, pawns);
    }
    if (kind != PAWN) return owner_key_of(us, men | bit(to), pawns);
    return owner_key_of(us, men | bit(to), (pawns ^ bit(from)) | (bit(to) & ~last_rank(us)));
}

INLINE OwnerKey owner_key_of_move(const Position *p, Move m) {
    return owner_key_after(p, (Colour)p->turn, kind_looked_up(p, move_from(m)), move_from(m), move_to(m), move_flag(m));
}

/* The slice at a level. (A number is multiplied by the golden section, and its highest digits are taken: Donald Knuth,
   "Sorting and Searching", 1973, 6.4.) */
INLINE unsigned partition_slot(OwnerKey v, unsigned level) {
    static const Bits ranks[PARTITION_LEVELS] = {0xff, 0xff, 0xffff, 0xffffff, ~(Bits)0};
    const uint64_t seen = (v.men & ranks[level]) + (level == 1 ? v.pawns & 0xff00 : 0);
    return (unsigned)(seen * 0x9e3779b97f4a7c15ull >> (64 - PARTITION_SLOT_BITS));
}

/* Which of the first two levels says it cannot be foreseen, so both are asked. */
INLINE unsigned partition_owner(const PartitionMap *map, OwnerKey v) {
    const unsigned first = map->rank[0][partition_slot(v, 0)], second = map->rank[1][partition_slot(v, 1)];
    unsigned level = 1, rank = first == PARTITION_NEXT_LEVEL ? second : first;
    while (rank == PARTITION_NEXT_LEVEL) level++, rank = map->rank[level][partition_slot(v, level)];
    return rank;
}

/* The home of most children of the positions `plies` below p: of those whose moves, on the way and there, are not seen
   in their view. */
INLINE unsigned partition_majority_owner(const PartitionMap *map, const Position *p, int plies) {
    const Colour us = (Colour)((p->turn + plies) & 1);
    return partition_owner(map, owner_key_of(us, p->side[us], p->side[us] & p->pawn));
}

/* One rank is home to everything. */
void partition_fill(PartitionMap *map, unsigned rank);

/* Balances the slices over up to 65,534 ranks, for families whose parents stand `plies` below the units of f. False
   with a fault when memory is out. The same f gives the same map. */
bool partition_build(PartitionMap *map, const Frontier *f, int plies, unsigned ranks, Fault *fault);
