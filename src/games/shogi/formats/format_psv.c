/* SPDX-License-Identifier: MIT */
/*
 * PackedSfenValue of YaneuraOu, 40 bytes, score and result for the side to move:
 *
 *    0  position (packed_sfen.h)   32  i16 score   34  u16 move (move16.h, YaneuraOu's)   36  u16 number of the move, from 1
 *   38  i8 result: 1 won, 0, -1   39  padding
 *
 * 0 is no number: it follows from the records before (move_number.h).
 *
 * A dual is one with two scores, as rshogi's psv_dual_label writes it: 34 has the score of a deeper search, no move, and 39
 * the bit 1 where a king has entered, so that trainers are to prefer the first score; else 0.
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

/* What both formats have at the same places; the move is read where there is one. */
static int read_common(DataDecoder *d, DataRecord *r, bool has_move, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a record", PSV_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += PSV_BYTES;
    if (!packed_sfen_decode(PACKED_PSV, at, &r->position, error) ||
        (has_move && !move16_decode(MOVE16_YANEURAOU, &r->position, get16(at + 34), &r->move, error)))
        return DATA_READ_BAD_RECORD;
    r->score = (int16_t)get16(at + 32);
    r->unused = at[39] != 0 && has_move;
    r->result = (int8_t)at[38];
    if (r->result < -1 || r->result > 1) return data_bad_record(error, "the result is %d; it is -1, 0 or 1", r->result);
    set_number(d, r, get16(at + 36));
    return DATA_READ_OK;
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    return read_common(d, r, true, error);
}

static int read_dual(DataDecoder *d, DataRecord *r, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a record", PSV_BYTES, &status, error);
    if (!at) return status;
    const RecordExtra extra = {(int16_t)get16(at + 34), true, at[39] & 1};
    const unsigned rest = at[39] >> 1;
    status = read_common(d, r, false, error);
    if (status == DATA_READ_OK && rest)
        return data_bad_record(error, "the last byte is %u; it is 0 or 1 in a record with two scores", at[39]);
    return r->extra = extra, r->move = 0, status;
}

static void write_common(DataEncoder *e, const DataRecord *r, unsigned word, unsigned last) {
    uint8_t *at = data_buffer_reserve(&e->bytes, PSV_BYTES);
    if (!at) return;
    packed_sfen_encode(PACKED_PSV, &r->position, at);
    set16(at + 32, (uint16_t)data_score16(r->score));
    set16(at + 34, word);
    set16(at + 36, (uint16_t)(r->ply + PSV_FIRST_PLY));
    at[38] = (uint8_t)r->result;
    at[39] = (uint8_t)last;
    e->bytes.size += PSV_BYTES;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    write_common(e, r, move16_encode(MOVE16_YANEURAOU, r->move), 0);
}

static void write_dual(DataEncoder *e, const DataRecord *r) {
    write_common(e, r, (uint16_t)r->extra.deeper_score, r->extra.keeps_score);
}

static DataRejection reject_dual(const DataRecord *r) {
    return r->extra.has_deeper_score ? packed_sfen_reject(r) : DATA_REJECT_deeper;
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

const DataFormat data_format_dual = {
    .name = "dual",
    .extensions = "dual",
    .description = "psv with the score of a deeper search in the place of the move, by rshogi",
    .min_record_bits = PSV_BYTES * 8,
    .record_bytes = PSV_BYTES,
    .fields = DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_MOVE_NUMBER | DATA_DEEPER_SCORE,
    .named_only = true,
    .limits = "whole sets of pieces with two kings; the move number follows from the ply",
    .lost_fields = lost_fields,
    .reject = reject_dual,
    .write = write_dual,
    .read = read_dual,
};
