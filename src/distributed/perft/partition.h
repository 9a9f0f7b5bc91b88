/* SPDX-License-Identifier: MIT */
/*
 * Which rank owns a position: by a value that the game takes from the side that has just moved (rules/owner_key.h), one
 * of few values at the first level, of ever more at finer ones.
 *
 * The coarser the level, the more surely do parents of one position have the same owner; but then few values share all the
 * positions, and one MPI rank may own half of the work. So rank 0 draws a sample of positions and begins with the
 * coarsest; a value that has more than a part of a rank's work is divided by the next finer level, and so on:
 *
 *     level  0     [ . x . . ^ . ]   x: an owner, ^: look at the next level
 *                            |
 *            1, 2, [ . . ^ . x . ]
 *            ...         |
 *            last  [ x . . . . . ]
 *
 * Slots (values, hashed) go to ranks from the heaviest down, each to the rank that has least. The map fits one message.
 */
#pragma once
#include "perft/frontier.h"
#include "rules/owner_key.h"

enum {
    PARTITION_LEVELS = OWNER_LEVELS,
    PARTITION_SLOT_BITS = 10,
    PARTITION_SLOTS = 1 << PARTITION_SLOT_BITS,
    PARTITION_NEXT_LEVEL = 0xffff
};

typedef struct {
    uint16_t owner[PARTITION_LEVELS][PARTITION_SLOTS]; /* or PARTITION_NEXT_LEVEL */
} PartitionMap;

INLINE OwnerKey owner_key_of_move(const Position *p, Move m) {
    return owner_key_after(p, (Colour)p->turn, position_unpack_move(p, m));
}

/* The slot at a level. (Multiplicative hashing: Donald Knuth, "Sorting and Searching", 1973, 6.4.) */
INLINE unsigned partition_slot(OwnerKey key, unsigned level) {
    return (unsigned)(owner_key_value(key, level) * 0x9e3779b97f4a7c15ull >> (64 - PARTITION_SLOT_BITS));
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
    return partition_owner(map, owner_key_of(p, us));
}

/* One rank owns everything. */
void partition_fill(PartitionMap *map, unsigned rank);

/* Balances the slots over 1 to 65,534 ranks, for leaf parents that stand `plies` below the units of f. False with an
   error when memory is out. The same f gives the same map. */
bool partition_build(PartitionMap *map, const Frontier *f, int plies, unsigned ranks, TabiaError *error);
