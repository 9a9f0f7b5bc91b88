/* SPDX-License-Identifier: MIT */
/*
 * How many of our moves go to each square: sixty-four counters of four bits, kept as four sets, bit i of every counter
 * in digit[i]. Adding a set of destinations is binary addition with carry, for all squares at once:
 *
 *      digit[3] . . . . . . . .     carry out of digit[2]
 *      digit[2] . . . 1 . . . .     carry out of digit[1]
 *      digit[1] . 1 . . . . . .     carry: digit[0] and the new set
 *      digit[0] . 1 1 . . 1 . .     xor the new set
 *
 * Fifteen moves to one square is the most it can hold; sums.h keeps positions with eight knights out.
 */
#pragma once
#include "base/bits.h"

typedef struct {
    Bits digit[4];
} Tally;

INLINE void tally_add(Tally *c, Bits to) {
    Bits carry = c->digit[0] & to, next;
    c->digit[0] ^= to;
    next = c->digit[1] & carry;
    c->digit[1] ^= carry;
    carry = c->digit[2] & next;
    c->digit[2] ^= next;
    c->digit[3] |= carry;
}
INLINE int64_t tally_total(const Tally *c) {
    return count(c->digit[0]) + 2 * count(c->digit[1]) + 4 * count(c->digit[2]) + 8 * count(c->digit[3]);
}
INLINE int tally_at(const Tally *c, int square) {
    return (int)((c->digit[0] >> square & 1) + 2 * (c->digit[1] >> square & 1) + 4 * (c->digit[2] >> square & 1) +
                 8 * (c->digit[3] >> square & 1));
}
