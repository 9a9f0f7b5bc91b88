/* SPDX-License-Identifier: MIT */
/*
 * Games as dlshogi reads them:
 *
 *    0  position (packed_sfen.h, hcp)   32  u16 number of moves   34  u8 result   35  u8 about the opponent and the limit
 *   for each move u16 move (move16.h, Apery's), i16 score for the side to move, u16 candidates, and for each of them
 *   u16 move, u16 visits
 *
 * The result's bits 0 and 1: 0 drawn, 1 black won, 2 white won; the others say why. One candidate is written, the move.
 */
#include <string.h>

#include "data/decode.h"
#include "data/encode.h"
#include "formats/move16.h"
#include "formats/packed_sfen.h"

enum {
    HEADER_BYTES = PACKED_BYTES + 4,
    MOVES_AT = PACKED_BYTES, /* in the header */
    RESULT_AT = PACKED_BYTES + 2,
    MOVE_BYTES = 6,
    CANDIDATE_BYTES = 4,
    GAME_MOVES_MAX = 513, /* that dlshogi reads; a longer game continues as another */
};

/* ---- reading ---- */

static int skip_candidates(DataDecoder *d, size_t n, TabiaError *error) {
    while (n) {
        const size_t max = DATA_WINDOW_REQUEST_MAX / CANDIDATE_BYTES, part = CANDIDATE_BYTES * (n < max ? n : max);
        const size_t have = data_input_available(&d->in, part);
        if (have < part) return data_truncated(d, "the candidates of a move", have, part, error);
        d->in.begin += part;
        n -= part / CANDIDATE_BYTES;
    }
    return DATA_READ_OK;
}

/* A move with its candidates, of which there is one less to come. Null: *status says why. */
static const uint8_t *next_move(DataDecoder *d, uint8_t move[MOVE_BYTES], int *status, TabiaError *error) {
    const uint8_t *at = data_peek_part(d, "a move", MOVE_BYTES, status, error);
    if (!at) {
        if (*status == DATA_READ_END) *status = data_truncated(d, "the moves of a game", 0, MOVE_BYTES, error);
        return NULL;
    }
    memcpy(move, at, MOVE_BYTES);
    d->in.begin += MOVE_BYTES;
    d->state.next++;
    *status = skip_candidates(d, get16(move + 4), error);
    return *status == DATA_READ_OK ? move : NULL;
}

/* The rest of a game that cannot be decoded. */
static int resync(DataDecoder *d, TabiaError *error) {
    uint8_t move[MOVE_BYTES];
    int status = DATA_READ_OK;
    while (d->state.next < d->state.count && next_move(d, move, &status, error)) {
    }
    return status;
}

static int read_header(DataDecoder *d, DataRecord *r, TabiaError *error) {
    static const int8_t white[] = {0, -1, 1};
    int status;
    const uint8_t *at = data_peek_part(d, "the start of a game", HEADER_BYTES, &status, error);
    if (!at) return status;
    const unsigned result = at[RESULT_AT] & 3;
    d->in.begin += HEADER_BYTES;
    d->state.count = get16(at + MOVES_AT), d->state.next = 0;
    d->resync_pending = true;
    if (!packed_sfen_decode(PACKED_HCP, at, &d->next_position, error)) return DATA_READ_BAD_RECORD;
    if (result > 2) return data_bad_record(error, "the result is %u; it is 0, 1 or 2", result);
    d->resync_pending = false;
    d->white_result = white[result];
    r->unused = at[RESULT_AT] >> 5 != 0;
    return DATA_READ_OK;
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    FormatDecoderState *s = &d->state;
    uint8_t move[MOVE_BYTES];
    int status;
    r->starts_game = !d->in_game;
    while (!d->in_game) {
        status = read_header(d, r, error);
        if (status != DATA_READ_OK) return status;
        d->in_game = s->count > 0;
    }
    if (!next_move(d, move, &status, error)) return status;
    r->position = d->next_position;
    d->in_game = s->next < s->count;
    if (!move16_decode(MOVE16_APERY, &r->position, get16(move), &r->move, error) || !r->move) {
        if (!get16(move)) (void)data_bad_record(error, "there is no move");
        d->in_game = false, d->resync_pending = true;
        return DATA_READ_BAD_RECORD;
    }
    r->score = (int16_t)get16(move + 2);
    r->ply = move_counters_ply(&r->position);
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    position_make_move(&d->next_position, &r->position, r->move);
    return DATA_READ_OK;
}

/* ---- writing ---- */

static void end_game(DataEncoder *e) {
    if (e->bytes.failed) return;
    set16(e->bytes.data + e->state.game_at + MOVES_AT, e->state.moves);
}

static void write_header(DataEncoder *e, const DataRecord *r) {
    static const uint8_t code[] = {1, 0, 2}; /* black won, drawn, white won */
    uint8_t *at = data_buffer_reserve(&e->bytes, HEADER_BYTES);
    e->state.game_at = e->bytes.size, e->state.moves = 0;
    if (!at) return;
    memset(at, 0, HEADER_BYTES);
    packed_sfen_encode(PACKED_HCP, &r->position, at);
    at[RESULT_AT] = code[data_white_result(r) + 1];
    e->bytes.size += HEADER_BYTES;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    uint8_t bytes[MOVE_BYTES + CANDIDATE_BYTES];
    const bool is_full = e->in_game && e->state.moves == GAME_MOVES_MAX;
    if (is_full) end_game(e);
    if (!e->in_game || is_full) write_header(e, r);
    const unsigned code = move16_encode(MOVE16_APERY, r->move);
    set16(bytes, code);
    set16(bytes + 2, (uint16_t)data_score16(r->score));
    set16(bytes + 4, 1);
    set16(bytes + MOVE_BYTES, code);
    set16(bytes + MOVE_BYTES + 2, 1); /* visit */
    e->state.moves++;
    data_buffer_append(&e->bytes, bytes, sizeof bytes);
}

const DataFormat data_format_hcpe3 = {
    .name = "hcpe3",
    .extensions = "hcpe3",
    .description = "games as dlshogi reads them: a position, and for each move the candidates of a search",
    .min_record_bits = MOVE_BYTES * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_GAME_STARTS,
    .requires = DATA_MOVE,
    .marks_games = true,
    .limits = "whole sets of pieces with two kings; candidates are not read; plies count from the start of a game",
    .reject = packed_sfen_reject,
    .write = write_record,
    .end_game = end_game,
    .read = read_record,
    .resync = resync,
};
