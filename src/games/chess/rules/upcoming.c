/* SPDX-License-Identifier: MIT */
#include "upcoming.h"

#include <assert.h>
#include <string.h>

static unsigned slot_one(uint64_t difference) {
    return difference & (UPCOMING_SLOTS - 1);
}
static unsigned slot_two(uint64_t difference) {
    return difference >> 16 & (UPCOMING_SLOTS - 1);
}

/* Puts one in, moving others to their second place as long as it takes. */
static void insert(Upcoming *u, uint64_t difference, uint16_t squares) {
    unsigned at = slot_one(difference);
    for (int turns = 0; turns < 10000; turns++) {
        const uint64_t out = u->difference[at];
        const uint16_t out_squares = u->squares[at];
        u->difference[at] = difference, u->squares[at] = squares;
        if (!out) return;
        difference = out, squares = out_squares;
        at = at == slot_one(difference) ? slot_two(difference) : slot_one(difference);
    }
    assert(!"the cuckoo table is full");
}

static Bits reach(Kind kind, int s) {
    switch (kind) {
    case KNIGHT:
        return knight_attacks[s];
    case BISHOP:
        return bishop_lines[s];
    case ROOK:
        return rook_lines[s];
    case QUEEN:
        return bishop_lines[s] | rook_lines[s];
    default:
        return king_attacks[s];
    }
}

void upcoming_init(Upcoming *u, const Zobrist *z) {
    memset(u, 0, sizeof *u);
    for (Colour c = WHITE; c <= BLACK; c++)
        for (Kind kind = KNIGHT; kind <= KING; kind++)
            for (int a = 0; a < 64; a++)
                EACH (b, reach(kind, a) & ~(Bits)0 << a) {
                    const uint64_t difference = z->man[c][kind][a][1] ^ z->man[c][kind][b][1] ^ z->black_to_move[1];
                    insert(u, difference, (uint16_t)(a | b << 6));
                }
}

bool upcoming_move(const Upcoming *u, const Position *p, uint64_t difference) {
    unsigned at = slot_one(difference);
    if (u->difference[at] != difference) at = slot_two(difference);
    if (u->difference[at] != difference) return false;
    const int a = u->squares[at] & 63, b = u->squares[at] >> 6;
    const Bits way = squares_between[a][b] & ~bit(b); /* squares_between holds its second square */
    return !(way & occupied(p)) && (p->side[p->turn] & (bit(a) | bit(b)));
}
