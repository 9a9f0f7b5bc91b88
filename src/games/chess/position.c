/* SPDX-License-Identifier: MIT */
#include "position.h"

#include <stddef.h>
#include <string.h>

bool position_same(const Position *a, const Position *b) {
    return memcmp(a, b, offsetof(Position, halfmove)) == 0;
}

/* The board as that side sees it, its own first rank lowest. */
static Bits own_view(Bits set, Colour c) {
    return c == WHITE ? set : __builtin_bswap64(set);
}

Kinship position_kinship(const Position *p) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    return (Kinship){{own_view(p->pawn & p->side[us], us), own_view(p->side[us], us),
                      own_view(p->pawn & p->side[them], them), own_view(p->side[them], them)}};
}
