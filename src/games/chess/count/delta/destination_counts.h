/* SPDX-License-Identifier: MIT */
/*
 * How many of our moves go to each square: 64 bit-sliced counters of four bits. Bit i of every counter is in digit[i].
 * Adding a set of destinations is a binary addition with carry, for all squares at once:
 *
 *      digit[3] . . . . . . . .     carry out of digit[2]
 *      digit[2] . . . 1 . . . .     carry out of digit[1]
 *      digit[1] . 1 . . . . . .     carry: digit[0] and the new set
 *      digit[0] . 1 1 . . 1 . .     xor the new set
 *
 * A counter holds at most 15 moves. delta.h counts positions with eight knights otherwise.
 */
#pragma once
#include <assert.h>

#include "base/bits.h"

typedef struct {
    Bits digit[4];
} DestinationCounts;

INLINE void destination_counts_add(DestinationCounts *counts, Bits to) {
    Bits carry = counts->digit[0] & to, next;
    counts->digit[0] ^= to;
    next = counts->digit[1] & carry;
    counts->digit[1] ^= carry;
    carry = counts->digit[2] & next;
    counts->digit[2] ^= next;
    assert(!(counts->digit[3] & carry));
    counts->digit[3] |= carry;
}
INLINE int64_t destination_counts_total(const DestinationCounts *counts) {
    return popcount(counts->digit[0]) + 2 * popcount(counts->digit[1]) + 4 * popcount(counts->digit[2]) +
           8 * popcount(counts->digit[3]);
}
INLINE int destination_counts_at(const DestinationCounts *counts, int square) {
    return (int)((counts->digit[0] >> square & 1) + 2 * (counts->digit[1] >> square & 1) +
                 4 * (counts->digit[2] >> square & 1) + 8 * (counts->digit[3] >> square & 1));
}
/* The squares that at least one move goes to. */
INLINE Bits destination_counts_squares(const DestinationCounts *counts) {
    return counts->digit[0] | counts->digit[1] | counts->digit[2] | counts->digit[3];
}
