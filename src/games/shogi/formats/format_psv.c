/* SPDX-License-Identifier: MIT */
/*
 * PackedSfenValue of YaneuraOu, 40 bytes, score and result for the side to move:
 *
 *    0  position (packed_sfen.h)   32  i16 score   34  u16 move (move16.h, YaneuraOu's)   36  u16 number of the move, from 1
 *   38  i8 result: 1 won, 0, -1   39  padding
 *
 * 0 is no number: it follows from the records before (move_number.h).
 */
#include <string.h>

#include "data/decode.h"
#include "data/encode.h"
#include "formats/move16.h"
#include "formats/move_number.h"
#include "formats/packed_sfen.h"

enum { PSV_BYTES = 40, PSV_FIRST_PLY = 1 };

static void set_number(DataDecoder *d, DataRecord *r, unsigned number) {
    if (!number) {
        number_move(d, r);
        return;
    }
    d->in_game = false;
    r->position.ply = (uint16_t)number;
    r->ply = (uint16_t)(number - PSV_FIRST_PLY);
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a record", PSV_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += PSV_BYTES;
    if (!packed_sfen_decode(PACKED_PSV, at, &r->position, error) ||
        !move16_decode(MOVE16_YANEURAOU, &r->position, get16(at + 34), &r->move, error))
        return DATA_READ_BAD_RECORD;
    r->score = (int16_t)get16(at + 32);
    r->unused = at[39] != 0;
    r->result = (int8_t)at[38];
    if (r->result < -1 || r->result > 1) return data_bad_record(error, "the result is %d; it is -1, 0 or 1", r->result);
    set_number(d, r, get16(at + 36));
    return DATA_READ_OK;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    uint8_t *at = data_buffer_reserve(&e->bytes, PSV_BYTES);
    if (!at) return;
    packed_sfen_encode(PACKED_PSV, &r->position, at);
    set16(at + 32, (uint16_t)data_score16(r->score));
    set16(at + 34, move16_encode(MOVE16_YANEURAOU, r->move));
    set16(at + 36, (uint16_t)(r->ply + PSV_FIRST_PLY));
    at[38] = (uint8_t)r->result;
    at[39] = 0;
    e->bytes.size += PSV_BYTES;
}

static DataFields lost_fields(const DataRecord *r) {
    return r->position.ply != r->ply + PSV_FIRST_PLY ? DATA_MOVE_NUMBER : DATA_NO_FIELDS;
}

const DataFormat data_format_psv = {
    .name = "psv",
    .extensions = "psv bin",
    .description = "PackedSfenValue of YaneuraOu: 40 bytes a record",
    .min_record_bits = PSV_BYTES * 8,
    .record_bytes = PSV_BYTES,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_MOVE_NUMBER | DATA_GAME_STARTS,
    .limits = "whole sets of pieces with two kings; the move number follows from the ply",
    .lost_fields = lost_fields,
    .reject = packed_sfen_reject,
    .write = write_record,
    .read = read_record,
};
