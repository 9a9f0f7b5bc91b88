/* SPDX-License-Identifier: MIT */
#include "records/board.h"

#include <assert.h>
#include <string.h>

#include "notation/names.h"
#include "notation/validate.h"

bool data_board_decode(DataPackedBoard *b, uint64_t occupied, const uint8_t half_bytes[16], TabiaError *error) {
    *b = (DataPackedBoard){.occupied = occupied, .count = (unsigned)popcount(occupied)};
    if (b->count > 32) return tabia_fail(error, "%u squares are occupied; there are at most 32 pieces", b->count);
    for (unsigned i = 0; i < 32; i++) {
        b->piece[i] = half_bytes[i / 2] >> 4 * (i % 2) & 15;
        if (i >= b->count && b->piece[i])
            return tabia_fail(error, "there are more pieces than the %u occupied squares", b->count);
    }
    return true;
}

DataPackedBoard data_board_from_position(const Position *p) {
    const Bits rights = castling_rooks(p, WHITE) | castling_rooks(p, BLACK);
    DataPackedBoard b = {.occupied = occupied(p)};
    EACH (square, b.occupied) {
        const unsigned type = rights & bit((int)square) ? DATA_UNMOVED_ROOK : (unsigned)piece_type_at(p, (int)square);
        b.piece[b.count++] = (uint8_t)(type | (p->side[BLACK] & bit((int)square) ? DATA_BLACK_PIECE : 0));
    }
    return b;
}

void data_board_encode(const DataPackedBoard *b, uint8_t half_bytes[16]) {
    assert(b->count <= 32 && b->count == (unsigned)popcount(b->occupied));
    memset(half_bytes, 0, 16);
    for (unsigned i = 0; i < b->count; i++) half_bytes[i / 2] |= (uint8_t)(b->piece[i] << 4 * (i % 2));
}

bool data_position_finalize(Position *p, unsigned ep, TabiaError *error) {
    PositionError position_error;
    p->ep = 0;
    if (!p->fullmove) p->fullmove = 1;
    if (!position_validate(p, error)) return false;
    if (LIKELY(ep == NO_SQUARE)) return true;
    if (ep > NO_SQUARE) return tabia_fail(error, "the en passant square has number %u; the last is 63", ep);
    if (!validate_ep(p, (int)ep, &position_error))
        return tabia_fail(error, "position, en passant: %s", position_error.reason);
    if (ep_is_legal(p, (Colour)p->turn, (int)ep)) p->ep = (uint8_t)ep;
    return true;
}

bool data_castling_right_add(Position *p, Colour c, int square, TabiaError *error) {
    if (!(back_rank(c) & bit(square)))
        return tabia_fail(error, "the rook on %s has the right to castle, but is not on %s's first rank",
                          square_name(square).text, colour_name(c));
    p->castle[c] = (uint8_t)(p->castle[c] | 1u << file_of(square));
    return true;
}
