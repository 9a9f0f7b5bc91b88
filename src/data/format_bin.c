/* SPDX-License-Identifier: MIT */
/*
 * PackedSfenValue of YaneuraOu and Stockfish (Nodchip, 2020): 40 bytes.
 *
 *    0  256 bits, the lowest of each byte first: turn; the kings' squares; for each other square, ranks from the eighth
 *       down and files from a, a bit 0 or four bits of kind and one of colour; castling K Q k q; en passant flag and
 *       square; the clock's 6 low bits; 16 bits of fullmove number; the clock's seventh bit; zeros
 *   32  i16 score   34  u16 move   36  u16 ply   38  i8 result   39  padding
 *
 * Rights to castle are flags: the rook is the outermost on its side. Another one (in Chess960) cannot be said.
 */
#include <string.h>

#include "data/board.h"
#include "data/encode.h"
#include "notation/names.h"

enum { BITS = 256, CLOCK_MAX = 127 };

/* ---- bits ---- */

/* Over four words; reading beyond the end gives zeros and shows in `at`. */
typedef struct {
    uint64_t word[5];
    unsigned at;
} Stream;

INLINE unsigned take(Stream *s, unsigned n) {
    const unsigned w = s->at / 64 & 3, shift = s->at % 64;
    const uint64_t both = s->word[w] >> shift | (shift ? s->word[w + 1] << (64 - shift) : 0);
    s->at += n;
    return (unsigned)(both & ((1u << n) - 1));
}

INLINE void give(Stream *s, unsigned n, unsigned value) {
    const unsigned w = s->at / 64, shift = s->at % 64;
    s->word[w] |= (uint64_t)value << shift;
    if (shift + n > 64) s->word[w + 1] |= (uint64_t)value >> (64 - shift);
    s->at += n;
}

/* ---- reading ---- */

/* The next 64 bits, zeros beyond the end. */
INLINE uint64_t peek(const Stream *s) {
    const unsigned w = s->at / 64 & 3, shift = s->at % 64;
    return s->word[w] >> shift | (shift ? s->word[w + 1] << (64 - shift) : 0);
}

/* Squares in the order of the stream have the numbers of ours with their ranks turned round: number ^ 56. From `from`
   to before `to` there is no king. Runs of empty squares, zeros, are passed over at once. */
static bool get_men_between(Stream *s, Position *p, unsigned from, unsigned to, Fault *fault) {
    while (from < to && s->at < BITS) {
        const unsigned empty = (unsigned)first(peek(s) | bit(63));
        if (empty >= to - from) {
            s->at += to - from;
            return true;
        }
        from += empty;
        s->at += empty;
        const unsigned man = take(s, 5), kind = man >> 1 & 7, square = from ^ 56;
        if (kind > QUEEN)
            return tabia_fault(fault, "the man on %s has kind %u", square_name((int)square).text, man & 15);
        position_put(p, (int)square, (Colour)(man >> 4), (Kind)kind);
        from++;
    }
    return from == to || tabia_fault(fault, "the men do not fit in 32 bytes");
}

static bool get_men(Stream *s, Position *p, Fault *fault) {
    const unsigned white = (unsigned)king_square(p, WHITE) ^ 56, black = (unsigned)king_square(p, BLACK) ^ 56;
    const unsigned one = white < black ? white : black, two = white ^ black ^ one;
    return get_men_between(s, p, 0, one, fault) && get_men_between(s, p, one + 1, two, fault) &&
           get_men_between(s, p, two + 1, 64, fault);
}

/* The outermost rook on that side of c's king; none: the square of a rook that is not there, for validation to name. */
static int outermost_rook(const Position *p, Colour c, bool is_short) {
    const int king = king_square(p, c);
    const Bits beyond = is_short ? ~(Bits)0 << king : bit(king) - 1;
    const Bits rooks = p->side[c] & p->orth & ~p->diag & home_rank(c) & beyond;
    if (!rooks) return home_row(c) + (is_short ? 7 : 0);
    return is_short ? last(rooks) : first(rooks);
}

static bool get_position(Stream *s, Position *p, Fault *fault) {
    *p = (Position){.turn = (uint8_t)take(s, 1)};
    const int white = (int)take(s, 6), black = (int)take(s, 6);
    if (white == black) return tabia_fault(fault, "both kings stand on %s", square_name(white).text);
    position_put(p, white, WHITE, KING);
    position_put(p, black, BLACK, KING);
    if (!get_men(s, p, fault)) return false;
    for (int c = WHITE; c <= BLACK; c++)
        for (int is_short = 1; is_short >= 0; is_short--)
            if (take(s, 1)) p->castle[c] |= (uint8_t)(1u << square_file(outermost_rook(p, (Colour)c, is_short)));
    const unsigned ep = take(s, 1) ? take(s, 6) : NO_SQUARE;
    unsigned clock = take(s, 6);
    p->fullmove = (uint16_t)take(s, 16);
    clock |= take(s, 1) << 6;
    p->halfmove = (uint16_t)clock;
    if (s->at > BITS) return tabia_fault(fault, "the position does not fit in 32 bytes");
    for (; s->at < BITS; s->at++)
        if (s->word[s->at / 64] >> s->at % 64)
            return tabia_fault(fault, "bits are set after the position; they are zero");
        else
            s->at |= 63;
    return data_position_finish(p, ep, fault);
}

static bool get_move(const Position *p, unsigned code, Move *move, Fault *fault) {
    enum { NORMAL, PROMOTES, TAKES_EN_PASSANT, CASTLES };
    const int from = (int)(code >> 6 & 63), to = (int)(code & 63);
    const unsigned flag = code >> 14, kind = code >> 12 & 3;
    *move = 0;
    if (!code) return true;
    const Move m = move_between(p, from, to, flag == PROMOTES ? (Kind)(KNIGHT + kind) : PAWN);
    const bool same = m && (flag == PROMOTES || !kind) && (flag == CASTLES) == (move_flag(m) == CASTLING) &&
                      (flag == TAKES_EN_PASSANT) == (move_flag(m) == EN_PASSANT);
    *move = m;
    return same || tabia_fault(fault, "illegal move: %s%s with flag %u and promotion %u", square_name(from).text,
                               square_name(to).text, flag, kind);
}

static int get_record(DataDecoder *d, DataRecord *r, Fault *fault) {
    const size_t have = data_input_have(&d->in, 40);
    d->at = data_input_offset(&d->in);
    if (have < 40) return have || d->in.error ? data_short(d, "a record", have, 40, fault) : DATA_AT_END;
    const uint8_t *at = data_input_here(&d->in);
    d->in.at += 40;
    Stream s = {{get64(at), get64(at + 8), get64(at + 16), get64(at + 24), 0}, 0};
    if (!get_position(&s, &r->position, fault)) return DATA_BAD;
    if (!get_move(&r->position, get16(at + 34), &r->move, fault)) return DATA_BAD;
    r->score = (int16_t)get16(at + 32);
    r->ply = get16(at + 36);
    r->result = (int8_t)at[38];
    if (r->result < -1 || r->result > 1) return data_bad(fault, "the result is %d; it is -1, 0 or 1", r->result);
    return DATA_GOOD;
}

/* ---- writing ---- */

static void put_men(Stream *s, const Position *p) {
    const Bits all = occupied(p) & ~p->king;
    for (int rank = 7; rank >= 0; rank--) {
        for (int square = 8 * rank; square < 8 * rank + 8; square++) {
            if (p->king & bit(square)) continue;
            if (all & bit(square))
                give(s, 5, 1u | (unsigned)kind_at(p, square) << 1 | (unsigned)(p->side[BLACK] >> square & 1) << 4);
            else
                give(s, 1, 0);
        }
    }
}

static unsigned move_code(Move m) {
    unsigned code = (unsigned)(move_to(m) | move_from(m) << 6);
    if (move_promotes(m)) code |= (unsigned)(move_promotion(m) - KNIGHT) << 12 | 1u << 14;
    if (move_flag(m) == EN_PASSANT) code |= 2u << 14;
    if (move_flag(m) == CASTLING) code |= 3u << 14;
    return code;
}

static void put_record(DataEncoder *e, const DataRecord *r) {
    uint8_t *at = data_bytes_room(&e->bytes, 40);
    if (!at) return;
    const Position *p = &r->position;
    const unsigned clock = p->halfmove > CLOCK_MAX ? CLOCK_MAX : p->halfmove;
    Stream s = {0};
    give(&s, 1, p->turn);
    give(&s, 6, (unsigned)king_square(p, WHITE));
    give(&s, 6, (unsigned)king_square(p, BLACK));
    put_men(&s, p);
    for (int c = WHITE; c <= BLACK; c++)
        for (int is_short = 1; is_short >= 0; is_short--) give(&s, 1, castling_rook(p, (Colour)c, is_short) != 0);
    give(&s, 1, p->ep != 0);
    if (p->ep) give(&s, 6, p->ep);
    give(&s, 6, clock & 63);
    give(&s, 16, p->fullmove);
    give(&s, 1, clock >> 6);
    for (int i = 0; i < 4; i++) set64(at + 8 * i, s.word[i]);
    set16(at + 32, (uint16_t)data_score16(r->score));
    set16(at + 34, move_code(r->move));
    set16(at + 36, r->ply);
    at[38] = (uint8_t)r->result;
    at[39] = 0xff;
    e->bytes.n += 40;
}

static DataFields lost(const DataRecord *r) {
    return r->position.halfmove > CLOCK_MAX ? DATA_CLOCK : 0;
}

static DataUnfit unfit(const DataRecord *r) {
    const Position *p = &r->position;
    for (int c = WHITE; c <= BLACK; c++)
        EACH (file, p->castle[c]) {
            const int rook = home_row((Colour)c) + (int)file;
            if (outermost_rook(p, (Colour)c, rook > king_square(p, (Colour)c)) != rook) return DATA_UNFIT_rook;
        }
    return DATA_FIT;
}

const DataFormat data_format_bin = {
    .name = "bin",
    .endings = "bin",
    .about = "PackedSfenValue of YaneuraOu and Stockfish: 40 bytes a record",
    .least_bits = 40 * 8,
    .record_bytes = 40,
    .holds = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_CLOCK |
             DATA_NUMBER | DATA_GAMES | DATA_SKIP,
    .limits = "halfmove clocks to 127; only the outermost rooks castle",
    .lost = lost,
    .unfit = unfit,
    .put = put_record,
    .get = get_record,
};
