/* SPDX-License-Identifier: MIT */
/*
 * Games as the script GenSfen of YaneuraOu writes them:
 *
 *   u8 1: the start position; or u8 0, the position in 32 bytes (packed_sfen.h, hcp), u16 number of its move
 *   for each ply u16 move (move16.h, Apery's), i16 score for the side to move
 *   u16 result from 0 to 2 in bits 0 to 6 and 7 to 13 (drawn, black won, white won), which is no move; u8 status
 */
#include <string.h>

#include "data/decode.h"
#include "data/encode.h"
#include "formats/move16.h"
#include "formats/packed_sfen.h"
#include "notation/fen.h"

enum { PLY_BYTES = 4, END_BYTES = 3, GIVEN_BYTES = PACKED_BYTES + 2, RESULTS = 3 };

static const int8_t white_results[RESULTS] = {0, -1, 1};

static unsigned result_code(int white) {
    return white < 0 ? 1 : white > 0 ? 2 : 0;
}

/* Is it what ends a game, "from" and "to" being the same? */
static bool is_end(const uint8_t *at) {
    return (get16(at) & 127) == (get16(at) >> 7 & 127);
}

static Position start_position(void) {
    Position p;
    (void)fen_parse(&p, fen_start, NULL);
    return p;
}

/* ---- reading ---- */

/* The result stands behind the moves, which are read ahead. */
static int read_plies(DataDecoder *d, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    s->count = s->next = 0;
    for (;;) {
        int status;
        const uint8_t *at = data_peek_part(d, "a move, or the end of a game", END_BYTES, &status, error);
        if (!at) return status == DATA_READ_END ? data_truncated(d, "the end of a game", 0, END_BYTES, error) : status;
        if (is_end(at)) break;
        at = data_peek_part(d, "a move", PLY_BYTES, &status, error);
        if (!at) return status;
        if (s->count == GAME_RECORD_PLIES)
            return data_bad_record(error, "the game has more than %d moves", GAME_RECORD_PLIES);
        s->code[s->count] = get16(at);
        s->score[s->count++] = (int16_t)get16(at + 2);
        d->in.begin += PLY_BYTES;
    }
    const uint8_t *end = data_input_bytes(&d->in);
    const unsigned result = end[0] & 127;
    d->in.begin += END_BYTES;
    if (result >= RESULTS) return data_bad_record(error, "the result is %u; it is 0, 1 or 2", result);
    d->white_result = white_results[result];
    return DATA_READ_OK;
}

static int read_start(DataDecoder *d, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a game", 1, &status, error);
    if (!at) return status;
    const unsigned form = *at;
    d->in.begin++;
    if (form == 1) return d->next_position = start_position(), DATA_READ_OK;
    if (form) return data_bad_record(error, "a game begins with 0 or 1, not with %u", form);
    at = data_peek_part(d, "the position of a game", GIVEN_BYTES, &status, error);
    if (!at) return status == DATA_READ_END ? data_truncated(d, "a game", 1, GIVEN_BYTES, error) : status;
    d->in.begin += GIVEN_BYTES;
    if (!packed_sfen_decode(PACKED_HCP, at, &d->next_position, error)) return DATA_READ_BAD_RECORD;
    if (get16(at + PACKED_BYTES)) d->next_position.ply = get16(at + PACKED_BYTES);
    return DATA_READ_OK;
}

/* A game whose position is bad is passed over to its end. */
static int resync(DataDecoder *d, TabiaError *error) {
    const int status = read_plies(d, error);
    d->in_game = false;
    return status == DATA_READ_ERROR ? status : DATA_READ_OK;
}

static int read_game(DataDecoder *d, TabiaError *error) {
    const int status = read_start(d, error);
    d->resync_pending = status == DATA_READ_BAD_RECORD;
    return status == DATA_READ_OK ? read_plies(d, error) : status;
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    r->starts_game = !d->in_game;
    while (!d->in_game) {
        const int status = read_game(d, error);
        if (status != DATA_READ_OK) return status;
        d->in_game = s->count > 0;
    }
    r->position = d->next_position;
    const bool good = move16_decode(MOVE16_APERY, &r->position, s->code[s->next], &r->move, error);
    d->in_game = good && s->next + 1 < s->count;
    if (!good) return DATA_READ_BAD_RECORD;
    r->score = s->score[s->next++];
    r->ply = move_counters_ply(&r->position);
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    position_make_move(&d->next_position, &r->position, r->move);
    return DATA_READ_OK;
}

/* ---- writing ---- */

static void write_start(DataEncoder *e, const Position *p) {
    const Position start = start_position();
    const bool is_start = position_same(p, &start) && p->ply == start.ply;
    uint8_t *at = data_buffer_reserve(&e->bytes, 1 + GIVEN_BYTES);
    if (!at) return;
    at[0] = is_start;
    e->bytes.size++;
    if (is_start) return;
    packed_sfen_encode(PACKED_HCP, p, at + 1);
    set16(at + 1 + PACKED_BYTES, p->ply);
    e->bytes.size += GIVEN_BYTES;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    uint8_t ply[PLY_BYTES];
    if (!e->in_game) write_start(e, &r->position);
    set16(ply, move16_encode(MOVE16_APERY, r->move));
    set16(ply + 2, (uint16_t)data_score16(r->score));
    data_buffer_append(&e->bytes, ply, PLY_BYTES);
}

static void end_game(DataEncoder *e) {
    const unsigned code = result_code(data_white_result(&e->last));
    const uint8_t end[END_BYTES] = {(uint8_t)(code | code << 7), (uint8_t)(code >> 1), 0};
    data_buffer_append(&e->bytes, end, END_BYTES);
}

const DataFormat data_format_pack = {
    .name = "pack",
    .extensions = "pack",
    .description = "games as YaneuraOu's script GenSfen writes them: a position and 4 bytes for each ply",
    .min_record_bits = PLY_BYTES * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_MOVE_NUMBER | DATA_GAME_STARTS,
    .requires = DATA_MOVE,
    .marks_games = true,
    .limits = "whole sets of pieces with two kings; the ply follows from the move number",
    .reject = packed_sfen_reject,
    .write = write_record,
    .end_game = end_game,
    .read = read_record,
    .resync = resync,
};
