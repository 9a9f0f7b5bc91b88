/* SPDX-License-Identifier: MIT */
/*
 * Games as Monty's value format has them (MontyValueFormat of montyformat, which bullet reads as Monty binpack); only read:
 *
 *    0  u64 black's pieces   8  u64 rooks, queens, kings   16  u64 knights, bishops, kings   24  u64 pawns, bishops, queens
 *   32  u8 side to move   33  u8 en passant square, 0 for none   34  u8 castling rights, QKqk from bit 3 to bit 0
 *   35  u8 halfmove clock    36  u16 fullmove number
 *   38  files of the rooks that may castle: white's queenside and kingside, black's; all 0 for a and h
 *   42  u8 result for white: 0, 1, 2
 *   for each ply u16 move, i16 score for white; four zero bytes end the game
 *
 * A move is from << 10 | to << 4 and 2 castling kingside, 3 queenside (to: where the king goes), 5 en passant, 8 and the
 * promotion, N B R Q from 0; 1 of a double step and 4 of a capture follow from the move.
 */
#include "data/decode.h"
#include "data/encode.h"
#include "formats/plies.h"
#include "notation/names.h"
#include "records/board.h"

enum { HEADER_BYTES = 43, RIGHTS_AT = 34, ROOKS_AT = 38, RESULT_AT = 42 };
enum { KINGSIDE = 2, QUEENSIDE = 3, TAKES_EN_PASSANT = 5, PROMOTES = 8 };

static bool decode_position(DataDecoder *d, const uint8_t *at, TabiaError *error) {
    const Bits black = get64(at), rook = get64(at + 8), knight = get64(at + 16), pawn = get64(at + 24);
    Position *p = &d->next_position;
    *p = (Position){.turn = at[32] != 0, .halfmove = at[35], .fullmove = get16(at + 36)};
    EACH (square, black | rook | knight | pawn) {
        static const PieceType types[] = {NO_PIECE_TYPE, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_PIECE_TYPE};
        const PieceType type = types[(rook >> square & 1) << 2 | (knight >> square & 1) << 1 | (pawn >> square & 1)];
        if (type == NO_PIECE_TYPE) return tabia_fail(error, "the piece on %s is none", square_name((int)square).text);
        position_put(p, (int)square, black >> square & 1 ? BLACK : WHITE, type);
    }
    const bool usual = !(at[ROOKS_AT] | at[ROOKS_AT + 1] | at[ROOKS_AT + 2] | at[ROOKS_AT + 3]);
    for (int i = 0; i < 4; i++) {
        const unsigned file = usual ? (i & 1 ? 7 : 0) : at[ROOKS_AT + i];
        d->state.castling_rook[i] = (uint8_t)((file & 7) + (i < 2 ? 0 : 56));
        if (at[RIGHTS_AT] >> (3 - i) & 1 &&
            !data_castling_right_add(p, i < 2 ? WHITE : BLACK, d->state.castling_rook[i], error))
            return false;
    }
    return data_position_finalize(p, at[33] ? at[33] & 63 : NO_SQUARE, error);
}

static Move decode_move(const DataDecoder *d, unsigned code) {
    const Position *p = &d->next_position;
    const unsigned flag = code & 15, side = p->turn == WHITE ? 0 : 2;
    const bool castles = flag == KINGSIDE || flag == QUEENSIDE;
    const int to = castles ? d->state.castling_rook[side + (flag == KINGSIDE)] : (int)(code >> 4 & 63);
    const Move m =
        move_from_squares(p, (int)(code >> 10), to, flag & PROMOTES ? (PieceType)(KNIGHT + (flag & 3)) : PAWN);
    const bool matches = m && castles == (move_flag(m) == CASTLING) &&
                         (flag == TAKES_EN_PASSANT) == (move_flag(m) == EN_PASSANT) &&
                         !(flag & PROMOTES) == !move_promotes(m);
    return matches ? m : 0;
}

static int begin_game(DataDecoder *d, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "the start of a game", HEADER_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += HEADER_BYTES;
    d->resync_pending = true;
    if (!decode_position(d, at, error)) return DATA_READ_BAD_RECORD;
    if (at[RESULT_AT] > 2) return data_bad_record(error, "the result is %u; it is 0, 1 or 2", at[RESULT_AT]);
    d->resync_pending = false, d->in_game = true;
    d->white_result = (int8_t)(at[RESULT_AT] - 1);
    d->next_ply = move_counters_ply(&d->next_position);
    return DATA_READ_OK;
}

static int decode_ply(DataDecoder *d, const uint8_t *at, DataRecord *r, TabiaError *error) {
    r->position = d->next_position;
    r->move = decode_move(d, get16(at));
    if (!r->move) {
        d->in_game = false, d->resync_pending = true;
        return data_bad_record(error, "illegal move: %s%s with the flag %u; the rest of the game is skipped",
                               square_name((int)(get16(at) >> 10)).text, square_name((int)(get16(at) >> 4 & 63)).text,
                               get16(at) & 15);
    }
    const int score = (int16_t)get16(at + 2);
    r->score = r->position.turn == WHITE ? score : -score;
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    r->ply = d->next_ply++;
    position_make_move(&d->next_position, &d->next_position, r->move);
    return DATA_READ_OK;
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    for (;;) {
        const bool starts_game = !d->in_game;
        int status = starts_game ? begin_game(d, error) : DATA_READ_OK;
        if (status != DATA_READ_OK) return status;
        r->starts_game = starts_game;
        const uint8_t *at = next_ply(d, &status, error);
        if (at) return decode_ply(d, at, r, error);
        if (status != DATA_READ_OK) return status;
        d->in_game = false;
    }
}

const DataFormat data_format_monty = {
    .name = "monty",
    .extensions = "monty",
    .description = "Monty's value format: games, a board and 4 bytes for each ply; only read",
    .min_record_bits = PLY_BYTES * 8,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_HALFMOVE_CLOCK |
              DATA_FULLMOVE_NUMBER | DATA_GAME_STARTS,
    .white_relative = true,
    .marks_games = true,
    .limits = "a halfmove clock of at most 255; the ply follows from the move number",
    .read = read_record,
    .resync = resync_game,
};
