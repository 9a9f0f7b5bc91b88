/* SPDX-License-Identifier: MIT */
/*
 * Viriformat (Cosmo Bobak, 2023): a game is a board, then for each ply a move and the score of the position before it,
 * relative to white, then four zero bytes. The board alone, with its score and result filled, is marlinformat (2022):
 *
 *    0  u64 occupied squares
 *    8  32 half bytes: 0 to 5 P N B R Q K, 6 a rook that may castle, + 8 for black
 *   24  u8 side to move << 7 | en passant square, 64 for none
 *   25  u8 halfmove clock    26  u16 fullmove number    28  i16 evaluation
 *   30  u8 result for white: 0, 1, 2    31  unused
 *
 * Positions after the first follow from the moves; so does the ply, from the fullmove number.
 */
#include "data/decode.h"
#include "data/encode.h"
#include "formats/plies.h"
#include "notation/names.h"
#include "records/board.h"

enum { BOARD_BYTES = 32, HALFMOVE_CLOCK_MAX = 255, UNUSED_BYTE = 31 };

/* ---- the board ---- */

static bool decode_position(const uint8_t *at, Position *p, TabiaError *error) {
    DataPackedBoard b;
    *p = (Position){.turn = at[24] >> 7, .halfmove = at[25], .fullmove = get16(at + 26)};
    if (!data_board_decode(&b, get64(at), at + 8, error)) return false;
    unsigned i = 0;
    EACH (square, b.occupied) {
        const unsigned piece = b.piece[i++], type = piece & ~(unsigned)DATA_BLACK_PIECE;
        const Colour c = piece & DATA_BLACK_PIECE ? BLACK : WHITE;
        if (type > DATA_UNMOVED_ROOK)
            return tabia_fail(error, "the piece on %s has code %u", square_name((int)square).text, piece);
        position_put(p, (int)square, c, type == DATA_UNMOVED_ROOK ? ROOK : (PieceType)type);
        if (type == DATA_UNMOVED_ROOK && !data_castling_right_add(p, c, (int)square, error)) return false;
    }
    return data_position_finalize(p, at[24] & 127, error);
}

/* *white receives the result relative to white, -1 to 1. */
static bool decode_board(const uint8_t *at, Position *p, int16_t *score, int8_t *white, TabiaError *error) {
    if (!decode_position(at, p, error)) return false;
    if (at[30] > 2) return tabia_fail(error, "the result is %u; it is 0, 1 or 2", at[30]);
    *score = (int16_t)get16(at + 28);
    *white = (int8_t)(at[30] - 1);
    return true;
}

static void encode_board(DataEncoder *e, const DataRecord *r, int16_t score) {
    uint8_t *at = data_buffer_reserve(&e->bytes, BOARD_BYTES);
    if (!at) return;
    const Position *p = &r->position;
    set64(at, occupied(p));
    data_board_encode_position(p, at + 8);
    at[24] = (uint8_t)(p->turn << 7 | (p->ep ? p->ep : NO_SQUARE));
    at[25] = (uint8_t)(p->halfmove > HALFMOVE_CLOCK_MAX ? HALFMOVE_CLOCK_MAX : p->halfmove);
    set16(at + 26, p->fullmove);
    set16(at + 28, (uint16_t)score);
    at[30] = (uint8_t)(data_white_result(r) + 1);
    at[UNUSED_BYTE] = 0;
    e->bytes.size += BOARD_BYTES;
}

static void set_white_result(DataRecord *r, int8_t white) {
    r->result = r->position.turn == WHITE ? white : (int8_t)-white;
}
static void set_white_score(DataRecord *r, int16_t white) {
    r->score = r->position.turn == WHITE ? white : -white;
}

static DataFields lost_fields(const DataRecord *r) {
    return r->position.halfmove > HALFMOVE_CLOCK_MAX ? DATA_HALFMOVE_CLOCK : DATA_NO_FIELDS;
}

/* ---- moves ---- */

enum { VIRI_NORMAL, VIRI_EN_PASSANT, VIRI_CASTLING, VIRI_PROMOTION };

static Move decode_move(const Position *p, unsigned code) {
    const unsigned move_type = code >> 14, promotion = code >> 12 & 3;
    const Move m = move_from_squares(p, (int)(code & 63), (int)(code >> 6 & 63),
                                     move_type == VIRI_PROMOTION ? (PieceType)(KNIGHT + promotion) : PAWN);
    const bool matches = m && (move_type == VIRI_PROMOTION || !promotion) &&
                         (move_type == VIRI_CASTLING) == (move_flag(m) == CASTLING) &&
                         (move_type == VIRI_EN_PASSANT) == (move_flag(m) == EN_PASSANT);
    return matches ? m : 0;
}

static unsigned encode_move(Move m) {
    unsigned code = (unsigned)(move_from(m) | move_to(m) << 6);
    if (move_promotes(m)) code |= (unsigned)(move_promotion(m) - KNIGHT) << 12 | VIRI_PROMOTION << 14;
    if (move_flag(m) == EN_PASSANT) code |= VIRI_EN_PASSANT << 14;
    if (move_flag(m) == CASTLING) code |= VIRI_CASTLING << 14;
    return code;
}

/* ---- viriformat ---- */

static int begin_game(DataDecoder *d, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a game's board", BOARD_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += BOARD_BYTES;
    d->in_game = decode_board(at, &d->next_position, &d->state.opening_eval, &d->white_result, error);
    d->resync_pending = !d->in_game;
    d->next_ply = move_counters_ply(&d->next_position);
    d->state.unused = at[UNUSED_BYTE];
    return d->in_game ? DATA_READ_OK : DATA_READ_BAD_RECORD;
}

static int decode_ply(DataDecoder *d, const uint8_t *at, DataRecord *r, TabiaError *error) {
    const unsigned code = get16(at);
    r->position = d->next_position;
    r->move = decode_move(&d->next_position, code);
    if (!r->move) {
        data_bad_record(error, "illegal move: %s%s of type %u and promotion %u; the rest of the game is skipped",
                        square_name((int)(code & 63)).text, square_name((int)(code >> 6 & 63)).text, code >> 14,
                        code >> 12 & 3);
        d->in_game = false;
        d->resync_pending = true;
        return DATA_READ_BAD_RECORD;
    }
    set_white_score(r, (int16_t)get16(at + 2));
    set_white_result(r, d->white_result);
    r->ply = d->next_ply++;
    position_make_move(&d->next_position, &d->next_position, r->move);
    return DATA_READ_OK;
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    for (;;) {
        const bool starts_game = !d->in_game;
        const int status = starts_game ? begin_game(d, error) : DATA_READ_OK;
        if (status != DATA_READ_OK) return status;
        r->starts_game = starts_game;
        r->unused = starts_game && d->state.unused;
        r->extra.opening_eval = starts_game ? d->state.opening_eval : 0;
        int end;
        const uint8_t *at = next_ply(d, &end, error);
        if (at) return decode_ply(d, at, r, error);
        if (end != DATA_READ_OK) return end;
        d->in_game = false;
    }
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    if (!e->in_game) encode_board(e, r, r->extra.opening_eval);
    uint8_t ply[PLY_BYTES];
    set16(ply, encode_move(r->move));
    set16(ply + 2, (uint16_t)data_score16(data_white_score(r)));
    data_buffer_append(&e->bytes, ply, PLY_BYTES);
}

static void end_game(DataEncoder *e) {
    data_buffer_append(&e->bytes, (const uint8_t[PLY_BYTES]){0}, PLY_BYTES);
}

const DataFormat data_format_viri = {
    .name = "viri",
    .extensions = "viri vf",
    .description = "viriformat: games, a 32-byte board and 4 bytes for each ply",
    .min_record_bits = PLY_BYTES * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_HALFMOVE_CLOCK |
              DATA_FULLMOVE_NUMBER | DATA_GAME_STARTS | DATA_OPENING_EVAL,
    .requires = DATA_MOVE,
    .white_relative = true,
    .marks_games = true,
    .limits = "halfmove clocks to 255; the ply follows from the fullmove number",
    .lost_fields = lost_fields,
    .write = write_record,
    .end_game = end_game,
    .read = read_record,
    .resync = resync_game,
};

/* ---- marlinformat ---- */

static int read_marlin(DataDecoder *d, DataRecord *r, TabiaError *error) {
    int16_t score = 0;
    int8_t white = 0;
    int status;
    const uint8_t *at = data_peek_part(d, "a record", BOARD_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += BOARD_BYTES;
    if (!decode_board(at, &r->position, &score, &white, error)) return DATA_READ_BAD_RECORD;
    r->move = 0;
    r->unused = at[UNUSED_BYTE];
    r->ply = move_counters_ply(&r->position);
    set_white_score(r, score);
    set_white_result(r, white);
    return DATA_READ_OK;
}

static void write_marlin(DataEncoder *e, const DataRecord *r) {
    encode_board(e, r, data_score16(data_white_score(r)));
}
const DataFormat data_format_marlin = {
    .name = "marlin",
    .extensions = "marlin mf",
    .description = "marlinformat: the 32-byte board of viriformat with a score and a result",
    .min_record_bits = BOARD_BYTES * 8,
    .record_bytes = BOARD_BYTES,
    .fields =
        DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_HALFMOVE_CLOCK | DATA_FULLMOVE_NUMBER,
    .white_relative = true,
    .limits = "halfmove clocks to 255; the ply follows from the fullmove number",
    .lost_fields = lost_fields,
    .write = write_marlin,
    .read = read_marlin,
};
