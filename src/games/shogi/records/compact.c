/* SPDX-License-Identifier: MIT */
#include "records/compact.h"

#include <assert.h>
#include <string.h>

enum {
    PIECE_BITS = 5,
    WHITE_PIECE = 16,
    HANDS_AT = COMPACT_BOARD_BYTES,
    PLY_AT = HANDS_AT + 8,
    PIECES_AT = PLY_AT + 2
};

static void put_piece(uint8_t *pieces, unsigned i, unsigned code) {
    const unsigned at = PIECE_BITS * i, both = code << at % 8;
    pieces[at / 8] |= (uint8_t)both;
    if (both >> 8) pieces[at / 8 + 1] |= (uint8_t)(both >> 8);
}

static unsigned get_piece(const uint8_t *pieces, unsigned i) {
    const unsigned at = PIECE_BITS * i, shift = at % 8;
    unsigned both = pieces[at / 8];
    if (shift + PIECE_BITS > 8) both |= (unsigned)pieces[at / 8 + 1] << 8;
    return both >> shift & ((1u << PIECE_BITS) - 1);
}

void position_to_compact(const Position *p, uint8_t out[COMPACT_POSITION_BYTES]) {
    const Squares board = occupied(p) | (Squares)p->turn << BOARD_SQUARES;
    unsigned i = 0;
    memset(out, 0, COMPACT_POSITION_BYTES);
    memcpy(out, &board, COMPACT_BOARD_BYTES);
    memcpy(out + HANDS_AT, p->hand, sizeof p->hand);
    memcpy(out + PLY_AT, &p->ply, sizeof p->ply);
    assert(squares_count(occupied(p)) <= COMPACT_PIECES_MAX);
    EACH_SQUARE (s, occupied(p))
        put_piece(out + PIECES_AT, i++, piece_type_at(p, s) | (has_square(p->side[WHITE], s) ? WHITE_PIECE : 0));
}

void position_from_compact(Position *p, const uint8_t in[COMPACT_POSITION_BYTES]) {
    Squares board = 0;
    unsigned i = 0;
    memcpy(&board, in, COMPACT_BOARD_BYTES);
    *p = (Position){.king = {NO_SQUARE, NO_SQUARE}, .turn = has_square(board, BOARD_SQUARES)};
    memcpy(p->hand, in + HANDS_AT, sizeof p->hand);
    memcpy(&p->ply, in + PLY_AT, sizeof p->ply);
    EACH_SQUARE (s, board & BOARD) {
        const unsigned code = get_piece(in + PIECES_AT, i++);
        position_put(p, s, code & WHITE_PIECE ? WHITE : BLACK, (PieceType)(code & ~(unsigned)WHITE_PIECE));
    }
}
