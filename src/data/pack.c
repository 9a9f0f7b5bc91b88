/* SPDX-License-Identifier: MIT */
#include "data/pack.h"

#include <assert.h>

#include "data/board.h"

void data_pack(DataPackedRecord *out, const DataRecord *r) {
    assert(r->result >= -1 && r->result <= 1);
    const Position *p = &r->position;
    const DataPackedBoard b = data_board_from_position(p);
    *out = (DataPackedRecord){.occupied = b.occupied,
                              .turn_ep = (uint8_t)(p->turn << 7 | p->ep),
                              .flags = (uint8_t)((r->result + 1) << 2 | r->skip << 1 | r->starts_game),
                              .move = r->move,
                              .score = r->score,
                              .opening_eval = r->opening_eval,
                              .ply = r->ply,
                              .halfmove = p->halfmove,
                              .fullmove = p->fullmove};
    data_board_encode(&b, out->piece);
}

void data_unpack(DataRecord *r, const DataPackedRecord *in) {
    Position *p = &r->position;
    assert(popcount(in->occupied) <= 32 && in->flags >> 2 <= 2);
    *p = (Position){
        .turn = in->turn_ep >> 7, .ep = in->turn_ep & 127, .halfmove = in->halfmove, .fullmove = in->fullmove};
    unsigned i = 0;
    EACH (square, in->occupied) {
        const unsigned code = in->piece[i / 2] >> 4 * (i % 2) & 15, type = code & ~(unsigned)DATA_BLACK_PIECE;
        const Colour c = code & DATA_BLACK_PIECE ? BLACK : WHITE;
        position_put(p, (int)square, c, type == DATA_UNMOVED_ROOK ? ROOK : (PieceType)type);
        if (type == DATA_UNMOVED_ROOK) p->castle[c] |= (uint8_t)(1u << file_of((int)square));
        i++;
    }
    r->move = in->move;
    r->score = in->score;
    r->opening_eval = in->opening_eval;
    r->ply = in->ply;
    r->result = (int8_t)((in->flags >> 2) - 1);
    r->skip = in->flags >> 1 & 1;
    r->starts_game = in->flags & 1;
}
