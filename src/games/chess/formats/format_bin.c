/* SPDX-License-Identifier: MIT */
/*
 * PackedSfenValue of YaneuraOu and Stockfish (Nodchip, 2020): 40 bytes.
 *
 *    0  256 bits, the lowest of each byte first: turn; the kings' squares; for each other square, ranks from the eighth
 *       down and files from a, a bit 0 or four bits of piece type and one of colour; castling K Q k q; en passant flag and
 *       square; the clock's 6 low bits; 16 bits of fullmove number; the clock's seventh bit; unused
 *   32  i16 score   34  u16 move   36  u16 ply   38  i8 result   39  padding
 *
 * Castling rights are flags: the rook is the outermost on its side. Another rook (in Chess960) cannot be encoded.
 */
#include <assert.h>
#include <string.h>

#include "data/bit_stream.h"
#include "data/decode.h"
#include "data/encode.h"
#include "notation/names.h"
#include "records/board.h"

enum { SFEN_BYTES = 40, HALFMOVE_CLOCK_MAX = 127 };

/* ---- reading ---- */

/* The stream orders squares by ranks from the eighth down: its square index is ours ^ 56. There is no king from `from`
   up to `to`, exclusive. Runs of empty squares, zero bits, are skipped at once. */
static bool decode_pieces_between(BitStream *s, Position *p, unsigned from, unsigned to, TabiaError *error) {
    while (from < to && s->position < STREAM_BITS) {
        const unsigned empty = (unsigned)lsb(bits_peek(s) | bit(63));
        if (empty >= to - from) {
            s->position += to - from;
            return true;
        }
        from += empty;
        s->position += empty;
        const unsigned piece = bits_read(s, 5), type = piece >> 1 & 7, square = from ^ 56;
        if (type > QUEEN) return tabia_fail(error, "the piece on %s has type %u", square_name((int)square).text, type);
        position_put(p, (int)square, (Colour)(piece >> 4), (PieceType)type);
        from++;
    }
    return from == to || tabia_fail(error, "the pieces do not fit in 32 bytes");
}

static bool decode_pieces(BitStream *s, Position *p, TabiaError *error) {
    const unsigned white = (unsigned)king_square(p, WHITE) ^ 56, black = (unsigned)king_square(p, BLACK) ^ 56;
    const unsigned first = white < black ? white : black, second = white ^ black ^ first;
    return decode_pieces_between(s, p, 0, first, error) && decode_pieces_between(s, p, first + 1, second, error) &&
           decode_pieces_between(s, p, second + 1, 64, error);
}

/* The outermost rook on that side of c's king; without one its corner square, for validation to name. */
static int outermost_rook(const Position *p, Colour c, bool is_short) {
    const int king = king_square(p, c);
    const Bits beyond = is_short ? ~(Bits)0 << king : bit(king) - 1;
    const Bits rooks = p->side[c] & p->orth & ~p->diag & back_rank(c) & beyond;
    if (!rooks) return back_rank_start(c) + (is_short ? 7 : 0);
    return is_short ? msb(rooks) : lsb(rooks);
}

static bool decode_position(BitStream *s, Position *p, TabiaError *error) {
    *p = (Position){.turn = (uint8_t)bits_read(s, 1)};
    const int white = (int)bits_read(s, 6), black = (int)bits_read(s, 6);
    if (white == black) return tabia_fail(error, "both kings are on %s", square_name(white).text);
    position_put(p, white, WHITE, KING);
    position_put(p, black, BLACK, KING);
    if (!decode_pieces(s, p, error)) return false;
    for (int c = WHITE; c <= BLACK; c++)
        for (int is_short = 1; is_short >= 0; is_short--)
            if (bits_read(s, 1)) p->castle[c] |= (uint8_t)(1u << file_of(outermost_rook(p, (Colour)c, is_short)));
    const unsigned ep = bits_read(s, 1) ? bits_read(s, 6) : NO_SQUARE;
    unsigned clock = bits_read(s, 6);
    p->fullmove = (uint16_t)bits_read(s, 16);
    clock |= bits_read(s, 1) << 6;
    p->halfmove = (uint16_t)clock;
    if (s->position > STREAM_BITS) return tabia_fail(error, "the position does not fit in 32 bytes");
    return data_position_finalize(p, ep, error);
}

/* Is a bit set behind the position? */
static bool has_unused_bits(const BitStream *s) {
    assert(s->position <= STREAM_BITS);
    for (unsigned at = s->position; at < STREAM_BITS; at = (at | 63) + 1)
        if (s->word[at / 64] >> at % 64) return true;
    return false;
}

static bool decode_move(const Position *p, unsigned code, Move *move, TabiaError *error) {
    enum { SFEN_NORMAL, SFEN_PROMOTION, SFEN_EN_PASSANT, SFEN_CASTLING };
    const int from = (int)(code >> 6 & 63), to = (int)(code & 63);
    const unsigned flag = code >> 14, type = code >> 12 & 3;
    *move = 0;
    if (!code) return true;
    const Move m = move_from_squares(p, from, to, flag == SFEN_PROMOTION ? (PieceType)(KNIGHT + type) : PAWN);
    const bool matches = m && (flag == SFEN_PROMOTION || !type) &&
                         (flag == SFEN_CASTLING) == (move_flag(m) == CASTLING) &&
                         (flag == SFEN_EN_PASSANT) == (move_flag(m) == EN_PASSANT);
    *move = m;
    return matches || tabia_fail(error, "illegal move: %s%s with flag %u and promotion %u", square_name(from).text,
                                 square_name(to).text, flag, type);
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a record", SFEN_BYTES, &status, error);
    if (!at) return status;
    d->in.begin += SFEN_BYTES;
    BitStream s = bits_load(at);
    if (!decode_position(&s, &r->position, error)) return DATA_READ_BAD_RECORD;
    r->unused = has_unused_bits(&s);
    if (!decode_move(&r->position, get16(at + 34), &r->move, error)) return DATA_READ_BAD_RECORD;
    r->score = (int16_t)get16(at + 32);
    r->ply = get16(at + 36);
    r->result = (int8_t)at[38];
    if (r->result < -1 || r->result > 1) return data_bad_record(error, "the result is %d; it is -1, 0 or 1", r->result);
    return DATA_READ_OK;
}

/* ---- writing ---- */

/* Bits that may stand across two words; there is a word behind that of `position`. */
INLINE void put_bits(BitStream *s, uint64_t bits, unsigned n) {
    const unsigned w = s->position / 64, shift = s->position % 64;
    s->word[w] |= bits << shift;
    s->word[w + 1] |= bits >> 1 >> (63 - shift);
    s->position += n;
}

enum { STREAM_SQUARES = 62 }; /* all but the kings' */

#ifdef __BMI2__
/* The squares but those of the kings in the order of the stream, and of each whether it is occupied and its code. */
typedef struct {
    Bits all, code[4];
} StreamBoard;

INLINE Bits in_order(Bits set, Bits squares) {
    return __builtin_ia32_pext_di(__builtin_bswap64(set), squares);
}

INLINE StreamBoard stream_board(const Position *p) {
    const DataBoardCode c = data_board_code(p);
    const Bits squares = __builtin_bswap64(~p->king);
    return (StreamBoard){in_order(occupied(p), squares),
                         {in_order(c.set[0], squares), in_order(c.set[1], squares), in_order(c.set[2], squares),
                          in_order(c.set[3], squares)}};
}

/* Twelve squares at a time: each gets five bits, and then the four of a code leave where there is no piece. */
static void encode_pieces(BitStream *s, const Position *p) {
    enum { GROUP = 12 };
    static const Bits first = 0x84210842108421; /* of each five */
    const StreamBoard b = stream_board(p);
    for (unsigned from = 0; from < STREAM_SQUARES; from += GROUP) {
        const Bits squares = STREAM_SQUARES - from < GROUP ? first & (bit(5 * (STREAM_SQUARES % GROUP)) - 1) : first;
        const Bits there = __builtin_ia32_pdep_di(b.all >> from, squares), codes = (there << 5) - (there << 1);
        Bits five = there;
        for (int k = 0; k < 4; k++) five |= __builtin_ia32_pdep_di(b.code[k] >> from, squares << (k + 1));
        put_bits(s, __builtin_ia32_pext_di(five, squares | codes), (unsigned)popcount(squares | codes));
    }
}
#else
/* Empty squares are zeros. */
static void encode_pieces(BitStream *s, const Position *p) {
    const DataBoardCode c = data_board_code(p);
    const Bits kings = __builtin_bswap64(p->king);
    unsigned done = 0;
    EACH (i, __builtin_bswap64(occupied(p)) & ~kings) {
        const unsigned square = (unsigned)(i - (i > (Bits)lsb(kings)) - (i > (Bits)msb(kings)));
        uint64_t five = 1;
        for (int k = 0; k < 4; k++) five |= (c.set[k] >> (i ^ 56) & 1) << (k + 1);
        s->position += square - done;
        put_bits(s, five, 5);
        done = square + 1;
    }
    s->position += STREAM_SQUARES - done;
}
#endif

static unsigned encode_move(Move m) {
    unsigned code = (unsigned)(move_to(m) | move_from(m) << 6);
    if (move_promotes(m)) code |= (unsigned)(move_promotion(m) - KNIGHT) << 12 | 1u << 14;
    if (move_flag(m) == EN_PASSANT) code |= 2u << 14;
    if (move_flag(m) == CASTLING) code |= 3u << 14;
    return code;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    uint8_t *at = data_buffer_reserve(&e->bytes, SFEN_BYTES);
    if (!at) return;
    const Position *p = &r->position;
    const unsigned clock = p->halfmove > HALFMOVE_CLOCK_MAX ? HALFMOVE_CLOCK_MAX : p->halfmove;
    BitStream s = {0};
    bits_write(&s, 1, p->turn);
    bits_write(&s, 6, (unsigned)king_square(p, WHITE));
    bits_write(&s, 6, (unsigned)king_square(p, BLACK));
    encode_pieces(&s, p);
    for (int c = WHITE; c <= BLACK; c++)
        for (int is_short = 1; is_short >= 0; is_short--) bits_write(&s, 1, castling_rook(p, (Colour)c, is_short) != 0);
    bits_write(&s, 1, p->ep != 0);
    if (p->ep) bits_write(&s, 6, p->ep);
    bits_write(&s, 6, clock & 63);
    bits_write(&s, 16, p->fullmove);
    bits_write(&s, 1, clock >> 6);
    bits_store(&s, at);
    set16(at + 32, (uint16_t)data_score16(r->score));
    set16(at + 34, encode_move(r->move));
    set16(at + 36, r->ply);
    at[38] = (uint8_t)r->result;
    at[39] = 0xff;
    e->bytes.size += SFEN_BYTES;
}

static DataFields lost_fields(const DataRecord *r) {
    return r->position.halfmove > HALFMOVE_CLOCK_MAX ? DATA_HALFMOVE_CLOCK : 0;
}

static DataRejection reject(const DataRecord *r) {
    const Position *p = &r->position;
    for (int c = WHITE; c <= BLACK; c++)
        EACH (file, p->castle[c]) {
            const int rook = back_rank_start((Colour)c) + (int)file;
            if (outermost_rook(p, (Colour)c, rook > king_square(p, (Colour)c)) != rook) return DATA_REJECT_rook;
        }
    return DATA_ACCEPT;
}

const DataFormat data_format_bin = {
    .name = "bin",
    .extensions = "bin",
    .description = "PackedSfenValue of YaneuraOu and Stockfish: 40 bytes a record",
    .min_record_bits = SFEN_BYTES * 8,
    .record_bytes = SFEN_BYTES,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_CASTLING | DATA_EP |
              DATA_HALFMOVE_CLOCK | DATA_FULLMOVE_NUMBER | DATA_GAME_STARTS | DATA_SKIP,
    .limits = "halfmove clocks to 127; only the outermost rooks castle",
    .lost_fields = lost_fields,
    .reject = reject,
    .write = write_record,
    .read = read_record,
};
