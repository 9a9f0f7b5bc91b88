/* SPDX-License-Identifier: MIT */
#include "zobrist.h"

#include <stddef.h>

#include "base/random.h"

void zobrist_init(Zobrist *z, uint64_t seed) {
    Key *keys = (Key *)z;
    for (size_t i = 0; i < sizeof *z / sizeof *keys; i++) {
        uint64_t index = random_next(&seed);
        keys[i] = (Key){index, random_next(&seed)};
    }
    for (int c = BLACK; c <= WHITE; c++)
        for (int t = 0; t < HAND_TYPES; t++) z->hand[c][t][0] = (Key){0, 0};
}

Key zobrist_hands(const Zobrist *z, const Position *p) {
    Key key = {0, 0};
    for (int c = BLACK; c <= WHITE; c++)
        for (int t = 0; t < HAND_TYPES; t++) key ^= z->hand[c][t][hand_count(p->hand[c], (PieceType)t)];
    return key;
}

Key zobrist_key(const Zobrist *z, const Position *p) {
    Key key = zobrist_hands(z, p);
    for (int c = BLACK; c <= WHITE; c++)
        EACH_SQUARE (s, p->side[c]) key ^= z->piece[c][piece_type_at(p, s)][s];
    if (p->turn == WHITE) key ^= z->white_to_move;
    return key;
}
