/* SPDX-License-Identifier: MIT */
/*
 * Binpack of Stockfish's trainer (Tomasz Sobczyk, 2020): games as chains of bits, in chunks.
 *
 *   file   chunks: "BINP", u32 bytes, chains
 *   chain  stem of 32 bytes, u16 number of plies that follow, and for each of them, as bits, highest first:
 *            which own man moves, counted from a1; where to, counted among the squares it reaches, checks ignored;
 *            by how much the score differs from the last one's reverse, 4 bits at a time
 *   stem   u64 occupied squares, 16 bytes of half bytes, u16 move, u16 score, u16 ply | result << 14, u16 clock; all
 *          numbers with the high byte first, signs in the lowest bit
 *
 *   half byte   0 to 11: P p N n B b R r Q q K k   12: a pawn that has just stepped over the en passant square
 *               13, 14: a white, a black rook that may castle   15: the black king, black to move
 *
 * Choices among n take ceil(log2 n) bits. A pawn before its last step counts each target four times, for N B R Q. A
 * king counts castlings after its squares, long before short.
 *
 * Other programs' readers know the castling of standard chess only, and crash on rights of other kings and rooks. So
 * what is written as binpack is what Stockfish's tools write of Chess960: a position in which somebody may castle as in
 * Chess960 only has no right at all, and a castling move there is left out. binpack960 keeps both, for Tabia. They are
 * read alike.
 */
#include <string.h>

#include "data/binpack_targets.h"
#include "data/board.h"
#include "data/encode.h"
#include "notation/names.h"

enum {
    STEM = 32,
    CHAIN_HEAD = STEM + 2,
    CHUNK_HEAD = 8,
    CHUNK_BYTES = 1 << 20,
    PLIES_MAX = 65535,
    PLY_MAX = (1 << 14) - 1,
    SCORE_BITS = 4,
};
enum { EP_PAWN = 12, WHITE_UNMOVED_ROOK, BLACK_UNMOVED_ROOK, BLACK_KING_TO_MOVE };
enum { NORMAL, PROMOTES, CASTLES, TAKES_EN_PASSANT };

/* The sign goes to the lowest bit, so that small numbers of either sign have few bits. */
INLINE uint16_t unsign(int16_t n) {
    const uint16_t a = (uint16_t)(n < 0 ? (uint16_t)n ^ 0x7fff : n);
    return (uint16_t)(a << 1 | a >> 15);
}
INLINE int16_t resign(unsigned n) {
    const uint16_t a = (uint16_t)((n & 0xffff) >> 1 | n << 15);
    return (int16_t)(a & 0x8000 ? a ^ 0x7fff : a);
}

/* ---- the stem, read ---- */

static bool get_man(Position *p, int square, unsigned man, unsigned *ep, Fault *fault) {
    if (man == EP_PAWN) {
        const Colour c = square_rank(square) == 3 ? WHITE : BLACK;
        if (square_rank(square) != 3 && square_rank(square) != 4)
            return tabia_fault(fault, "the pawn on %s is said to have just stepped over a square",
                               square_name(square).text);
        if (*ep != NO_SQUARE) return tabia_fault(fault, "two pawns are said to have just stepped over a square");
        *ep = (unsigned)(square - pawn_up(c));
        position_put(p, square, c, PAWN);
    } else if (man == BLACK_KING_TO_MOVE) {
        p->turn = BLACK;
        position_put(p, square, BLACK, KING);
    } else if (man > EP_PAWN) {
        const Colour c = man == WHITE_UNMOVED_ROOK ? WHITE : BLACK;
        position_put(p, square, c, ROOK);
        return data_right_give(p, c, square, fault);
    } else {
        position_put(p, square, (Colour)(man & 1), (Kind)(man >> 1));
    }
    return true;
}

static bool get_position(const uint8_t *at, Position *p, Fault *fault) {
    DataBoard b;
    uint64_t all = 0;
    unsigned i = 0, ep = NO_SQUARE;
    for (int k = 0; k < 8; k++) all = all << 8 | at[k];
    const unsigned ply = get16_big(at + 28) & PLY_MAX;
    *p = (Position){.turn = WHITE, .halfmove = get16_big(at + 30), .fullmove = (uint16_t)(ply / 2 + 1)};
    if (!data_board_get(&b, all, at + 8, fault)) return false;
    EACH (square, b.occupied)
        if (!get_man(p, (int)square, b.man[i++], &ep, fault)) return false;
    return data_position_finish(p, ep, fault);
}

static bool get_move(const Position *p, unsigned code, Move *move, Fault *fault) {
    const unsigned type = code >> 14, kind = code & 3;
    const int from = (int)(code >> 8 & 63), to = (int)(code >> 2 & 63);
    const Move m = move_between(p, from, to, type == PROMOTES ? (Kind)(KNIGHT + kind) : PAWN);
    *move = m;
    return (m && (type == CASTLES) == (move_flag(m) == CASTLING) &&
            (type == TAKES_EN_PASSANT) == (move_flag(m) == EN_PASSANT)) ||
           tabia_fault(fault, "illegal move: %s%s of type %u and promotion %u", square_name(from).text,
                       square_name(to).text, type, kind);
}

static bool get_stem(const uint8_t *at, DataRecord *r, Fault *fault) {
    if (!get_position(at, &r->position, fault)) return false;
    if (!get_move(&r->position, get16_big(at + 24), &r->move, fault)) return false;
    const unsigned end = get16_big(at + 28);
    r->score = resign(get16_big(at + 26));
    r->ply = (uint16_t)(end & PLY_MAX);
    r->result = (int8_t)resign(end >> 14);
    return (end >> 14) < 3 || tabia_fault(fault, "the result has number 3; it is 0, 1 or 2");
}

/* ---- bits, read ---- */

typedef struct {
    const uint8_t *at;
    size_t bits, used; /* there are; read, more than that if they ran out */
} BitsIn;

INLINE unsigned take(BitsIn *s, unsigned n) {
    unsigned value = 0;
    for (unsigned i = 0; i < n; i++, s->used++)
        value = value << 1 | (s->used < s->bits ? s->at[s->used / 8] >> (7 - s->used % 8) & 1u : 0u);
    return value;
}

/* The move that the bits choose, or 0. */
static Move take_move(BitsIn *s, const Position *p) {
    const Bits own = p->side[p->turn];
    const unsigned man = take(s, choice_bits((unsigned)count(own)));
    if (man >= (unsigned)count(own)) return 0;
    const int from = nth(own, man);
    const Targets t = binpack_targets(p, from);
    const unsigned n = targets_count(&t), chosen = take(s, choice_bits(n));
    if (chosen >= n) return 0;
    return target_move(p, from, &t, chosen);
}

static int16_t take_score(BitsIn *s, int16_t expected) {
    unsigned value = 0, shift = 0;
    for (bool more = true; more && shift < 16; shift += SCORE_BITS) {
        const unsigned block = take(s, SCORE_BITS + 1);
        value |= (block & ((1u << SCORE_BITS) - 1)) << shift;
        more = block >> SCORE_BITS;
    }
    return (int16_t)(expected + resign(value));
}

/* ---- reading ---- */

/* The rest of the chunk cannot be followed: where a chain ends is only known at its end. */
static int give_up_chunk(DataDecoder *d) {
    d->open = false;
    d->skipping = true;
    return DATA_BAD;
}

static int skip_chunk(DataDecoder *d, Fault *fault) {
    (void)fault;
    while (data_input_offset(&d->in) < d->chunk_end) {
        const uint64_t left = d->chunk_end - data_input_offset(&d->in);
        const size_t have = data_input_have(&d->in, left < DATA_WINDOW_ASK ? (size_t)left : DATA_WINDOW_ASK);
        if (!have) break;
        d->in.at += have;
    }
    return DATA_GOOD;
}

static int begin_chunk(DataDecoder *d, Fault *fault) {
    const size_t have = data_input_have(&d->in, CHUNK_HEAD);
    d->at = data_input_offset(&d->in);
    if (have < CHUNK_HEAD)
        return have || d->in.error ? data_short(d, "a chunk's head", have, CHUNK_HEAD, fault) : DATA_AT_END;
    const uint8_t *at = data_input_here(&d->in);
    if (memcmp(at, "BINP", 4)) return data_broken(fault, "no chunk begins here: it would say BINP");
    d->in.at += CHUNK_HEAD;
    d->chunk_end = d->at + CHUNK_HEAD + (get16(at + 4) | (uint32_t)get16(at + 6) << 16);
    return DATA_GOOD;
}

/* The record's result and score lead to those of the next. */
static void expect_next(DataDecoder *d, const DataRecord *r) {
    d->open = d->plies != 0;
    if (!d->open) return;
    position_play(&d->next, &r->position, r->move);
    d->expected = (int16_t) - (uint16_t)r->score;
    d->white = data_white_result(r);
    d->ply = (uint16_t)(r->ply + 1);
}

static int begin_chain(DataDecoder *d, DataRecord *r, Fault *fault) {
    const uint64_t left = d->chunk_end - data_input_offset(&d->in);
    const size_t have = data_input_have(&d->in, CHAIN_HEAD);
    d->at = data_input_offset(&d->in);
    if (have < CHAIN_HEAD && have < left) return data_short(d, "a chain's head", have, CHAIN_HEAD, fault);
    if (left < CHAIN_HEAD) {
        data_bad(fault, "the chunk ends after %u of the %u bytes of a chain's head", (unsigned)left, CHAIN_HEAD);
        return give_up_chunk(d);
    }
    const uint8_t *at = data_input_here(&d->in);
    if (!get_stem(at, r, fault)) return give_up_chunk(d);
    d->in.at += CHAIN_HEAD;
    d->plies = get16_big(at + STEM);
    d->bits = 0;
    expect_next(d, r);
    return DATA_GOOD;
}

static int follow_chain(DataDecoder *d, DataRecord *r, Fault *fault) {
    enum { PLY_BYTES = 6 }; /* 4 + 6 bits of a move, 20 of a score, and 7 that were used */
    d->at = data_input_offset(&d->in);
    const uint64_t left = d->chunk_end - d->at;
    size_t have = data_input_have(&d->in, PLY_BYTES);
    if (have > left) have = (size_t)left;
    BitsIn s = {data_input_here(&d->in), 8 * have, d->bits};
    r->position = d->next;
    r->move = take_move(&s, &d->next);
    const bool is_legal = r->move && move_is_legal(&d->next, r->move);
    r->score = take_score(&s, d->expected);
    if (s.used > s.bits && have < left) return data_short(d, "a chunk", have, (size_t)left, fault);
    if (s.used > s.bits || !is_legal) {
        data_bad(fault, s.used > s.bits ? "the chain goes on behind its chunk; the chunk is left out"
                                        : "the bits give no legal move; the rest of the chunk is left out");
        return give_up_chunk(d);
    }
    d->in.at += s.used / 8;
    d->bits = s.used % 8;
    r->ply = d->ply;
    r->result = r->position.turn == WHITE ? d->white : (int8_t)-d->white;
    d->plies--;
    expect_next(d, r);
    if (!d->open && d->bits) d->in.at++, d->bits = 0;
    return DATA_GOOD;
}

static int get_record(DataDecoder *d, DataRecord *r, Fault *fault) {
    if (d->open) return follow_chain(d, r, fault);
    while (data_input_offset(&d->in) >= d->chunk_end) {
        const int how = begin_chunk(d, fault);
        if (how != DATA_GOOD) return how;
    }
    return begin_chain(d, r, fault);
}

/* ---- writing ---- */

static unsigned man_number(const Position *p, int square) {
    const Colour c = p->side[BLACK] & bit(square) ? BLACK : WHITE;
    const Kind kind = kind_at(p, square);
    if (kind == PAWN && p->ep && square == p->ep + pawn_up(c) && c != p->turn) return EP_PAWN;
    if (kind == ROOK && castling_rooks(p, c) & bit(square)) return c == WHITE ? WHITE_UNMOVED_ROOK : BLACK_UNMOVED_ROOK;
    if (kind == KING && c == BLACK && p->turn == BLACK) return BLACK_KING_TO_MOVE;
    return 2 * (unsigned)kind + c;
}

static unsigned move_code(Move m) {
    const unsigned type = move_promotes(m)             ? PROMOTES
                          : move_flag(m) == CASTLING   ? CASTLES
                          : move_flag(m) == EN_PASSANT ? TAKES_EN_PASSANT
                                                       : NORMAL;
    return type << 14 | (unsigned)move_from(m) << 8 | (unsigned)move_to(m) << 2 |
           (move_promotes(m) ? (unsigned)(move_promotion(m) - KNIGHT) : 0);
}

static void put_stem(DataEncoder *e, const DataRecord *r) {
    uint8_t *at = data_bytes_room(&e->bytes, CHAIN_HEAD);
    if (!at) return;
    const Position *p = &r->position;
    DataBoard b = {.occupied = occupied(p)};
    EACH (square, b.occupied) b.man[b.n++] = (uint8_t)man_number(p, (int)square);
    for (int k = 0; k < 8; k++) at[k] = (uint8_t)(b.occupied >> (56 - 8 * k));
    data_board_put(&b, at + 8);
    set16_big(at + 24, move_code(r->move));
    set16_big(at + 26, unsign(data_score16(r->score)));
    set16_big(at + 28, (unsigned)(r->ply & PLY_MAX) | (unsigned)(unsign(r->result) & 3) << 14);
    set16_big(at + 30, p->halfmove);
    set16_big(at + STEM, 0);
    e->plies_at = e->bytes.n + STEM;
    e->bytes.n += CHAIN_HEAD;
    e->plies = e->bits = 0;
}

/* Appends n bits, the highest first; e->bits of the last byte are used already (0: it is full). */
static void put_bits(DataEncoder *e, unsigned value, unsigned n) {
    for (unsigned i = n; i-- > 0;) {
        if (!e->bits) data_bytes_put(&e->bytes, (const uint8_t[1]){0}, 1);
        if (e->bytes.failed) return;
        e->bytes.at[e->bytes.n - 1] |= (uint8_t)((value >> i & 1) << (7 - e->bits));
        e->bits = (e->bits + 1) % 8;
    }
}

static void put_score(DataEncoder *e, uint16_t value) {
    const unsigned mask = (1u << SCORE_BITS) - 1;
    do {
        put_bits(e, (value & mask) | (value > mask ? mask + 1 : 0), SCORE_BITS + 1);
        value >>= SCORE_BITS;
    } while (value);
}

static void put_ply(DataEncoder *e, const DataRecord *r) {
    const Position *p = &r->position;
    const Bits own = p->side[p->turn];
    const int from = move_from(r->move);
    const Targets t = binpack_targets(p, from);
    put_bits(e, (unsigned)count(own & (bit(from) - 1)), choice_bits((unsigned)count(own)));
    put_bits(e, target_number(p, &t, r->move), choice_bits(targets_count(&t)));
    put_score(e, unsign((int16_t)((uint16_t)data_score16(r->score) - (uint16_t)e->expected)));
    if (!e->bytes.failed) set16_big(e->bytes.at + e->plies_at, ++e->plies);
}

static void close_chunk(DataEncoder *e) {
    if (e->chunk != SIZE_MAX && !e->bytes.failed) {
        const size_t bytes = e->bytes.n - e->chunk - CHUNK_HEAD;
        set16(e->bytes.at + e->chunk + 4, (unsigned)bytes & 0xffff);
        set16(e->bytes.at + e->chunk + 6, (unsigned)(bytes >> 16));
    }
    e->chunk = SIZE_MAX;
}

static void put_record(DataEncoder *e, const DataRecord *r) {
    if (e->open && e->plies < PLIES_MAX) {
        put_ply(e, r);
    } else {
        if (e->chunk != SIZE_MAX && e->bytes.n - e->chunk >= CHUNK_BYTES) close_chunk(e);
        if (e->chunk == SIZE_MAX) {
            e->chunk = e->bytes.n;
            data_bytes_put(&e->bytes, "BINP\0\0\0", CHUNK_HEAD);
        }
        put_stem(e, r);
    }
    e->expected = (int16_t) - (uint16_t)data_score16(r->score);
}

static void end_game(DataEncoder *e) {
    e->plies_at = SIZE_MAX;
}

static DataFields lost_by_ply(const DataRecord *r) {
    return (r->ply > PLY_MAX ? DATA_PLY : 0u) | (r->position.fullmove != (r->ply & PLY_MAX) / 2 + 1 ? DATA_NUMBER : 0u);
}

static bool is_chess960(const DataRecord *r) {
    return !castles_as_standard(&r->position, WHITE) || !castles_as_standard(&r->position, BLACK);
}
static DataFields lost(const DataRecord *r) {
    return lost_by_ply(r) | (is_chess960(r) ? DATA_CASTLING : 0u);
}
static DataUnfit unfit(const DataRecord *r) {
    return move_flag(r->move) == CASTLING && is_chess960(r) ? DATA_UNFIT_castling : DATA_FIT;
}
static void fit(DataRecord *r) {
    if (is_chess960(r)) r->position.castle[WHITE] = r->position.castle[BLACK] = 0;
}

enum {
    HOLDS = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_CASTLING | DATA_EP | DATA_CLOCK |
            DATA_NUMBER | DATA_GAMES | DATA_SKIP
};

const DataFormat data_format_binpack = {
    .name = "binpack",
    .endings = "binpack",
    .about = "Stockfish's binpack: games as bits in chunks, 2 to 3 bytes a record",
    .least_bits = SCORE_BITS + 1,
    .holds = HOLDS,
    .needs = DATA_MOVE,
    .limits =
        "plies to 16383; the fullmove number is what the ply says; positions with castling rights of Chess960 lose "
        "all rights, castling moves there are left out",
    .lost = lost,
    .unfit = unfit,
    .fit = fit,
    .put = put_record,
    .end = end_game,
    .close = close_chunk,
    .get = get_record,
    .skip = skip_chunk,
};

const DataFormat data_format_binpack960 = {
    .name = "binpack960",
    .endings = "",
    .about = "binpack with the castling rights of Chess960: only Tabia reads those",
    .family = "binpack",
    .least_bits = SCORE_BITS + 1,
    .holds = HOLDS,
    .needs = DATA_MOVE,
    .limits = "plies to 16383; the fullmove number is what the ply says; other programs' readers crash on Chess960",
    .lost = lost_by_ply,
    .put = put_record,
    .end = end_game,
    .close = close_chunk,
    .get = get_record,
    .skip = skip_chunk,
};
