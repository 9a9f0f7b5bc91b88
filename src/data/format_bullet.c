/* SPDX-License-Identifier: MIT */
/*
 * ChessBoard of the trainer bullet (Jamie Whiting, 2023): 32 bytes, a position as the side to move sees it. When that
 * is black, the board is turned upside down and the colours change places; so who was to move is not known afterwards.
 *
 *    0  u64 occupied squares   8  32 half bytes: 0 to 5, + 8 the opponent's   24  i16 score   26  u8 result 0 1 2
 *   27  u8 own king   28  u8 the opponent's king, as he sees it   29  three zeros
 */
#include "data/board.h"
#include "data/encode.h"
#include "notation/names.h"

enum { THEIRS = 8 };

static bool get_position(const uint8_t *at, Position *p, Fault *fault) {
    DataBoard b;
    *p = (Position){.turn = WHITE};
    if (!data_board_get(&b, get64(at), at + 8, fault)) return false;
    unsigned i = 0;
    EACH (square, b.occupied) {
        const unsigned man = b.man[i++], kind = man & ~(unsigned)THEIRS;
        if (kind > KING) return tabia_fault(fault, "the man on %s has number %u", square_name((int)square).text, man);
        position_put(p, (int)square, man & THEIRS ? BLACK : WHITE, (Kind)kind);
    }
    return data_position_finish(p, NO_SQUARE, fault);
}

static int get_record(DataDecoder *d, DataRecord *r, Fault *fault) {
    const size_t have = data_input_have(&d->in, 32);
    d->at = data_input_offset(&d->in);
    if (have < 32) return have || d->in.error ? data_short(d, "a record", have, 32, fault) : DATA_AT_END;
    const uint8_t *at = data_input_here(&d->in);
    d->in.at += 32;
    if (!get_position(at, &r->position, fault)) return DATA_BAD;
    const Position *p = &r->position;
    if (at[27] != king_square(p, WHITE) || (at[28] ^ 56) != king_square(p, BLACK))
        return data_bad(fault, "the kings are said to be on squares %u and %u, and stand on %s and %s", at[27],
                        at[28] ^ 56u, square_name(king_square(p, WHITE)).text, square_name(king_square(p, BLACK)).text);
    if (at[26] > 2) return data_bad(fault, "the result is %u; it is 0, 1 or 2", at[26]);
    if (at[29] | at[30] | at[31]) return data_bad(fault, "the last three bytes are not zero");
    r->score = (int16_t)get16(at + 24);
    r->result = (int8_t)(at[26] - 1);
    r->move = 0;
    r->ply = data_ply_of(p);
    return DATA_GOOD;
}

static void put_record(DataEncoder *e, const DataRecord *r) {
    uint8_t *at = data_bytes_room(&e->bytes, 32);
    if (!at) return;
    const Position *p = &r->position;
    const Colour us = (Colour)p->turn;
    const int turned = us == WHITE ? 0 : 56;
    const Bits all = occupied(p);
    DataBoard b = {.occupied = us == WHITE ? all : __builtin_bswap64(all)};
    EACH (seen, b.occupied) {
        const int square = (int)seen ^ turned;
        b.man[b.n++] = (uint8_t)(kind_at(p, square) | (p->side[us] & bit(square) ? 0 : THEIRS));
    }
    set64(at, b.occupied);
    data_board_put(&b, at + 8);
    set16(at + 24, (uint16_t)data_score16(r->score));
    at[26] = (uint8_t)(r->result + 1);
    at[27] = (uint8_t)(king_square(p, us) ^ turned);
    at[28] = (uint8_t)(king_square(p, (Colour)!us) ^ turned ^ 56);
    at[29] = at[30] = at[31] = 0;
    e->bytes.n += 32;
}

static DataFields lost(const DataRecord *r) {
    return r->ply ? DATA_PLY : DATA_NO_FIELD;
}

const DataFormat data_format_bullet = {
    .name = "bullet",
    .endings = "bullet bf data",
    .about = "ChessBoard of the trainer bullet: 32 bytes a record, seen by the side to move",
    .least_bits = 32 * 8,
    .record_bytes = 32,
    .holds = DATA_SCORE | DATA_RESULT,
    .limits = "the board as the side to move sees it",
    .lost = lost,
    .put = put_record,
    .get = get_record,
};
