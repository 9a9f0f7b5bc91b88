/* SPDX-License-Identifier: MIT */
#include "formats/packed_sfen.h"

#include <string.h>

#include "data/bit_stream.h"
#include "notation/names.h"
#include "notation/validate.h"

enum { SQUARE_BITS = 7 };

/* In which hands and the box are written. */
static const PieceType hand_order[HAND_TYPES] = {PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK};

/* ---- reading ---- */

typedef struct {
    const PackedCodes *codes;
    BitStream bits;
    Position *p;
    unsigned count[HAND_TYPES]; /* pieces so far, by type without promotion */
} PackedReader;

/* What the next bits begin with. */
INLINE unsigned lookahead(const PackedReader *r) {
    return bits_peek(&r->bits) & ((1 << PACKED_LOOKAHEAD_BITS) - 1);
}

/* Counts a piece and goes behind it; false with an error if a set has no more of them. */
static bool take_piece(PackedReader *r, PackedSymbol piece, TabiaError *error) {
    const PieceType base = piece_type_unpromoted((PieceType)piece.type);
    r->bits.position += piece.bits;
    if (++r->count[base] <= set_pieces(base)) return true;
    return tabia_fail(error, "there are more than %u %ss, promoted or not, in hand or out of the game",
                      set_pieces(base), piece_type_name(base));
}

/* The squares from `from` up to `to`, exclusive, where no king stands. Runs of empty ones, zero bits, are skipped at
   once. */
static bool read_squares(PackedReader *r, int from, int to, TabiaError *error) {
    while (from < to && r->bits.position < STREAM_BITS) {
        const int empty = lsb(bits_peek(&r->bits) | bit(63)), skipped = empty < to - from ? empty : to - from;
        from += skipped;
        r->bits.position += (unsigned)skipped;
        if (from == to || empty == 63) continue;
        const PackedSymbol piece = r->codes->on_board[lookahead(r)];
        if (!piece.bits) return tabia_fail(error, "the piece on %s has no known code", square_name(from).text);
        if (!take_piece(r, piece, error)) return false;
        position_put(r->p, from++, (Colour)piece.holder, (PieceType)piece.type);
    }
    return from == to || tabia_fail(error, "the pieces do not fit in 32 bytes");
}

static bool read_kings(PackedReader *r, TabiaError *error) {
    for (int c = BLACK; c <= WHITE; c++) {
        const unsigned square = bits_read(&r->bits, SQUARE_BITS);
        if (square >= BOARD_SQUARES)
            return tabia_fail(error, "%s's king is on square %u; squares are 0 to 80", colour_name((Colour)c), square);
        if (c == WHITE && square == r->p->king[BLACK])
            return tabia_fail(error, "both kings are on %s", square_name((int)square).text);
        position_put(r->p, (int)square, (Colour)c, KING);
    }
    return true;
}

static bool read_board(PackedReader *r, TabiaError *error) {
    const int a = king_square(r->p, BLACK), b = king_square(r->p, WHITE);
    const int first = a < b ? a : b, second = a ^ b ^ first;
    return read_squares(r, 0, first, error) && read_squares(r, first + 1, second, error) &&
           read_squares(r, second + 1, BOARD_SQUARES, error);
}

/* Hands and box, to the end of the bits; then every piece of a set must have been there. */
static bool read_hands(PackedReader *r, TabiaError *error) {
    while (r->bits.position < STREAM_BITS) {
        const PackedSymbol piece = r->codes->in_hand[lookahead(r)];
        if (!piece.bits) return tabia_fail(error, "a piece in hand has no known code");
        if (!take_piece(r, piece, error)) return false;
        if (piece.holder != PACKED_BOX) r->p->hand[piece.holder] += hand_one((PieceType)piece.type);
    }
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++)
        if (r->count[t] != set_pieces(t))
            return tabia_fail(error, "%u of %u %ss are there, promoted or not, in hand or out of the game", r->count[t],
                              set_pieces(t), piece_type_name(t));
    return r->bits.position == STREAM_BITS || tabia_fail(error, "the pieces in hand do not fit in 32 bytes");
}

bool packed_sfen_decode(PackedLayout layout, const uint8_t at[PACKED_BYTES], Position *p, TabiaError *error) {
    PackedReader r = {.codes = &packed_codes[layout], .bits = bits_load(at), .p = p};
    *p = (Position){.king = {NO_SQUARE, NO_SQUARE}, .turn = (uint8_t)bits_read(&r.bits, 1), .ply = 1};
    return read_kings(&r, error) && read_board(&r, error) && read_hands(&r, error) && position_validate(p, error);
}

/* ---- writing ---- */

/* The type of the piece on each square that has one but a king. */
static void list_types(const Position *p, uint8_t type[BOARD_SQUARES]) {
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++) {
        EACH_SQUARE (s, p->type[t]) type[s] = (uint8_t)t;
    }
    EACH_SQUARE (s, p->promoted) type[s] |= PROMOTED;
}

/* Empty squares are zero bits, which the stream has already. */
static void write_board(const PackedCodes *codes, BitStream *s, const Position *p) {
    uint8_t type[BOARD_SQUARES];
    const Squares kings = king_bit(p, BLACK) | king_bit(p, WHITE);
    int next = 0;
    list_types(p, type);
    EACH_SQUARE (square, occupied(p)) {
        s->position += (unsigned)(square - next);
        next = square + 1;
        if (has_square(kings, square)) continue;
        const PackedCode code = codes->board[has_square(p->side[WHITE], square)][type[square]];
        bits_write(s, code.bits, code.value);
    }
    s->position += (unsigned)(BOARD_SQUARES - next);
}

static unsigned held(const Position *p, unsigned holder, PieceType t) {
    return holder == PACKED_BOX ? set_pieces(t) - position_pieces(p, t) : hand_count(p->hand[holder], t);
}

void packed_sfen_encode(PackedLayout layout, const Position *p, uint8_t at[PACKED_BYTES]) {
    const PackedCodes *codes = &packed_codes[layout];
    BitStream s = {0};
    bits_write(&s, 1, p->turn);
    bits_write(&s, SQUARE_BITS, p->king[BLACK]);
    bits_write(&s, SQUARE_BITS, p->king[WHITE]);
    write_board(codes, &s, p);
    for (unsigned holder = BLACK; holder < PACKED_HOLDERS; holder++)
        for (int i = 0; i < HAND_TYPES; i++) {
            const PackedCode code = codes->hand[holder][hand_order[i]];
            for (unsigned n = held(p, holder, hand_order[i]); n; n--) bits_write(&s, code.bits, code.value);
        }
    assert(s.position == STREAM_BITS);
    bits_store(&s, at);
}

DataRejection packed_sfen_reject(const DataRecord *r) {
    const Position *p = &r->position;
    if (p->king[BLACK] == NO_SQUARE || p->king[WHITE] == NO_SQUARE) return DATA_REJECT_king;
    for (PieceType t = PAWN; (int)t < HAND_TYPES; t++)
        if (position_pieces(p, t) > set_pieces(t)) return DATA_REJECT_pieces;
    return DATA_ACCEPT;
}
