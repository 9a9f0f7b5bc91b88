/* SPDX-License-Identifier: MIT */
/*
 * What the formats read and write in words and sets is the same bit by bit and square by square: bin's board, the half bytes
 * of viri, and the plies of binpack, in random games and in chains whose bits were changed.
 */
#include "data/encode.h"
#include "data/reader.h"
#include "formats/binpack_stem.h"
#include "helpers/random_games.h"
#include "records/board.h"
#include "unit.h"

enum { CHAIN_BYTES = BINPACK_STEM_BYTES + 2, CHUNK_BYTES = 8, PLIES_MAX = 120, CHAIN_BYTES_MAX = 1024 };

typedef struct {
    uint8_t *bytes;
    size_t bits, at; /* there are, and done */
    bool lowest_first;
} PlainBits;

static uint8_t *byte_of(const PlainBits *b, unsigned *shift) {
    *shift = (unsigned)(b->lowest_first ? b->at % 8 : 7 - b->at % 8);
    return b->bytes + b->at / 8;
}

static void put(PlainBits *b, bool set) {
    unsigned shift;
    uint8_t *byte = byte_of(b, &shift);
    *byte = (uint8_t)(*byte | set << shift);
    b->at++;
}

static unsigned get(PlainBits *b, unsigned n) {
    unsigned value = 0, shift;
    for (; n; n--, b->at++) value = value << 1 | (b->at < b->bits ? *byte_of(b, &shift) >> shift & 1u : 0u);
    return value;
}

/* The n bits of a number, the highest first. */
static void put_high(PlainBits *b, unsigned value, unsigned n) {
    while (n--) put(b, value >> n & 1);
}

static unsigned choice_bits(unsigned n) {
    unsigned bits = 0;
    while (1u << bits < n) bits++;
    return bits;
}

/* ---- bin ---- */

static void board_plainly(const Position *p, uint8_t bytes[32]) {
    PlainBits b = {.bytes = bytes, .lowest_first = true};
    memset(bytes, 0, 32);
    put(&b, p->turn == BLACK);
    for (int c = WHITE; c <= BLACK; c++)
        for (int i = 0; i < 6; i++) put(&b, king_square(p, (Colour)c) >> i & 1);
    for (int i = 0; i < 64; i++) {
        const int square = i ^ 56;
        const PieceType type = piece_type_at(p, square);
        if (type == KING) continue;
        put(&b, type != NO_PIECE_TYPE);
        for (int k = 0; type != NO_PIECE_TYPE && k < 3; k++) put(&b, type >> k & 1);
        if (type != NO_PIECE_TYPE) put(&b, (p->side[BLACK] & bit(square)) != 0);
    }
}

static void bin_boards(void **state) {
    static DataRecord game[RANDOM_GAME_MOST];
    uint64_t seed = 5;
    for (int i = 0; i < 60; i++) {
        const unsigned n = random_game(&seed, i % 2, RANDOM_GAME_MOST, game);
        for (unsigned k = 0; k < n; k++) {
            DataRecord r = game[k];
            DataEncoder e;
            TabiaError error;
            uint8_t bytes[32];
            /* Behind the board there are zeros alone. */
            r.position.castle[WHITE] = r.position.castle[BLACK] = r.position.ep = 0;
            r.position.halfmove = r.position.fullmove = 0;
            board_plainly(&r.position, bytes);
            data_encoder_init(&e, &data_format_bin);
            assert_true(data_encode(&e, &r, &error));
            assert_int_equal(e.bytes.size, 40);
            assert_memory_equal(e.bytes.data, bytes, 32);
            data_encoder_free(&e);
        }
    }
}

/* ---- half bytes ---- */

static void half_bytes(void **state) {
    static DataRecord game[RANDOM_GAME_MOST];
    uint64_t seed = 6;
    for (int i = 0; i < 60; i++) {
        const unsigned n = random_game(&seed, i % 2, RANDOM_GAME_MOST, game);
        for (unsigned k = 0; k < n; k++) {
            const Position *p = &game[k].position;
            const Bits rights = castling_rooks(p, WHITE) | castling_rooks(p, BLACK);
            uint8_t written[16], expected[16] = {0};
            unsigned pieces = 0;
            for (int s = 0; s < 64; s++) {
                if (piece_type_at(p, s) == NO_PIECE_TYPE) continue;
                const unsigned type = rights >> s & 1 ? DATA_UNMOVED_ROOK : piece_type_at(p, s),
                               black = p->side[BLACK] >> s & 1 ? DATA_BLACK_PIECE : 0;
                expected[pieces / 2] |= (uint8_t)((type | black) << 4 * (pieces % 2));
                pieces++;
            }
            data_board_encode_position(p, written);
            assert_memory_equal(written, expected, 16);
        }
    }
}

/* ---- binpack ---- */

/* Can a piece of that type go there, checks ignored? By steps from square to square. */
static bool reaches(const Position *p, PieceType type, int from, int to) {
    static const int steps[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const int files = file_of(to) - file_of(from), ranks = rank_of(to) - rank_of(from);
    if (p->side[p->turn] & bit(to)) return false;
    if (type == KNIGHT) return files * files + ranks * ranks == 5;
    for (int i = type == BISHOP ? 4 : 0; i < (type == ROOK ? 4 : 8); i++)
        for (int k = 1; k < 8; k++) {
            if (files == k * steps[i][0] && ranks == k * steps[i][1]) return true;
            const int file = file_of(from) + k * steps[i][0], rank = rank_of(from) + k * steps[i][1];
            if (type == KING || file < 0 || file > 7 || rank < 0 || rank > 7 || occupied(p) & bit(8 * rank + file))
                break;
        }
    return false;
}

static bool pawn_reaches(const Position *p, int from, int to) {
    const Colour us = (Colour)p->turn;
    const int up = pawn_up(us);
    const Bits all = occupied(p);
    if (to == from + up) return !(all & bit(to));
    if (to == from + 2 * up) return bit(from) & pawn_start_rank(us) && !(all & (bit(to) | bit(from + up)));
    const int files = file_of(to) - file_of(from);
    return rank_of(to) - rank_of(from) == up / 8 && files * files == 1 &&
           (p->side[!us] & bit(to) || (p->ep && to == p->ep));
}

/* All moves of a piece that binpack counts, in its order. */
static unsigned targets(const Position *p, int from, Move *list) {
    const Colour us = (Colour)p->turn;
    const PieceType type = piece_type_at(p, from);
    unsigned n = 0;
    for (int to = 0; to < 64; to++) {
        if (!(type == PAWN ? pawn_reaches(p, from, to) : reaches(p, type, from, to))) continue;
        if (type == PAWN && bit(to) & last_rank(us))
            for (int t = KNIGHT; t <= QUEEN; t++) list[n++] = move_encode(from, to, PROMOTION + t);
        else if (type == PAWN && (to - from == 16 || from - to == 16))
            list[n++] = move_encode(from, to, DOUBLE_PUSH);
        else
            list[n++] = move_encode(
                from, to, type == PAWN && p->ep && to == p->ep && file_of(to) != file_of(from) ? EN_PASSANT : PLAIN);
    }
    for (int is_short = 0; type == KING && is_short < 2; is_short++)
        if (castling_rook(p, us, is_short))
            list[n++] = move_encode(from, lsb(castling_rook(p, us, is_short)), CASTLING);
    return n;
}

static void put_ply(PlainBits *b, const Position *p, Move m, int16_t difference) {
    Move list[64];
    unsigned index = 0, chosen = 0;
    for (int s = 0; s < move_from(m); s++) index += p->side[p->turn] >> s & 1;
    put_high(b, index, choice_bits((unsigned)popcount(p->side[p->turn])));
    const unsigned n = targets(p, move_from(m), list);
    while (list[chosen] != m) assert_true(++chosen < n);
    put_high(b, chosen, choice_bits(n));
    unsigned value = rotate_sign_encode(difference);
    do {
        put_high(b, value > 15, 1);
        put_high(b, value & 15, 4);
    } while (value >>= 4);
}

/* 0: the bits give no legal move. */
static Move get_move(PlainBits *b, const Position *p) {
    Move list[64], legal[MOVES_MAX];
    unsigned own = get(b, choice_bits((unsigned)popcount(p->side[p->turn])));
    int from = 0;
    for (; from < 64; from++)
        if (p->side[p->turn] & bit(from) && !own--) break;
    if (from == 64) return 0;
    const unsigned n = targets(p, from, list), chosen = get(b, choice_bits(n));
    if (chosen >= n) return 0;
    for (unsigned i = moves_list(p, legal); i-- > 0;)
        if (legal[i] == list[chosen]) return legal[i];
    return 0;
}

static int16_t get_score(PlainBits *b, int16_t expected) {
    unsigned value = 0, more = 1;
    for (unsigned shift = 0; more && shift < 16; shift += 4) {
        more = get(b, 1);
        value |= get(b, 4) << shift;
    }
    return (int16_t)(expected + rotate_sign_decode(value));
}

/* A chunk of one chain. Returns its bytes. */
static size_t write_game(const DataRecord *game, unsigned n, uint8_t bytes[CHAIN_BYTES_MAX]) {
    memset(bytes, 0, CHAIN_BYTES_MAX);
    memcpy(bytes, "BINP", 4);
    binpack_stem_encode(game, bytes + CHUNK_BYTES);
    set16_big(bytes + CHUNK_BYTES + BINPACK_STEM_BYTES, n - 1);
    PlainBits b = {.bytes = bytes + CHUNK_BYTES + CHAIN_BYTES};
    for (unsigned i = 1; i < n; i++)
        put_ply(&b, &game[i].position, game[i].move, (int16_t)(game[i].score + game[i - 1].score));
    const size_t size = CHAIN_BYTES + (b.at + 7) / 8;
    set16(bytes + 4, (unsigned)size);
    return CHUNK_BYTES + size;
}

static void same_as_written(const DataRecord *game, unsigned n, const uint8_t *bytes, size_t size) {
    DataEncoder e;
    TabiaError error;
    data_encoder_init(&e, &data_format_binpack);
    for (unsigned i = 0; i < n; i++) assert_true(data_encode(&e, &game[i], &error));
    assert_true(data_encoder_finish(&e, &error));
    assert_int_equal(e.bytes.size, size);
    assert_memory_equal(e.bytes.data, bytes, size);
    data_encoder_free(&e);
}

/* Reads the chain both ways: the same records, and the same one is the first bad one. Returns how many are good. */
static unsigned same_as_read(uint8_t *bytes, size_t size) {
    TabiaError error;
    DataRecord r;
    DataReader *reader = data_reader_memory(bytes, size, &data_format_binpack, &error);
    unsigned plies = get16_big(bytes + CHUNK_BYTES + BINPACK_STEM_BYTES), good = 1;
    PlainBits b = {.bytes = bytes + CHUNK_BYTES + CHAIN_BYTES, .bits = 8 * (size - CHUNK_BYTES - CHAIN_BYTES)};
    assert_int_equal(data_read(reader, &r, &error), DATA_READ_OK);
    assert_true(r.starts_game);
    Position next = r.position;
    position_make_move(&next, &next, r.move);
    for (; plies; plies--, good++) {
        const Move m = get_move(&b, &next);
        const int16_t score = get_score(&b, (int16_t)-r.score);
        const DataReadStatus status = data_read(reader, &r, &error);
        if (!m || b.at > b.bits) {
            assert_int_equal(status, DATA_READ_BAD_RECORD);
            break;
        }
        assert_int_equal(status, DATA_READ_OK);
        assert_false(r.starts_game);
        assert_memory_equal(&r.position, &next, sizeof next);
        assert_int_equal(r.move, m);
        assert_int_equal(r.score, score);
        position_make_move(&next, &next, m);
    }
    data_reader_close(reader);
    return good;
}

static void binpack_plies(void **state) {
    static DataRecord game[PLIES_MAX];
    uint8_t bytes[CHAIN_BYTES_MAX], changed[CHAIN_BYTES_MAX];
    uint64_t seed = 9;
    unsigned good = 0, bad = 0;
    for (int i = 0; i < 400; i++) {
        const unsigned n = random_game(&seed, i % 2, 1 + random_below(&seed, PLIES_MAX), game);
        for (unsigned k = 0; k < n && random_below(&seed, 3); k++)
            game[k].score = (int)random_below(&seed, 60001) - 30000;
        const size_t size = write_game(game, n, bytes);
        if (i % 2 == 0) same_as_written(game, n, bytes, size); /* rights of Chess960 are read, but not written */
        assert_int_equal(same_as_read(bytes, size), n);
        for (int k = 0; k < 8; k++) {
            memcpy(changed, bytes, size);
            const size_t bits = 8 * (size - CHUNK_BYTES - CHAIN_BYTES);
            if (!bits) continue;
            const size_t at = random_below(&seed, (unsigned)bits);
            changed[CHUNK_BYTES + CHAIN_BYTES + at / 8] ^= (uint8_t)(1u << at % 8);
            const unsigned read = same_as_read(changed, size);
            good += read == n, bad += read < n;
        }
    }
    assert_true(good > 100 && bad > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bin_boards), cmocka_unit_test(half_bytes),
                                       cmocka_unit_test(binpack_plies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
