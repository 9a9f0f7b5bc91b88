/* SPDX-License-Identifier: MIT */
/*
 * The 128-bit Zobrist key of a position: two independent 64-bit halves. One half chooses a table's bucket, the other
 * is kept in the entry, so what is compared never repeats what is already known.
 *
 * A key is the XOR of a part for the board with the side to move, and one for the hands. XORing the latter away leaves
 * what two positions have in common that differ in their hands alone: a superior or inferior repetition.
 *
 * The random numbers come from a seed, so that a count can be confirmed by a second run with other keys.
 */
#pragma once
#include "position.h"

/* key[0] indexes, key[1] checks. */
typedef uint64_t Key __attribute__((vector_size(16)));

enum { HAND_COUNTS = 19 }; /* 0 to 18 */

typedef struct {
    Key piece[2][14][BOARD_SQUARES];      /* [colour][piece type, which may be promoted][square] */
    Key hand[2][HAND_TYPES][HAND_COUNTS]; /* [colour][piece type][number]; of number 0 nothing */
    Key white_to_move;
} Zobrist;

/* Fills the tables. Any seed is good; the same seed gives the same keys on every machine. */
void zobrist_init(Zobrist *z, uint64_t seed);

/* The identity of a table that is keyed by them (tabia/table.h). Seeds are common to all games, so that the keys of one
   may be those of another: their tables must not be joined. */
INLINE uint64_t zobrist_identity(uint64_t seed) {
    return seed ^ 0x73686f676900; /* "shogi" */
}

/* The key of a position, computed from all pieces. key_after() computes it from the key before a move. */
Key zobrist_key(const Zobrist *z, const Position *p);

/* The part of it that the hands give. */
Key zobrist_hands(const Zobrist *z, const Position *p);

INLINE bool key_same(Key a, Key b) {
    return a[0] == b[0] && a[1] == b[1];
}

/* What a key changes by when one piece comes into a hand or leaves it: `n` is the greater of the two numbers. */
INLINE Key zobrist_hand_step(const Zobrist *z, Colour c, PieceType type, unsigned n) {
    assert(n > 0 && n < HAND_COUNTS);
    return z->hand[c][type][n] ^ z->hand[c][type][n - 1];
}
