/* SPDX-License-Identifier: MIT */
#include "records/board.h"

#include <assert.h>

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

void data_board_write(Bits all, const Bits code[4], uint8_t half_bytes[16]) {
    uint64_t half[2] = {0, 0};
    assert(popcount(all) <= 32);
#ifdef __BMI2__
    for (int k = 0; k < 4; k++) {
        const Bits each = 0x1111111111111111ull << k, of_pieces = __builtin_ia32_pext_di(code[k], all);
        half[0] |= __builtin_ia32_pdep_di(of_pieces, each);
        half[1] |= __builtin_ia32_pdep_di(of_pieces >> 16, each);
    }
#else
    unsigned i = 0;
    EACH (square, all) {
        for (int k = 0; k < 4; k++) half[i / 16] |= (code[k] >> square & 1) << (4 * (i % 16) + k);
        i++;
    }
#endif
    for (int n = 0; n < 16; n++) half_bytes[n] = (uint8_t)(half[n / 8] >> 8 * (n % 8));
}

DataBoardCode data_board_code(const Position *p) {
    const Bits queens = p->diag & p->orth, bishops = p->diag & ~queens, rooks = p->orth & ~queens;
    return (DataBoardCode){{p->knight | rooks | p->king, bishops | rooks, queens | p->king, p->side[BLACK]}};
}

void data_board_encode_position(const Position *p, uint8_t half_bytes[16]) {
    const Bits rights = castling_rooks(p, WHITE) | castling_rooks(p, BLACK);
    DataBoardCode c = data_board_code(p);
    c.set[0] &= ~rights;
    c.set[2] |= rights;
    data_board_write(occupied(p), c.set, half_bytes);
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
