/* SPDX-License-Identifier: MIT */
/*
 * What the formats read and write in words and sets is the same bit by bit and square by square: bin's board, the half bytes
 * of viri, and the plies of binpack, in random games and in chains whose bits were changed.
 */
#include "base/checksum.h"
#include "data/encode.h"
#include "data/reader.h"
#include "formats/binpack_stem.h"
#include "helpers/random_games.h"
#include "records/board.h"
#include "unit.h"

enum { CHAIN_BYTES = BINPACK_STEM_BYTES + 2, CHUNK_BYTES = 8, PLIES_MAX = 120 };

/* ---- bin ---- */

static void put(uint8_t *bytes, unsigned *at, bool set) {
    bytes[*at / 8] = (uint8_t)(bytes[*at / 8] | set << *at % 8);
    ++*at;
}

static void board_plainly(const Position *p, uint8_t bytes[32]) {
    unsigned at = 0;
    memset(bytes, 0, 32);
    put(bytes, &at, p->turn == BLACK);
    for (int c = WHITE; c <= BLACK; c++)
        for (int i = 0; i < 6; i++) put(bytes, &at, king_square(p, (Colour)c) >> i & 1);
    for (int i = 0; i < 64; i++) {
        const int square = i ^ 56;
        const PieceType type = piece_type_at(p, square);
        if (type == KING) continue;
        put(bytes, &at, type != NO_PIECE_TYPE);
        for (int k = 0; type != NO_PIECE_TYPE && k < 3; k++) put(bytes, &at, type >> k & 1);
        if (type != NO_PIECE_TYPE) put(bytes, &at, (p->side[BLACK] & bit(square)) != 0);
    }
}

static void bin_boards(void **state) {
    static DataRecord game[RANDOM_GAME_MAX];
    uint64_t seed = 5;
    for (int i = 0; i < 60; i++) {
        const unsigned n = random_game(&seed, i % 2, RANDOM_GAME_MAX, game);
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
    static DataRecord game[RANDOM_GAME_MAX];
    uint64_t seed = 6;
    for (int i = 0; i < 60; i++) {
        const unsigned n = random_game(&seed, i % 2, RANDOM_GAME_MAX, game);
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

/* A sum over numbers, in their order. */
static void add(uint64_t *sum, uint64_t number) {
    *sum = (*sum ^ number) * 0x100000001b3;
}

/* Reads the chain, each record the one after the move before it. Returns how many are good; the sum is of all that was read. */
static unsigned read_chain(const uint8_t *bytes, size_t size, uint64_t *sum) {
    TabiaError error;
    DataRecord r;
    DataReader *reader = data_reader_memory(bytes, size, &data_format_binpack, &error);
    Position next;
    unsigned good = 0;
    DataReadStatus status;
    for (; (status = data_read(reader, &r, &error)) == DATA_READ_OK; good++) {
        assert_int_equal(r.starts_game, good == 0);
        if (good) assert_memory_equal(&r.position, &next, sizeof next);
        add(sum, r.move), add(sum, (uint16_t)r.score);
        position_make_move(&next, &r.position, r.move);
    }
    add(sum, status);
    data_reader_close(reader);
    return good;
}

/* The same with that bit of its plies changed. */
static unsigned read_changed_chain(uint8_t *bytes, size_t size, size_t at, uint64_t *sum) {
    uint8_t *changed = bytes + CHUNK_BYTES + CHAIN_BYTES + at / 8, one = (uint8_t)(1u << at % 8);
    *changed ^= one;
    const unsigned good = read_chain(bytes, size, sum);
    *changed ^= one;
    return good;
}

/* The sums are those of a writer and a reader that go bit by bit, and from square to square. */
static void binpack_plies(void **state) {
    static DataRecord game[PLIES_MAX];
    uint64_t seed = 9, written = 0, read = 0;
    unsigned good = 0, bad = 0;
    for (int i = 0; i < 400; i++) {
        DataEncoder e;
        const unsigned n = random_game(&seed, false, 1 + random_below(&seed, PLIES_MAX), game);
        for (unsigned k = 0; k < n && random_below(&seed, 3); k++)
            game[k].score = (int)random_below(&seed, 60001) - 30000;
        data_encoder_init(&e, &data_format_binpack);
        for (unsigned k = 0; k < n; k++) assert_true(data_encode(&e, &game[k], NULL));
        assert_true(data_encoder_finish(&e, NULL));
        add(&written, tabia_checksum(e.bytes.data, e.bytes.size));
        assert_int_equal(read_chain(e.bytes.data, e.bytes.size, &read), n);
        const size_t bits = 8 * (e.bytes.size - CHUNK_BYTES - CHAIN_BYTES);
        for (int k = 0; k < 8 && bits; k++) {
            const size_t at = random_below(&seed, (unsigned)bits);
            const unsigned whole = read_changed_chain(e.bytes.data, e.bytes.size, at, &read) == n;
            good += whole, bad += !whole;
        }
        data_encoder_free(&e);
    }
    assert_true(good > 100 && bad > 100);
    assert_int_equal(written, 0xb2a35cd10b75d983);
    assert_int_equal(read, 0x7433d407aaf30ac);
}

/* Random games of Chess960, by their seed, with their rights; each castles twice. */
static const struct {
    uint64_t seed;
    const char *hex;
} chess960_chains[] = {
    {140, "42494e506d000000ffff00000000ffffd8a24d240000000011111111955eb33e024400558000000000277745f58e3836f25f"
          "cbbdaa8be0f3259681d7b47fd3d990bfc424dc2eaa144d85b6cea76d4e38ae0d04f245f8b1846af7147a4ab7361a3e67fe4c"
          "bc1cb89fb36ac0a3755dd4de6b0f486aa5"},
    {163, "42494e506e000000ffff00000000ffff22d8da440000000011111111553e39eb0a680073000000000027d653498dbe2cfc7d"
          "3c12876ec536c53403680bae8a9d40adcf1a9550211e62f87370ede10904911c5b7b2c74615103a8b36f10ddb62a186ac0d3"
          "0b10365e08ea620a9a2f4fd5498ba1b5e870"},
    {170, "42494e506d000000ffff00000000ffff2da44d280000000011111111e933b55e0148000d00000000002742a1e1dbc116c6b7"
          "6e018fce97288b8c58053e3df05c641ad46ff8e301ef80ae2116a4813115e48b222c0cc682406940b08f433721d54d481051"
          "80512100d325ce1a033786124305497300"}};

/* Rights of Chess960 are read, but not written. */
static void binpack_plies_of_chess960(void **state) {
    static DataRecord game[PLIES_MAX];
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof chess960_chains / sizeof *chess960_chains; i++) {
        uint8_t bytes[200];
        size_t size = 0;
        unsigned byte;
        for (const char *hex = chess960_chains[i].hex; sscanf(hex, "%2x", &byte) == 1; hex += 2)
            bytes[size++] = (uint8_t)byte;
        uint64_t seed = chess960_chains[i].seed, games = 0, read = 0;
        const unsigned n = random_game(&seed, true, 40, game);
        for (unsigned k = 0; k < n; k++) add(&games, game[k].move), add(&games, (uint16_t)game[k].score);
        add(&games, DATA_READ_END);
        assert_int_equal(read_chain(bytes, size, &read), n);
        assert_int_equal(read, games);
        for (size_t at = 0; at < 8 * (size - CHUNK_BYTES - CHAIN_BYTES); at++)
            read_changed_chain(bytes, size, at, &sum);
    }
    assert_int_equal(sum, 0xb2aa1515ca727c7a);
}

#include "test_data_plainly_list.h"
