/* SPDX-License-Identifier: MIT */
/*
 * HuffmanCodedPosAndEval of Apery and dlshogi, 38 bytes:
 *
 *    0  position (packed_sfen.h)   32  i16 score for the side to move   34  u16 move (move16.h, Apery's)
 *   36  u8 result: 0 drawn, 1 black won, 2 white won   37  padding
 *
 * It stores no ply (move_number.h).
 */
#include <string.h>

#include "data/decode.h"
#include "data/encode.h"
#include "formats/move16.h"
#include "formats/move_number.h"
#include "formats/packed_sfen.h"

enum { HCPE_BYTES = 38 };

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    static const int8_t white[] = {0, -1, 1};
    int status;
    const uint8_t *at = data_peek_part(d, "a record", HCPE_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += HCPE_BYTES;
    if (!packed_sfen_decode(PACKED_HCP, at, &r->position, error) ||
        !move16_decode(MOVE16_APERY, &r->position, get16(at + 34), &r->move, error))
        return DATA_READ_BAD_RECORD;
    if (at[36] > 2) return data_bad_record(error, "the result is %u; it is 0, 1 or 2", at[36]);
    r->score = (int16_t)get16(at + 32);
    r->result = r->position.turn == WHITE ? white[at[36]] : (int8_t)-white[at[36]];
    r->unused = at[37] != 0;
    number_move(d, r);
    return DATA_READ_OK;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    static const uint8_t code[] = {1, 0, 2}; /* black won, drawn, white won */
    uint8_t *at = data_buffer_reserve(&e->bytes, HCPE_BYTES);
    if (!at) return;
    packed_sfen_encode(PACKED_HCP, &r->position, at);
    set16(at + 32, (uint16_t)data_score16(r->score));
    set16(at + 34, move16_encode(MOVE16_APERY, r->move));
    at[36] = code[data_white_result(r) + 1];
    at[37] = 0;
    e->bytes.size += HCPE_BYTES;
}

const DataFormat data_format_hcpe = {
    .name = "hcpe",
    .extensions = "hcpe",
    .description = "HuffmanCodedPosAndEval of Apery and dlshogi: 38 bytes a record",
    .min_record_bits = HCPE_BYTES * 8,
    .record_bytes = HCPE_BYTES,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_GAME_STARTS,
    .limits = "whole sets of pieces with two kings; plies count from each start of a game in the file",
    .reject = packed_sfen_reject,
    .write = write_record,
    .read = read_record,
};
