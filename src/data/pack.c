/* SPDX-License-Identifier: MIT */
#include "data/pack.h"

#include "data/board.h"

enum { UNMOVED_ROOK = 6, BLACK_MAN = 8 };

void data_pack(DataPacked *out, const DataRecord *r) {
    const Position *p = &r->position;
    const Bits rights = castling_rooks(p, WHITE) | castling_rooks(p, BLACK);
    DataBoard b = {.occupied = occupied(p)};
    EACH (square, b.occupied) {
        const unsigned kind = rights & bit((int)square) ? UNMOVED_ROOK : (unsigned)kind_at(p, (int)square);
        b.man[b.n++] = (uint8_t)(kind | (p->side[BLACK] & bit((int)square) ? BLACK_MAN : 0));
    }
    *out = (DataPacked){.occupied = b.occupied,
                        .turn_ep = (uint8_t)(p->turn << 7 | p->ep),
                        .result_first = (uint8_t)((r->result + 1) << 1 | r->first),
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
        const unsigned man = in->man[i / 2] >> 4 * (i % 2) & 15, kind = man & ~(unsigned)BLACK_MAN;
        const Colour c = man & BLACK_MAN ? BLACK : WHITE;
        position_put(p, (int)square, c, kind == UNMOVED_ROOK ? ROOK : (Kind)kind);
        if (kind == UNMOVED_ROOK) p->castle[c] |= (uint8_t)(1u << square_file((int)square));
        i++;
    }
    r->move = in->move;
    r->score = in->score;
    r->opening = in->opening;
    r->ply = in->ply;
    r->result = (int8_t)((in->result_first >> 1) - 1);
    r->first = in->result_first & 1;
}
