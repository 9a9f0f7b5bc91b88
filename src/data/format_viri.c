/* SPDX-License-Identifier: MIT */
/*
 * Viriformat (Cosmo Bobak, 2023): a game is a board, then for each ply a move and the score of the position before it,
 * as white sees it, then four zero bytes. The board alone, with its score and result filled, is marlinformat (2022):
 *
 *    0  u64 occupied squares   8  32 half bytes: 0 to 5, 6 a rook that may castle, + 8 black   24  u8 side to move << 7
 *   | en passant square, 64 for none   25  u8 halfmove clock   26  u16 fullmove number   28  i16 evaluation   30  u8
 *   result for white 0 1 2   31  a zero
 *
 * Positions after the first follow from the moves; so does the ply, from the fullmove number.
 */
#include "data/board.h"
#include "data/encode.h"
#include "notation/names.h"

enum { BOARD = 32, CLOCK_MAX = 255, STEP = 4 };

/* ---- the board ---- */

static bool get_position(const uint8_t *at, Position *p, Fault *fault) {
    DataBoard b;
    *p = (Position){.turn = at[24] >> 7, .halfmove = at[25], .fullmove = get16(at + 26)};
    if (!data_board_get(&b, get64(at), at + 8, fault)) return false;
    unsigned i = 0;
    EACH (square, b.occupied) {
        const unsigned man = b.man[i++], kind = man & ~(unsigned)DATA_BLACK_MAN;
        const Colour c = man & DATA_BLACK_MAN ? BLACK : WHITE;
        if (kind > DATA_UNMOVED_ROOK)
            return tabia_fault(fault, "the man on %s has number %u", square_name((int)square).text, man);
        position_put(p, (int)square, c, kind == DATA_UNMOVED_ROOK ? ROOK : (Kind)kind);
        if (kind == DATA_UNMOVED_ROOK && !data_right_give(p, c, (int)square, fault)) return false;
    }
    return data_position_finish(p, at[24] & 127, fault);
}

/* The result is for white, -1 to 1. */
static bool get_board(const uint8_t *at, Position *p, int16_t *score, int8_t *white, Fault *fault) {
    if (!get_position(at, p, fault)) return false;
    if (at[30] > 2) return tabia_fault(fault, "the result is %u; it is 0, 1 or 2", at[30]);
    if (at[31]) return tabia_fault(fault, "the last byte of the board is not zero");
    *score = (int16_t)get16(at + 28);
    *white = (int8_t)(at[30] - 1);
    return true;
}

static void put_board(DataEncoder *e, const DataRecord *r, int16_t score) {
    uint8_t *at = data_bytes_room(&e->bytes, BOARD);
    if (!at) return;
    const Position *p = &r->position;
    const DataBoard b = data_board_of(p);
    set64(at, b.occupied);
    data_board_put(&b, at + 8);
    at[24] = (uint8_t)(p->turn << 7 | (p->ep ? p->ep : NO_SQUARE));
    at[25] = (uint8_t)(p->halfmove > CLOCK_MAX ? CLOCK_MAX : p->halfmove);
    set16(at + 26, p->fullmove);
    set16(at + 28, (uint16_t)score);
    at[30] = (uint8_t)(data_white_result(r) + 1);
    at[31] = 0;
    e->bytes.n += BOARD;
}

static void set_result(DataRecord *r, int8_t white) {
    r->result = r->position.turn == WHITE ? white : (int8_t)-white;
}
static void set_score(DataRecord *r, int16_t white) {
    r->score = r->position.turn == WHITE ? white : -white;
}

static DataFields lost(const DataRecord *r) {
    return r->position.halfmove > CLOCK_MAX ? DATA_CLOCK : DATA_NO_FIELD;
}

/* ---- moves ---- */

enum { NORMAL, TAKES_EN_PASSANT, CASTLES, PROMOTES };

static Move get_move(const Position *p, unsigned code) {
    const unsigned type = code >> 14, kind = code >> 12 & 3;
    const Move m =
        move_between(p, (int)(code & 63), (int)(code >> 6 & 63), type == PROMOTES ? (Kind)(KNIGHT + kind) : PAWN);
    const bool same = m && (type == PROMOTES || !kind) && (type == CASTLES) == (move_flag(m) == CASTLING) &&
                      (type == TAKES_EN_PASSANT) == (move_flag(m) == EN_PASSANT);
    return same ? m : 0;
}

static unsigned move_code(Move m) {
    unsigned code = (unsigned)(move_from(m) | move_to(m) << 6);
    if (move_promotes(m)) code |= (unsigned)(move_promotion(m) - KNIGHT) << 12 | PROMOTES << 14;
    if (move_flag(m) == EN_PASSANT) code |= TAKES_EN_PASSANT << 14;
    if (move_flag(m) == CASTLING) code |= CASTLES << 14;
    return code;
}

/* ---- viriformat ---- */

/* Passes over the rest of a game that cannot be followed. */
static int skip_game(DataDecoder *d, Fault *fault) {
    bool ended = false;
    (void)fault;
    while (!ended && data_input_have(&d->in, STEP) == STEP) {
        const uint8_t *at = data_input_here(&d->in);
        ended = !(at[0] | at[1] | at[2] | at[3]);
        d->in.at += STEP;
    }
    return DATA_GOOD;
}

static int begin_game(DataDecoder *d, Fault *fault) {
    const size_t have = data_input_have(&d->in, BOARD);
    d->at = data_input_offset(&d->in);
    if (have < BOARD) return have || d->in.error ? data_short(d, "a game's board", have, BOARD, fault) : DATA_AT_END;
    const uint8_t *at = data_input_here(&d->in);
    d->in.at += BOARD;
    d->open = get_board(at, &d->next, &d->opening, &d->white, fault);
    d->skipping = !d->open;
    d->ply = data_ply_of(&d->next);
    return d->open ? DATA_GOOD : DATA_BAD;
}

static int get_step(DataDecoder *d, const uint8_t *at, DataRecord *r, Fault *fault) {
    const unsigned code = get16(at);
    r->position = d->next;
    r->move = get_move(&d->next, code);
    if (!r->move) {
        data_bad(fault, "illegal move: %s%s of type %u and promotion %u; the rest of the game is left out",
                 square_name((int)(code & 63)).text, square_name((int)(code >> 6 & 63)).text, code >> 14,
                 code >> 12 & 3);
        d->open = false;
        d->skipping = true;
        return DATA_BAD;
    }
    set_score(r, (int16_t)get16(at + 2));
    set_result(r, d->white);
    r->ply = d->ply++;
    position_play(&d->next, &d->next, r->move);
    return DATA_GOOD;
}

static int get_record(DataDecoder *d, DataRecord *r, Fault *fault) {
    for (;;) {
        const bool begins = !d->open;
        const int how = begins ? begin_game(d, fault) : DATA_GOOD;
        if (how != DATA_GOOD) return how;
        r->first = begins;
        r->opening = begins ? d->opening : 0;
        const size_t have = data_input_have(&d->in, STEP);
        d->at = data_input_offset(&d->in);
        if (have < STEP) return data_short(d, "a move, or of the zeros that end a game", have, STEP, fault);
        const uint8_t *at = data_input_here(&d->in);
        d->in.at += STEP;
        if (at[0] | at[1] | at[2] | at[3]) return get_step(d, at, r, fault);
        d->open = false;
    }
}

static void put_record(DataEncoder *e, const DataRecord *r) {
    if (!e->open) put_board(e, r, r->opening);
    uint8_t step[STEP];
    set16(step, move_code(r->move));
    set16(step + 2, (uint16_t)data_score16(data_white_score(r)));
    data_bytes_put(&e->bytes, step, STEP);
}

static void end_game(DataEncoder *e) {
    data_bytes_put(&e->bytes, (const uint8_t[STEP]){0}, STEP);
}

const DataFormat data_format_viri = {
    .name = "viri",
    .endings = "viri vf",
    .about = "viriformat: whole games, a 32-byte board and 4 bytes for each ply",
    .least_bits = STEP * 8,
    .holds = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_CLOCK | DATA_NUMBER |
             DATA_GAMES | DATA_OPENING,
    .needs = DATA_MOVE,
    .white_scores = true,
    .limits = "halfmove clocks to 255; the ply is what the fullmove number says",
    .lost = lost,
    .put = put_record,
    .end = end_game,
    .get = get_record,
    .skip = skip_game,
};

/* ---- marlinformat ---- */

static int get_marlin(DataDecoder *d, DataRecord *r, Fault *fault) {
    int16_t score;
    int8_t white;
    const size_t have = data_input_have(&d->in, BOARD);
    d->at = data_input_offset(&d->in);
    if (have < BOARD) return have || d->in.error ? data_short(d, "a record", have, BOARD, fault) : DATA_AT_END;
    const uint8_t *at = data_input_here(&d->in);
    d->in.at += BOARD;
    if (!get_board(at, &r->position, &score, &white, fault)) return DATA_BAD;
    r->move = 0;
    r->ply = data_ply_of(&r->position);
    set_score(r, score);
    set_result(r, white);
    return DATA_GOOD;
}

static void put_marlin(DataEncoder *e, const DataRecord *r) {
    put_board(e, r, data_score16(data_white_score(r)));
}
const DataFormat data_format_marlin = {
    .name = "marlin",
    .endings = "marlin mf",
    .about = "marlinformat: the 32-byte board of viriformat with a score and a result",
    .least_bits = BOARD * 8,
    .record_bytes = BOARD,
    .holds = DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_CLOCK | DATA_NUMBER,
    .white_scores = true,
    .limits = "halfmove clocks to 255; the ply is what the fullmove number says",
    .lost = lost,
    .put = put_marlin,
    .get = get_marlin,
};
