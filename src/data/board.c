/* SPDX-License-Identifier: MIT */
#include "data/board.h"

#include <string.h>

#include "notation/names.h"
#include "notation/validate.h"

bool data_board_get(DataBoard *b, uint64_t occupied, const uint8_t half_bytes[16], Fault *fault) {
    *b = (DataBoard){.occupied = occupied, .n = (unsigned)count(occupied)};
    if (b->n > 32) return tabia_fault(fault, "%u squares are occupied; there are at most 32 men", b->n);
    for (unsigned i = 0; i < 32; i++) {
        b->man[i] = half_bytes[i / 2] >> 4 * (i % 2) & 15;
        if (i >= b->n && b->man[i]) return tabia_fault(fault, "there is a man more than the %u occupied squares", b->n);
    }
    return true;
}

DataBoard data_board_of(const Position *p) {
    const Bits rights = castling_rooks(p, WHITE) | castling_rooks(p, BLACK);
    DataBoard b = {.occupied = occupied(p)};
    EACH (square, b.occupied) {
        const unsigned kind = rights & bit((int)square) ? DATA_UNMOVED_ROOK : (unsigned)kind_at(p, (int)square);
        b.man[b.n++] = (uint8_t)(kind | (p->side[BLACK] & bit((int)square) ? DATA_BLACK_MAN : 0));
    }
    return b;
}

void data_board_put(const DataBoard *b, uint8_t half_bytes[16]) {
    memset(half_bytes, 0, 16);
    for (unsigned i = 0; i < b->n; i++) half_bytes[i / 2] |= (uint8_t)(b->man[i] << 4 * (i % 2));
}

bool data_position_finish(Position *p, unsigned ep, Fault *fault) {
    Flaw flaw;
    p->ep = 0;
    if (!p->fullmove) p->fullmove = 1;
    if (!position_validate(p, fault)) return false;
    if (LIKELY(ep == NO_SQUARE)) return true;
    if (ep > NO_SQUARE) return tabia_fault(fault, "the en passant square has number %u; the last is 63", ep);
    if (!validate_ep(p, (int)ep, &flaw)) return tabia_fault(fault, "position, en passant: %s", flaw.reason);
    if (ep_is_legal(p, (Colour)p->turn, (int)ep)) p->ep = (uint8_t)ep;
    return true;
}

bool data_right_give(Position *p, Colour c, int square, Fault *fault) {
    if (!(home_rank(c) & bit(square)))
        return tabia_fault(fault, "the rook on %s is said to have the right to castle; it is not on %s's first rank",
                           square_name(square).text, colour_name(c));
    p->castle[c] = (uint8_t)(p->castle[c] | 1u << square_file(square));
    return true;
}
