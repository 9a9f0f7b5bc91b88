/* SPDX-License-Identifier: MIT */
#include "upcoming.h"

#include <string.h>

/* The slot of a number, or the empty one that it would be in. Less than half of them are full. */
static unsigned find_slot(const UpcomingTable *u, uint64_t difference) {
    unsigned slot = difference % UPCOMING_SLOTS;
    while (u->difference[slot] && u->difference[slot] != difference) slot = (slot + 1) % UPCOMING_SLOTS;
    return slot;
}

void upcoming_init(UpcomingTable *u, const Zobrist *z) {
    memset(u, 0, sizeof *u);
    for (Colour c = WHITE; c <= BLACK; c++)
        for (PieceType type = KNIGHT; type <= KING; type++)
            for (int a = 0; a < 64; a++)
                EACH (b, piece_attacks(c, type, a, 0) & ~(Bits)0 << a) {
                    const uint64_t difference = z->piece[c][type][a][1] ^ z->piece[c][type][b][1] ^ z->black_to_move[1];
                    const unsigned slot = find_slot(u, difference);
                    assert(difference && !u->difference[slot]); /* 0 is an empty slot, and each is of one move */
                    u->difference[slot] = difference, u->squares[slot] = (uint16_t)(a | b << 6);
                }
}

bool upcoming_finds_move(const UpcomingTable *u, const Position *p, uint64_t difference) {
    const unsigned slot = find_slot(u, difference);
    if (!u->difference[slot]) return false;
    const int a = u->squares[slot] & 63, b = u->squares[slot] >> 6;
    const Bits path = squares_between[a][b] & ~bit(b); /* squares_between holds its second square */
    return !(path & occupied(p)) && (p->side[p->turn] & (bit(a) | bit(b)));
}
