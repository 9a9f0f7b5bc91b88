/* SPDX-License-Identifier: MIT */
#include "data/pack.h"

#include "data/board.h"

void data_pack(DataPacked *out, const DataRecord *r) {
    const Position *p = &r->position;
    const DataBoard b = data_board_of(p);
    *out = (DataPacked){.occupied = b.occupied,
                        .turn_ep = (uint8_t)(p->turn << 7 | p->ep),
                        .flags = (uint8_t)((r->result + 1) << 2 | r->skip << 1 | r->first),
                        .move = r->move,
                        .score = r->score,
                        .opening = r->opening,
                        .ply = r->ply,
                        .halfmove = p->halfmove,
                        .fullmove = p->fullmove};
    data_board_put(&b, out->man);
}

void data_unpack(DataRecord *r, const DataPacked *in) {
    Position *p = &r->position;
    *p = (Position){
        .turn = in->turn_ep >> 7, .ep = in->turn_ep & 127, .halfmove = in->halfmove, .fullmove = in->fullmove};
    unsigned i = 0;
    EACH (square, in->occupied) {
        const unsigned man = in->man[i / 2] >> 4 * (i % 2) & 15, kind = man & ~(unsigned)DATA_BLACK_MAN;
        const Colour c = man & DATA_BLACK_MAN ? BLACK : WHITE;
        position_put(p, (int)square, c, kind == DATA_UNMOVED_ROOK ? ROOK : (Kind)kind);
        if (kind == DATA_UNMOVED_ROOK) p->castle[c] |= (uint8_t)(1u << square_file((int)square));
        i++;
    }
    r->move = in->move;
    r->score = in->score;
    r->opening = in->opening;
    r->ply = in->ply;
    r->result = (int8_t)((in->flags >> 2) - 1);
    r->skip = in->flags >> 1 & 1;
    r->first = in->flags & 1;
}
