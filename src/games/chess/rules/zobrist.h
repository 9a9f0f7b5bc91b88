/* SPDX-License-Identifier: MIT */
/*
 * The 128-bit Zobrist key of a position: two independent 64-bit halves. One half chooses a table's bucket, the other
 * is kept in the entry, so what is compared never repeats what is already known (Zobrist, 1970; on the width:
 * a 64-bit key alone gives false hits from about 1e11 probes on).
 *
 * The random numbers come from a seed, so that a count can be confirmed by a second run with other keys.
 */
#pragma once
#include "position.h"

/* key[0] indexes, key[1] checks. */
typedef uint64_t Key __attribute__((vector_size(16)));

typedef struct {
    Key piece[2][6][64]; /* [colour][piece type][square] */
    Key castle[2][8];    /* [colour][file of the rook] */
    Key ep[8];           /* [file] */
    Key black_to_move;
} Zobrist;

/* Fills the tables. Any seed is good; the same seed gives the same keys on every machine. */
void zobrist_init(Zobrist *z, uint64_t seed);

/* The identity of a table that is keyed by them (tabia/table.h). Seeds are common to all games, so that the keys of one
   may be those of another: their tables must not be joined. */
INLINE uint64_t zobrist_identity(uint64_t seed) {
    return seed;
}

/* The key of a position, computed from all pieces. key_after() computes it from the key before a move. */
Key zobrist_key(const Zobrist *z, const Position *p);

INLINE bool key_same(Key a, Key b) {
    return a[0] == b[0] && a[1] == b[1];
}

/* The part of the key that a set of castling rights gives. */
INLINE Key zobrist_castling(const Zobrist *z, Colour c, unsigned files) {
    Key key = {0, 0};
    assert(files < 1 << 8);
    EACH (file, files) key ^= z->castle[c][file];
    return key;
}
