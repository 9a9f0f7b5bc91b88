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
}

Key zobrist_key(const Zobrist *z, const Position *p) {
    Key key = {0, 0};
    for (Colour c = WHITE; c <= BLACK; c++) {
        EACH (s, p->side[c]) key ^= z->piece[c][piece_type_at(p, (int)s)][s];
        key ^= zobrist_castling(z, c, p->castle[c]);
    }
    if (p->ep) key ^= z->ep[file_of(p->ep)];
    if (p->turn == BLACK) key ^= z->black_to_move;
    return key;
}
