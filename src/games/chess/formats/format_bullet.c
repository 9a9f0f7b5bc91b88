/* SPDX-License-Identifier: MIT */
/*
 * ChessBoard of the trainer bullet (Jamie Whiting, 2023): 32 bytes, a position relative to the side to move. With black
 * to move the board is flipped vertically and the colours are exchanged; so the side to move is lost.
 *
 *    0  u64 occupied squares   8  32 half bytes: 0 to 5, + 8 the opponent's   24  i16 score   26  u8 result 0 1 2
 *   27  u8 own king   28  u8 the opponent's king, from the opponent's view   29  three unused
 */
#include "data/decode.h"
#include "data/encode.h"
#include "notation/names.h"
#include "records/board.h"

enum { BULLET_BYTES = 32, OPPONENT_PIECE = 8 };

static bool decode_position(const uint8_t *at, Position *p, TabiaError *error) {
    DataPackedBoard b;
    *p = (Position){.turn = WHITE};
    if (!data_board_decode(&b, get64(at), at + 8, error)) return false;
    unsigned i = 0;
    EACH (square, b.occupied) {
        const unsigned piece = b.piece[i++], type = piece & ~(unsigned)OPPONENT_PIECE;
        if (type > KING) return tabia_fail(error, "the piece on %s has code %u", square_name((int)square).text, piece);
        position_put(p, (int)square, piece & OPPONENT_PIECE ? BLACK : WHITE, (PieceType)type);
    }
    return data_position_finalize(p, NO_SQUARE, error);
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a record", BULLET_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += BULLET_BYTES;
    if (!decode_position(at, &r->position, error)) return DATA_READ_BAD_RECORD;
    const Position *p = &r->position;
    if (at[27] != king_square(p, WHITE) || (at[28] ^ 56) != king_square(p, BLACK))
        return data_bad_record(error, "the king squares are %u and %u, but the kings are on %s and %s", at[27],
                               at[28] ^ 56u, square_name(king_square(p, WHITE)).text,
                               square_name(king_square(p, BLACK)).text);
    if (at[26] > 2) return data_bad_record(error, "the result is %u; it is 0, 1 or 2", at[26]);
    r->unused = at[29] | at[30] | at[31];
    r->score = (int16_t)get16(at + 24);
    r->result = (int8_t)(at[26] - 1);
    r->move = 0;
    r->ply = move_counters_ply(p);
    return DATA_READ_OK;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    uint8_t *at = data_buffer_reserve(&e->bytes, BULLET_BYTES);
    if (!at) return;
    const Position *p = &r->position;
    const Colour us = (Colour)p->turn;
    const int flip = us == WHITE ? 0 : 56;
    DataBoardCode c = data_board_code(p);
    c.set[3] = p->side[!us];
    for (unsigned i = 0; i < 4 && us == BLACK; i++) c.set[i] = __builtin_bswap64(c.set[i]);
    const Bits all = us == WHITE ? occupied(p) : __builtin_bswap64(occupied(p));
    set64(at, all);
    data_board_write(all, c.set, at + 8);
    set16(at + 24, (uint16_t)data_score16(r->score));
    at[26] = (uint8_t)(r->result + 1);
    at[27] = (uint8_t)(king_square(p, us) ^ flip);
    at[28] = (uint8_t)(king_square(p, (Colour)!us) ^ flip ^ 56);
    at[29] = at[30] = at[31] = 0;
    e->bytes.size += BULLET_BYTES;
}

static DataFields lost_fields(const DataRecord *r) {
    return r->ply ? DATA_PLY : DATA_NO_FIELDS;
}

const DataFormat data_format_bullet = {
    .name = "bullet",
    .extensions = "bullet bf data",
    .description = "ChessBoard of the trainer bullet: 32 bytes a record, relative to the side to move",
    .min_record_bits = BULLET_BYTES * 8,
    .record_bytes = BULLET_BYTES,
    .fields = DATA_SCORE | DATA_RESULT,
    .limits = "the board is relative to the side to move",
    .lost_fields = lost_fields,
    .write = write_record,
    .read = read_record,
};
