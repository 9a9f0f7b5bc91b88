/* SPDX-License-Identifier: MIT */
#include "cuckoo.h"

#include <string.h>

static unsigned first_slot(uint64_t difference) {
    return difference & (CUCKOO_SLOTS - 1);
}
static unsigned second_slot(uint64_t difference) {
    return difference >> 16 & (CUCKOO_SLOTS - 1);
}

/* Inserts a number; each one that it evicts moves to its other slot. */
static void insert(CuckooTable *u, uint64_t difference, uint16_t squares) {
    unsigned slot = first_slot(difference);
    assert(difference); /* 0 is an empty slot */
    for (int evictions = 0; evictions < 10000; evictions++) {
        const uint64_t evicted = u->difference[slot];
        const uint16_t evicted_squares = u->squares[slot];
        u->difference[slot] = difference, u->squares[slot] = squares;
        if (!evicted) return;
        difference = evicted, squares = evicted_squares;
        slot = slot == first_slot(difference) ? second_slot(difference) : first_slot(difference);
    }
    assert(!"the cuckoo table is full");
}

void cuckoo_init(CuckooTable *u, const Zobrist *z) {
    memset(u, 0, sizeof *u);
    for (Colour c = WHITE; c <= BLACK; c++)
        for (PieceType type = KNIGHT; type <= KING; type++)
            for (int a = 0; a < 64; a++)
                EACH (b, piece_attacks(c, type, a, 0) & ~(Bits)0 << a) {
                    const uint64_t difference = z->piece[c][type][a][1] ^ z->piece[c][type][b][1] ^ z->black_to_move[1];
                    insert(u, difference, (uint16_t)(a | b << 6));
                }
}

bool cuckoo_finds_move(const CuckooTable *u, const Position *p, uint64_t difference) {
    unsigned slot = first_slot(difference);
    if (u->difference[slot] != difference) slot = second_slot(difference);
    if (u->difference[slot] != difference) return false;
    const int a = u->squares[slot] & 63, b = u->squares[slot] >> 6;
    const Bits path = squares_between[a][b] & ~bit(b); /* squares_between holds its second square */
    return !(path & occupied(p)) && (p->side[p->turn] & (bit(a) | bit(b)));
}
