/* SPDX-License-Identifier: MIT */
#include "formats/binpack_stem.h"

#include <assert.h>

#include "notation/names.h"
#include "records/board.h"

enum { PIECE_EP_PAWN = 12, PIECE_WHITE_CASTLING_ROOK, PIECE_BLACK_CASTLING_ROOK, PIECE_BLACK_KING_TO_MOVE };
enum { BINPACK_NORMAL, BINPACK_PROMOTION, BINPACK_CASTLING, BINPACK_EN_PASSANT };

/* ---- decoding ---- */

static bool decode_piece(Position *p, int square, unsigned piece, unsigned *ep, TabiaError *error) {
    if (piece == PIECE_EP_PAWN) {
        const Colour c = rank_of(square) == 3 ? WHITE : BLACK;
        if (rank_of(square) != 3 && rank_of(square) != 4)
            return tabia_fail(error, "the pawn on %s cannot have just stepped two squares", square_name(square).text);
        if (*ep != NO_SQUARE) return tabia_fail(error, "two pawns have just stepped two squares");
        *ep = (unsigned)(square - pawn_up(c));
        position_put(p, square, c, PAWN);
    } else if (piece == PIECE_BLACK_KING_TO_MOVE) {
        p->turn = BLACK;
        position_put(p, square, BLACK, KING);
    } else if (piece > PIECE_EP_PAWN) {
        const Colour c = piece == PIECE_WHITE_CASTLING_ROOK ? WHITE : BLACK;
        position_put(p, square, c, ROOK);
        return data_castling_right_add(p, c, square, error);
    } else {
        position_put(p, square, (Colour)(piece & 1), (PieceType)(piece >> 1));
    }
    return true;
}

static bool decode_position(const uint8_t *at, Position *p, TabiaError *error) {
    DataPackedBoard b;
    unsigned i = 0, ep = NO_SQUARE;
    const unsigned ply = get16_big(at + 28) & BINPACK_PLY_MAX;
    *p = (Position){.turn = WHITE, .halfmove = get16_big(at + 30), .fullmove = (uint16_t)(ply / 2 + 1)};
    if (!data_board_decode(&b, get64_big(at), at + 8, error)) return false;
    EACH (square, b.occupied)
        if (!decode_piece(p, (int)square, b.piece[i++], &ep, error)) return false;
    return data_position_finalize(p, ep, error);
}

static bool decode_move(const Position *p, unsigned code, Move *move, TabiaError *error) {
    const unsigned type = code >> 14, promotion = code & 3;
    const int from = (int)(code >> 8 & 63), to = (int)(code >> 2 & 63);
    const Move m = move_from_squares(p, from, to, type == BINPACK_PROMOTION ? (PieceType)(KNIGHT + promotion) : PAWN);
    *move = m;
    return (m && (type == BINPACK_CASTLING) == (move_flag(m) == CASTLING) &&
            (type == BINPACK_EN_PASSANT) == (move_flag(m) == EN_PASSANT)) ||
           tabia_fail(error, "illegal move: %s%s of type %u and promotion %u", square_name(from).text,
                      square_name(to).text, type, promotion);
}

bool binpack_stem_decode(const uint8_t *at, DataRecord *r, TabiaError *error) {
    if (!decode_position(at, &r->position, error)) return false;
    if (!decode_move(&r->position, get16_big(at + 24), &r->move, error)) return false;
    const unsigned ply_and_result = get16_big(at + 28);
    r->score = rotate_sign_decode(get16_big(at + 26));
    r->ply = (uint16_t)(ply_and_result & BINPACK_PLY_MAX);
    r->result = (int8_t)rotate_sign_decode(ply_and_result >> 14);
    return (ply_and_result >> 14) < 3 || tabia_fail(error, "the result has number 3; it is 0, 1 or 2");
}

/* ---- encoding ---- */

/* The half bytes of the pieces, as sets by their bits. */
static void encode_pieces(const Position *p, uint8_t *half_bytes) {
    const Bits white_rooks = castling_rooks(p, WHITE), rooks = white_rooks | castling_rooks(p, BLACK);
    const Bits passed = p->ep ? bit(p->ep + pawn_up((Colour)!p->turn)) : 0;
    const Bits king_to_move = p->turn == BLACK ? p->king & p->side[BLACK] : 0;
    const DataBoardCode c = data_board_code(p);
    const Bits code[4] = {(c.set[3] & ~passed) ^ rooks, c.set[0] & ~white_rooks, c.set[1] | passed | king_to_move,
                          c.set[2] | passed | rooks};
    data_board_write(occupied(p), code, half_bytes);
}

static unsigned encode_move(Move m) {
    const unsigned type = move_promotes(m)             ? BINPACK_PROMOTION
                          : move_flag(m) == CASTLING   ? BINPACK_CASTLING
                          : move_flag(m) == EN_PASSANT ? BINPACK_EN_PASSANT
                                                       : BINPACK_NORMAL;
    return type << 14 | (unsigned)move_from(m) << 8 | (unsigned)move_to(m) << 2 |
           (move_promotes(m) ? (unsigned)(move_promotion(m) - KNIGHT) : 0);
}

void binpack_stem_encode(const DataRecord *r, uint8_t *at) {
    const Position *p = &r->position;
    assert(r->move && r->result >= -1 && r->result <= 1);
    set64_big(at, occupied(p));
    encode_pieces(p, at + 8);
    set16_big(at + 24, encode_move(r->move));
    set16_big(at + 26, rotate_sign_encode(data_score16(r->score)));
    set16_big(at + 28, (unsigned)(r->ply & BINPACK_PLY_MAX) | (unsigned)rotate_sign_encode(r->result) << 14);
    set16_big(at + 30, p->halfmove);
}
