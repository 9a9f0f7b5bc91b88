/* SPDX-License-Identifier: MIT */
#include "position.h"

#include <stddef.h>
#include <string.h>

bool position_same(const Position *a, const Position *b) {
    return memcmp(a, b, offsetof(Position, halfmove)) == 0;
}

Position position_flipped(const Position *p) {
    Position f = *p;
    f.side[WHITE] = __builtin_bswap64(p->side[BLACK]), f.side[BLACK] = __builtin_bswap64(p->side[WHITE]);
    f.pawn = __builtin_bswap64(p->pawn), f.knight = __builtin_bswap64(p->knight), f.king = __builtin_bswap64(p->king);
    f.diag = __builtin_bswap64(p->diag), f.orth = __builtin_bswap64(p->orth);
    f.castle[WHITE] = p->castle[BLACK], f.castle[BLACK] = p->castle[WHITE];
    f.ep = p->ep ? p->ep ^ 56 : 0;
    f.turn = !p->turn;
    return f;
}

/* The set as that side sees the board, its own first rank lowest. */
static Bits own_view(Bits set, Colour c) {
    return c == WHITE ? set : __builtin_bswap64(set);
}

LocalityKey position_locality_key(const Position *p) {
    const Colour us = (Colour)p->turn, them = (Colour)!us;
    return (LocalityKey){{own_view(p->pawn & p->side[us], us), own_view(p->side[us], us),
                          own_view(p->pawn & p->side[them], them), own_view(p->side[them], them)}};
}
