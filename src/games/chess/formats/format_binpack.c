/* SPDX-License-Identifier: MIT */
/*
 * Binpack of Stockfish's trainer (Tomasz Sobczyk, 2020): games as chains of bits, in chunks.
 *
 *   file   chunks: "BINP", u32 bytes, chains
 *   chain  stem of 32 bytes (binpack_stem.h), u16 number of plies that follow, high byte first, and for each of them,
 *          as bits, highest first: the index of the own piece that moves, from a1 on; the index of its target among
 *          the squares it attacks, checks ignored (binpack_targets.h); the difference of the score from the negated
 *          last one, 4 bits at a time
 *
 * Choices among n take ceil(log2 n) bits. A pawn before its last step counts each target four times, for N B R Q. A
 * king counts castlings after its squares, long before short.
 *
 * Other programs' readers know the castling of standard chess only, and crash on rights of other kings and rooks. So
 * binpack stores Chess960 as Stockfish's tools do: a position with a castling right that exists in Chess960 only loses
 * all rights, and a castling move there is rejected. Both are read where a file has them.
 */
#include <assert.h>
#include <string.h>

#include "data/encode.h"
#include "formats/binpack_stem.h"
#include "formats/binpack_targets.h"

enum {
    CHAIN_HEADER_BYTES = BINPACK_STEM_BYTES + 2,
    CHUNK_HEADER_BYTES = 8,
    CHUNK_BYTES = 1 << 20,
    PLIES_MAX = 65535,
    SCORE_BITS = 4,
};
/* ---- reading bits ---- */

/* The bits of a ply: at most 7 that were read before, 5 and 5 of a move, 20 of a score. */
enum { PLY_BYTES_MAX = sizeof(uint64_t) };

typedef struct {
    uint64_t next;                /* the next bits, the highest first; zeros where the bytes end */
    unsigned position, bit_count; /* bits read, more than bit_count if they ran out; bits available */
} BitReader;

/* From that bit of up to PLY_BYTES_MAX bytes on. */
INLINE BitReader bits_at(const uint8_t *bytes, size_t count, unsigned position) {
    uint64_t all = 0;
    if (LIKELY(count >= PLY_BYTES_MAX))
        all = get64_big(bytes);
    else
        for (size_t i = 0; i < count; i++) all |= (uint64_t)bytes[i] << (56 - 8 * i);
    return (BitReader){all << position, position, 8 * (unsigned)count};
}

INLINE unsigned read_bits(BitReader *s, unsigned n) {
    assert(n < 32);
    const unsigned value = (unsigned)(s->next >> 1 >> (63 - n));
    s->next <<= n;
    s->position += n;
    return value;
}

/* The move that the next bits encode, or 0. */
INLINE Move read_move(BitReader *s, const Position *p) {
    const Bits own = p->side[p->turn];
    const unsigned piece = read_bits(s, binpack_choice_bits((unsigned)popcount(own)));
    if (UNLIKELY(piece >= (unsigned)popcount(own))) return 0;
    const int from = nth_square(own, piece);
    const BinpackTargets t = binpack_targets(p, from);
    const unsigned n = binpack_target_count(&t), chosen = read_bits(s, binpack_choice_bits(n));
    if (UNLIKELY(chosen >= n)) return 0;
    const Move m = binpack_target_move(p, from, &t, chosen);
    return binpack_target_is_legal(p, m) ? m : 0;
}

/* Groups of a bit "more" and four of the value, the lowest first; all four are looked at, so that nothing branches. */
INLINE int16_t read_score(BitReader *s, int16_t expected) {
    const unsigned groups = (unsigned)(s->next >> 44), mask = (1u << SCORE_BITS) - 1;
    const unsigned second = groups >> 19, third = second & groups >> 14, fourth = third & groups >> 9;
    const unsigned value = (groups >> 15 & mask) | (groups >> 10 & mask & -second) << 4 |
                           (groups >> 5 & mask & -third) << 8 | (groups & mask & -fourth) << 12;
    read_bits(s, (SCORE_BITS + 1) * (1 + second + third + fourth));
    return (int16_t)(expected + rotate_sign_decode(value));
}

/* ---- reading ---- */

/* The rest of the chunk cannot be decoded: the length of a chain is known only at its end. */
static int abandon_chunk(DataDecoder *d) {
    d->in_game = d->derives_next = false;
    d->resync_pending = true;
    return DATA_READ_BAD_RECORD;
}

static int resync_chunk(DataDecoder *d, TabiaError *error) {
    (void)error;
    while (data_input_offset(&d->in) < d->state.chunk_end) {
        const uint64_t left = d->state.chunk_end - data_input_offset(&d->in);
        const size_t have =
            data_input_available(&d->in, left < DATA_WINDOW_REQUEST_MAX ? (size_t)left : DATA_WINDOW_REQUEST_MAX);
        if (!have) break;
        d->in.begin += have;
    }
    return DATA_READ_OK;
}

static int read_chunk_header(DataDecoder *d, TabiaError *error) {
    int status;
    const uint8_t *at = data_peek_part(d, "a chunk's head", CHUNK_HEADER_BYTES, &status, error);
    if (!at) return status;
    if (memcmp(at, "BINP", 4)) return data_read_error(error, "no chunk begins here: BINP is expected");
    d->in.begin += CHUNK_HEADER_BYTES;
    d->state.chunk_end = d->record_offset + CHUNK_HEADER_BYTES + (get16(at + 4) | (uint32_t)get16(at + 6) << 16);
    return DATA_READ_OK;
}

/* Derives the next record's position, result and expected score from this one. */
static void set_next_position(DataDecoder *d, const DataRecord *r) {
    d->in_game = d->derives_next = d->state.plies_left != 0;
    if (!d->in_game) return;
    make_move(&d->next_position, &r->position, (Colour)r->position.turn, r->move);
    d->state.expected_score = (int16_t) - (uint16_t)r->score;
    d->white_result = data_white_result(r);
    d->next_ply = (uint16_t)(r->ply + 1);
}

static int read_chain_header(DataDecoder *d, DataRecord *r, TabiaError *error) {
    const uint64_t left = d->state.chunk_end - data_input_offset(&d->in);
    const size_t have = data_input_available(&d->in, CHAIN_HEADER_BYTES);
    d->record_offset = data_input_offset(&d->in);
    if (have < CHAIN_HEADER_BYTES && have < left)
        return data_truncated(d, "a chain's head", have, CHAIN_HEADER_BYTES, error);
    if (left < CHAIN_HEADER_BYTES) {
        data_bad_record(error, "the chunk ends after %u of the %u bytes of a chain's head", (unsigned)left,
                        CHAIN_HEADER_BYTES);
        return abandon_chunk(d);
    }
    const uint8_t *at = data_input_bytes(&d->in);
    if (!binpack_stem_decode(at, r, error)) return abandon_chunk(d);
    d->in.begin += CHAIN_HEADER_BYTES;
    d->state.plies_left = get16_big(at + BINPACK_STEM_BYTES);
    d->state.bit_offset = 0;
    set_next_position(d, r);
    return DATA_READ_OK;
}

/* Word by word, as the position has just been written so: a load of more bytes than a store waits for the cache. */
INLINE void copy_position(Position *to, const Position *from) {
    for (size_t i = 0; i < sizeof *to; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)from + i, sizeof word);
        __asm__("" : "+r"(word)); /* keeps compilers from joining the words */
        memcpy((char *)to + i, &word, sizeof word);
    }
}

static int read_ply(DataDecoder *d, DataRecord *r, TabiaError *error) {
    d->record_offset = data_input_offset(&d->in);
    const uint64_t left = d->state.chunk_end - d->record_offset;
    size_t have = data_input_available(&d->in, PLY_BYTES_MAX);
    if (have > left) have = (size_t)left;
    BitReader s = bits_at(data_input_bytes(&d->in), have, d->state.bit_offset);
    copy_position(&r->position, &d->next_position);
    r->move = read_move(&s, &d->next_position);
    r->score = read_score(&s, d->state.expected_score);
    if (s.position > s.bit_count && have < left) return data_truncated(d, "a chunk", have, (size_t)left, error);
    if (s.position > s.bit_count || !r->move) {
        data_bad_record(error, s.position > s.bit_count
                                   ? "the chain extends beyond its chunk; the chunk is skipped"
                                   : "the bits give no legal move; the rest of the chunk is skipped");
        return abandon_chunk(d);
    }
    d->in.begin += s.position / 8;
    d->state.bit_offset = s.position % 8;
    r->ply = d->next_ply;
    r->result = r->position.turn == WHITE ? d->white_result : (int8_t)-d->white_result;
    assert(d->state.plies_left > 0);
    d->state.plies_left--;
    set_next_position(d, r);
    if (!d->in_game && d->state.bit_offset) d->in.begin++, d->state.bit_offset = 0;
    return DATA_READ_OK;
}

static int read_record(DataDecoder *d, DataRecord *r, TabiaError *error) {
    if (d->in_game) return read_ply(d, r, error);
    while (data_input_offset(&d->in) >= d->state.chunk_end) {
        const int status = read_chunk_header(d, error);
        if (status != DATA_READ_OK) return status;
    }
    return read_chain_header(d, r, error);
}

/* ---- writing ---- */

static void write_chain_header(DataEncoder *e, const DataRecord *r) {
    uint8_t *at = data_buffer_reserve(&e->bytes, CHAIN_HEADER_BYTES);
    if (!at) return;
    binpack_stem_encode(r, at);
    set16_big(at + BINPACK_STEM_BYTES, 0);
    e->state.ply_count_offset = e->bytes.size + BINPACK_STEM_BYTES;
    e->bytes.size += CHAIN_HEADER_BYTES;
    e->state.ply_count = e->state.bit_offset = 0;
}

/* Bits that are to be written, the last one lowest. */
typedef struct {
    unsigned value, count;
} BitGroup;

INLINE void add_bits(BitGroup *g, unsigned value, unsigned n) {
    assert(g->count + n < 32 && value >> n == 0);
    g->value = g->value << n | value;
    g->count += n;
}

static void add_score(BitGroup *g, uint16_t value) {
    const unsigned mask = (1u << SCORE_BITS) - 1;
    do {
        add_bits(g, (value & mask) | (value > mask ? mask + 1 : 0), SCORE_BITS + 1);
        value >>= SCORE_BITS;
    } while (value);
}

/* Appends bits; e->state.bit_offset bits of the last byte are used (0: it is full). */
static void write_bits(DataEncoder *e, const BitGroup *g) {
    const unsigned used = e->state.bit_offset, end = used + g->count;
    uint8_t *at = data_buffer_reserve(&e->bytes, sizeof(uint64_t));
    if (!at) return;
    at -= used != 0;
    const uint64_t before = used ? (uint64_t)*at << 56 : 0;
    set64_big(at, before | (uint64_t)g->value << (64 - end));
    e->bytes.size += (end + 7) / 8 - (used != 0);
    e->state.bit_offset = end % 8;
}

static void write_ply(DataEncoder *e, const DataRecord *r) {
    const Position *p = &r->position;
    const Bits own = p->side[p->turn];
    const int from = move_from(r->move);
    const BinpackTargets t = binpack_targets(p, from);
    BitGroup g = {0, 0};
    add_bits(&g, (unsigned)popcount(own & (bit(from) - 1)), binpack_choice_bits((unsigned)popcount(own)));
    add_bits(&g, binpack_target_index(p, &t, r->move), binpack_choice_bits(binpack_target_count(&t)));
    add_score(&g, rotate_sign_encode((int16_t)((uint16_t)data_score16(r->score) - (uint16_t)e->state.expected_score)));
    write_bits(e, &g);
    if (!e->bytes.failed) set16_big(e->bytes.data + e->state.ply_count_offset, ++e->state.ply_count);
}

static void end_chunk(DataEncoder *e) {
    if (e->state.in_chunk && !e->bytes.failed) {
        const size_t bytes = e->bytes.size - e->state.chunk_start - CHUNK_HEADER_BYTES;
        set16(e->bytes.data + e->state.chunk_start + 4, (unsigned)bytes & 0xffff);
        set16(e->bytes.data + e->state.chunk_start + 6, (unsigned)(bytes >> 16));
    }
    e->state.in_chunk = false;
}

static void write_record(DataEncoder *e, const DataRecord *r) {
    if (e->in_game && e->state.ply_count < PLIES_MAX) {
        write_ply(e, r);
    } else {
        if (e->state.in_chunk && e->bytes.size - e->state.chunk_start >= CHUNK_BYTES) end_chunk(e);
        if (!e->state.in_chunk) {
            e->state.in_chunk = true;
            e->state.chunk_start = e->bytes.size;
            data_buffer_append(&e->bytes, "BINP\0\0\0", CHUNK_HEADER_BYTES);
        }
        write_chain_header(e, r);
    }
    e->state.expected_score = (int16_t) - (uint16_t)data_score16(r->score);
}

static void end_game(DataEncoder *e) {
    e->state.ply_count_offset = SIZE_MAX;
}

static bool is_chess960(const DataRecord *r) {
    return !castles_as_standard(&r->position, WHITE) || !castles_as_standard(&r->position, BLACK);
}
static DataFields lost_fields(const DataRecord *r) {
    return (r->ply > BINPACK_PLY_MAX ? DATA_PLY : 0u) |
           (r->position.fullmove != (r->ply & BINPACK_PLY_MAX) / 2 + 1 ? DATA_FULLMOVE_NUMBER : 0u) |
           (is_chess960(r) ? DATA_CASTLING : 0u);
}
static DataRejection reject(const DataRecord *r) {
    return move_flag(r->move) == CASTLING && is_chess960(r) ? DATA_REJECT_castling : DATA_ACCEPT;
}
static bool normalize(const DataRecord *r, DataRecord *to) {
    if (!is_chess960(r)) return false;
    *to = *r;
    to->position.castle[WHITE] = to->position.castle[BLACK] = 0;
    return true;
}

const DataFormat data_format_binpack = {
    .name = "binpack",
    .extensions = "binpack",
    .signature = "BINP",
    .description = "Stockfish's binpack: games as bits in chunks, 2 to 3 bytes a record",
    .min_record_bits = SCORE_BITS + 1,
    .fields = DATA_MOVE | DATA_SCORE | DATA_RESULT | DATA_PLY | DATA_TURN | DATA_CASTLING | DATA_EP |
              DATA_HALFMOVE_CLOCK | DATA_FULLMOVE_NUMBER | DATA_GAME_STARTS | DATA_SKIP,
    .requires = DATA_MOVE,
    .limits =
        "plies to 16383; the fullmove number follows from the ply; positions with castling rights of Chess960 lose "
        "all rights, castling moves there are rejected",
    .lost_fields = lost_fields,
    .reject = reject,
    .normalize = normalize,
    .write = write_record,
    .end_game = end_game,
    .end_chunk = end_chunk,
    .read = read_record,
    .resync = resync_chunk,
};
