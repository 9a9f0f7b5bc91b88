/* SPDX-License-Identifier: MIT */
#include "records/compact.h"

#include <assert.h>
#include <string.h>

#include "records/board.h"

void position_to_compact(const Position *p, uint8_t out[COMPACT_POSITION_BYTES]) {
    const Bits all = occupied(p);
    memcpy(out, &all, 8);
    data_board_encode_position(p, out + 8);
    memcpy(out + 24, &p->halfmove, 2);
    memcpy(out + 26, &p->fullmove, 2);
    out[28] = (uint8_t)(p->turn << 7 | p->ep);
}

void position_from_compact(Position *p, const uint8_t in[COMPACT_POSITION_BYTES]) {
    Bits occupied;
    unsigned i = 0;
    memcpy(&occupied, in, 8);
    assert(popcount(occupied) <= 32);
    *p = (Position){.turn = in[28] >> 7, .ep = in[28] & 127};
    memcpy(&p->halfmove, in + 24, 2);
    memcpy(&p->fullmove, in + 26, 2);
    EACH (square, occupied) {
        const unsigned code = in[8 + i / 2] >> 4 * (i % 2) & 15, type = code & ~(unsigned)DATA_BLACK_PIECE;
        const Colour c = code & DATA_BLACK_PIECE ? BLACK : WHITE;
        position_put(p, (int)square, c, type == DATA_UNMOVED_ROOK ? ROOK : (PieceType)type);
        if (type == DATA_UNMOVED_ROOK) p->castle[c] |= (uint8_t)(1u << file_of((int)square));
        i++;
    }
}
