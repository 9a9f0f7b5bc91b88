/* SPDX-License-Identifier: MIT */
/*
 * Known bytes of every format, both ways: those that the programs the formats come from wrote for these records. And chains of
 * binpack whose bits were changed: what is read of them is what a reader reads that goes bit by bit and from square to square.
 */
#include "format_tools.h"

#include "base/checksum.h"
#include "formats/binpack_stem.h"
#include "helpers/random_games.h"
#include "notation/fen.h"
#include "notation/move_text.h"

#define KIWI "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"

enum { RECORDS_MAX = 2 };

static DataRecord record(const char *fen, const char *move, int score, int ply, int result) {
    DataRecord r = {.score = (int16_t)score, .ply = (uint16_t)ply, .result = (int8_t)result, .starts_game = true};
    TabiaError error;
    if (!fen_parse(&r.position, fen, &error)) fail_msg("%s", error.text);
    if (move) r.move = move_from_uci(&r.position, move);
    if (move) assert_int_not_equal(r.move, 0);
    return r;
}

static void same_record(const DataRecord *a, const DataRecord *b, DataFields but) {
    assert_memory_equal(a->position.side, b->position.side, sizeof a->position.side);
    assert_true(position_same(&a->position, &b->position));
    assert_int_equal(a->move, b->move);
    assert_int_equal(a->score, b->score);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->extra.opening_eval, b->extra.opening_eval);
    if (!(but & DATA_PLY)) assert_int_equal(a->ply, b->ply);
    if (!(but & DATA_HALFMOVE_CLOCK)) assert_int_equal(a->position.halfmove, b->position.halfmove);
    if (!(but & DATA_FULLMOVE_NUMBER)) assert_int_equal(a->position.fullmove, b->position.fullmove);
}

/* These records are these bytes, and these bytes are the records in `back`. */
static void both_ways(const DataFormat *format, const DataRecord *r, const DataRecord *back, unsigned n,
                      const char *hex) {
    uint8_t bytes[4096];
    const size_t length = from_hex(hex, bytes);
    DataEncoder e = encoded(format, r, n);
    for (unsigned why = 0; why < DATA_REJECTIONS_N; why++) assert_int_equal(e.rejected[why], 0);
    assert_int_equal(e.bytes.size, length);
    for (size_t i = 0; i < length; i++)
        if (e.bytes.data[i] != bytes[i])
            fail_msg("%s, byte %zu: %02x instead of %02x", format->name, i, e.bytes.data[i], bytes[i]);
    data_encoder_free(&e);
    DataRecord got[RECORDS_MAX];
    assert_int_equal(decoded(format, bytes, length, got), n);
    for (unsigned i = 0; i < n; i++) same_record(&back[i], &got[i], data_lost_fields(format, &r[i]));
}

static void one(const DataFormat *format, DataRecord r, const char *hex) {
    both_ways(format, &r, &r, 1, hex);
}

enum { FOUR = 4 };
static DataRecord four(unsigned i) {
    switch (i) {
    case 0:
        return record(fen_start, "e2e4", 10, 0, 1);
    case 1:
        return record(KIWI " w KQkq - 70 300", "e1g1", -5, 598, 0);
    case 2:
        return record("8/P6k/8/8/8/8/8/K7 w - - 0 60", "a7a8q", 900, 118, 1);
    default:
        return record("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 33, 2, 0);
    }
}

static void bin(void **state) {
    static const char *const hex[FOUR] = {
        "08fece9aebbc31c618638c000000002184104208679454c679400000000000000a001c03000001ff",
        "08fe821bc5986355277146080322010c92184228258470c079064b4000000000fbff07c1560200ff",
        "801b200000000000000000f000000000000000000000000000000000000000008403387c760001ff",
        "081e0000801800000000802b200000000000000000000000000000000000000021002b89020000ff"};
    for (unsigned i = 0; i < FOUR; i++) one(&data_format_bin, four(i), hex[i]);
}

static void binpack(void **state) {
    static const char *const stem[FOUR] = {"ffff00000000ffff2d844ad200000000111111113e955be30c70001480000000",
                                           "917d731812a4ff91ad0d004400201801203531111119e5eb841c000902560046",
                                           "00810000000000010a0b000000000000000000000000000070e3070880760000",
                                           "1000001800000010cab00000000000000000000000000000e4ac004200020000"};
    for (unsigned i = 0; i < FOUR; i++) {
        char hex[200];
        snprintf(hex, sizeof hex, "42494e50 22000000 %s 0000", stem[i]);
        one(&data_format_binpack, four(i), hex);
    }
}

/*
 * No program wrote this one: worked out by hand from the description. e2e4 +10, then e7e5 -20: black's pieces counted from
 * a1 begin on a7, so e7's is number 4 of 16, 0100; it reaches e5, number 0 of 2, 0; -20 is 10 below -10, which is 19
 * with the sign in the lowest bit: 3 and more, 10011, then 1, 00001. 0100 0 10011 00001 0 is 44c2.
 */
static void binpack_chain(void **state) {
    DataRecord r[2] = {record(fen_start, "e2e4", 10, 0, 1), {.score = -20, .ply = 1, .result = -1}};
    position_make_move(&r[1].position, &r[0].position, r[0].move);
    r[1].move = move_from_uci(&r[1].position, "e7e5");
    both_ways(&data_format_binpack, r, r, 2,
              "42494e50 24000000 ffff00000000ffff2d844ad200000000111111113e955be30c70001480000000 0001"
              "44c2");
}

/* Whole games: what the writer of Stockfish's trainer made of the same random games, in 20,000 bytes. */
static void binpack_games(void **state) {
    enum { BYTES = 20000 };
    static DataRecord game[RANDOM_GAME_MAX];
    uint64_t seed = 5;
    DataEncoder e;
    data_encoder_init(&e, &data_format_binpack);
    while (e.bytes.size < 8 + BYTES) {
        const unsigned n = random_game(&seed, false, RANDOM_GAME_MAX, game);
        for (unsigned i = 0; i < n; i++) assert_true(data_encode(&e, &game[i], NULL));
        if (e.bytes.size >= 8 + BYTES) assert_true(data_encoder_finish(&e, NULL));
    }
    assert_int_equal(tabia_checksum(e.bytes.data + 8, BYTES), 0x7dae39c9143306ae);
    data_encoder_free(&e);
}

static void bullet(void **state) {
    DataRecord r = record(fen_start, NULL, 10, 0, 1), back = r;
    back.position.castle[WHITE] = back.position.castle[BLACK] = 0;
    both_ways(&data_format_bullet, &r, &back, 1, "ffff00000000ffff1342253100000000888888889bcaadb90a00020404000000");
    /* After 1.e4, black to move: the board is flipped, so that black's pieces come first. */
    r = record("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", NULL, -20, 1, -1);
    back = record("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", NULL, -20, 0, -1);
    both_ways(&data_format_bullet, &r, &back, 1, "ffff00001000efff1342253100000000888888889bcaadb9ecff000404000000");
    r = back = record("8/P6k/8/8/8/8/8/K7 w - - 0 1", NULL, 900, 0, 1);
    both_ways(&data_format_bullet, &r, &back, 1, "0100000000008100050d0000000000000000000000000000840302000f000000");
    r = record("8/P6k/8/8/8/8/8/K7 b - - 0 1", NULL, -900, 1, 0);
    back = record("k7/8/8/8/8/8/p6K/8 w - - 0 1", NULL, -900, 0, 0);
    both_ways(&data_format_bullet, &r, &back, 1, "0081000000000001580d00000000000000000000000000007cfc010f00000000");
}

static void viri(void **state) {
    DataRecord r[2] = {record(fen_start, "e2e4", 10, 0, 1), {.score = -20, .ply = 1, .result = -1}};
    position_make_move(&r[1].position, &r[0].position, r[0].move);
    r[1].move = move_from_uci(&r[1].position, "e7e5");
    both_ways(&data_format_viri, r, r, 2,
              "ffff00000000ffff1642256100000000888888889ecaade94000010000000200 0c070a00 34091400 00000000");
}

static void viri_black(void **state) {
    /* Its moves are no part of the vector: castling long, c8 from e8, is king takes rook: 3c 38 -> bc8e. */
    DataRecord r = record(KIWI " b Kq - 70 300", "e8c8", 7, 599, 0);
    r.extra.opening_eval = -7;
    one(&data_format_viri, r, "91ffa41218737d915306002200108408109a9888888ceabdc0462c01f9ff0100 3c8ef9ff 00000000");
    DataRecord m = r;
    m.extra.opening_eval = 0, m.move = 0;
    one(&data_format_marlin, m, "91ffa41218737d915306002200108408109a9888888ceabdc0462c01f9ff0100");
}

/* The codes of the notes for a capture en passant, castling and a promotion, each after any board. */
static void viri_moves(void **state) {
    static const uint8_t code[3][2] = {{0xe4, 0x4a}, {0xc4, 0x81}, {0x30, 0xfe}};
    const DataRecord r[3] = {four(3), record("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0, 0, 0), four(2)};
    for (int i = 0; i < 3; i++) {
        DataEncoder e = encoded(&data_format_viri, &r[i], 1);
        DataRecord got[RECORDS_MAX];
        assert_memory_equal(e.bytes.data + 32, code[i], 2);
        assert_int_equal(decoded(&data_format_viri, e.bytes.data, e.bytes.size, got), 1);
        same_record(&r[i], got, DATA_NO_FIELDS);
        data_encoder_free(&e);
    }
}

static void plain(void **state) {
    static const char text[] = "fen " KIWI " w KQkq - 70 300\nmove e1g1\nscore -5\nply 598\nresult 0\ne\n";
    char hex[2 * sizeof text] = "";
    for (size_t i = 0; i + 1 < sizeof text; i++) sprintf(hex + 2 * i, "%02x", text[i]);
    one(&data_format_plain, four(1), hex);
    DataRecord odd = four(0), got[RECORDS_MAX]; /* a ply that the move number does not say */
    odd.ply = 7;
    DataEncoder e = encoded(&data_format_plain, &odd, 1);
    assert_int_equal(decoded(&data_format_plain, e.bytes.data, e.bytes.size, got), 1);
    same_record(&odd, got, DATA_NO_FIELDS);
    data_encoder_free(&e);
}

/* Score and result are white's; what bullet reads besides what is written. */
static void text(void **state) {
    static const char written[] = KIWI " b Kq - 70 300 | -7 | 0.0\n";
    char hex[2 * sizeof written] = "";
    for (size_t i = 0; i + 1 < sizeof written; i++) sprintf(hex + 2 * i, "%02x", written[i]);
    DataRecord r = record(KIWI " b Kq - 70 300", "e8c8", 7, 599, 1), got[RECORDS_MAX];
    r.move = 0;
    one(&data_format_text, r, hex);
    static const char *const others[] = {
        KIWI " b Kq - 70 300|-7|0",
        "\n  \n" KIWI " b Kq - 70 300 |\t-7 | [0.0]\r\n",
        KIWI " b Kq - 70 300  |  -7  |  0.0  ",
        "\r\r" KIWI " b Kq - 70 300 | -7 | 0.0\r\r",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(decoded(&data_format_text, others[i], strlen(others[i]), got), 1);
        same_record(&r, got, DATA_NO_FIELDS);
    }
}

/* ---- changed chains of binpack ---- */

enum { CHAIN_BYTES = BINPACK_STEM_BYTES + 2, CHUNK_BYTES = 8, PLIES_MAX = 120 };

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
        const unsigned n = random_game(&seed, false, 1 + random_below(&seed, PLIES_MAX), game);
        for (unsigned k = 0; k < n && random_below(&seed, 3); k++)
            game[k].score = (int)random_below(&seed, 60001) - 30000;
        DataEncoder e = encoded(&data_format_binpack, game, n);
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
        const size_t size = from_hex(chess960_chains[i].hex, bytes);
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

/* What montyformat 0.9.2 wrote of three games: a capture, castling by both sides, en passant and a promotion. */
static void monty(void **state) {
    static const struct {
        const char *hex, *fen, *move[4];
        int white, n, score[4]; /* the scores are the mover's */
    } game[] = {
        {"000000000000ffff990000000000009976000000000000762cff00000000ff2c00000f0001000007000700c131500031ce5eff34725ef"
         "f34ee0000"
         "00000000",
         fen_start,
         {"e2e4", "d7d5", "e4d5", "d8d5"},
         -1,
         4,
         {80, 162, -162, 0}},
        {"0000800200737d919100200000001091101804001023401000ffa01208517d00010006072c010007000702a3f3520162105201"
         "00000000",
         KIWI " b Kq - 7 300",
         {"e8c8", "e1g1"},
         1,
         2,
         {-338, 338}},
        {"0000000008000010100000000000001010000000000000100000000018000100002b000002000007000701b5926e03b0f36e038bc3990"
         "4"
         "00000000",
         "4k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 2",
         {"e5d6", "e8d8", "a7a8q"},
         0,
         3,
         {878, -878, 1177}},
    };
    for (size_t g = 0; g < sizeof game / sizeof *game; g++) {
        uint8_t bytes[128];
        DataRecord got[4], r = record(game[g].fen, game[g].move[0], 0, 0, 0);
        assert_int_equal(decoded(&data_format_monty, bytes, from_hex(game[g].hex, bytes), got), game[g].n);
        for (int i = 0; i < game[g].n; i++) {
            const int8_t result = (int8_t)(r.position.turn == WHITE ? game[g].white : -game[g].white);
            assert_true(position_same(&r.position, &got[i].position));
            assert_int_equal(got[i].move, move_from_uci(&r.position, game[g].move[i]));
            assert_int_equal(got[i].score, game[g].score[i]);
            assert_int_equal(got[i].result, result);
            assert_int_equal(got[i].starts_game, !i);
            position_make_move(&r.position, &r.position, got[i].move);
        }
    }
}

#include "test_data_vectors_list.h"
