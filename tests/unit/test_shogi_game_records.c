/* SPDX-License-Identifier: MIT */
/* Games of shogi as text: what is read of them, and that damage is refused. */
#include "unit.h"

#include "base/random.h"
#include "data/reader.h"
#include "notation/fen.h"
#include "notation/move_text.h"

#include <stdio.h>

static const char csa[] =
    "V2.2\nN+first\nN-second\n$EVENT:test\n'comment\nPI\n+\n"
    "+7776FU,T3\n'** 35 -3334FU\n-3334FU\nT1\n'** -20\n+8822UM\n-3122GI\n'** -9223372036854775808\n+0045KA\n%TORYO\n"
    "/\nV2.2\nPI82HI22KA\n-\n-5142OU\n%KACHI\n"
    "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA *\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
    "P4 *  *  *  *  *  *  *  *  *\nP5 *  *  *  *  *  *  *  *  *\nP6 *  *  *  *  *  *  *  *  *\n"
    "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE\n"
    "P+00KY\n+\n+0019KY\n%SENNICHITE\n";

typedef struct {
    const char *sfen, *move;
    int score, result;
    bool starts_game;
} Expected;

enum { NO_SCORE = DATA_SKIP_SCORE };

static DataReader *open_text(const char *name, const char *text, size_t length) {
    TabiaError error;
    DataReader *r = data_reader_memory(text, length, data_format_by_name(name, &error), &error);
    assert_non_null(r);
    return r;
}

static void expect_records(const char *format, const char *text, const Expected *expected, unsigned n) {
    TabiaError error;
    DataRecord r;
    DataReader *reader = open_text(format, text, strlen(text));
    for (unsigned i = 0; i < n; i++) {
        char sfen[FEN_MAX], move[UCI_MAX];
        if (data_read(reader, &r, &error) != DATA_READ_OK) fail_msg("%s, %u: %s", format, i, error.text);
        fen_write(&r.position, FEN_STANDARD, sfen);
        move_to_uci(&r.position, r.move, false, move);
        if (expected[i].sfen) assert_string_equal(sfen, expected[i].sfen);
        assert_string_equal(move, expected[i].move);
        assert_int_equal(r.score, expected[i].score);
        assert_int_equal(r.skip, expected[i].score == NO_SCORE);
        assert_int_equal(r.result, expected[i].result);
        assert_int_equal(r.starts_game, expected[i].starts_game);
    }
    if (data_read(reader, &r, &error) != DATA_READ_END) fail_msg("%s: %s", format, error.text);
    data_reader_close(reader);
}

/* Black's last move is answered by a resignation: black won. The second game has a handicap and ends by a declaration of
   black, the third gives its position. */
static void csa_games(void **state) {
    (void)state;
    static const Expected expected[] = {
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f", 35, 1, true},
        {NULL, "3c3d", 20, -1, false},
        {NULL, "8h2b+", NO_SCORE, 1, false},
        {NULL, "3a2b", INT16_MAX, -1, false},
        {"lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5", "B*4e", NO_SCORE, 1, false},
        {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "5a4b", NO_SCORE, -1, true},
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN1 b L 1", "L*1i", NO_SCORE, 0, true},
    };
    expect_records("csa", csa, expected, sizeof expected / sizeof *expected);
}

/* The error that a text gives at its record, and then the good game behind it. */
static void refused(const char *format, const char *text, const char *words, const char *good_game) {
    TabiaError error;
    DataRecord r;
    char all[2048];
    snprintf(all, sizeof all, "%s%s", text, good_game);
    DataReader *reader = open_text(format, all, strlen(all));
    assert_int_equal(data_read(reader, &r, &error), DATA_READ_BAD_RECORD);
    if (!strstr(error.text, words)) fail_msg("%s: '%s' instead of '%s'", format, error.text, words);
    if (data_read(reader, &r, &error) != DATA_READ_OK) fail_msg("behind '%s': %s", text, error.text);
    assert_int_equal(data_read(reader, &r, &error), DATA_READ_END);
    data_reader_close(reader);
}

static void csa_faults(void **state) {
    (void)state;
    static const char good[] = "V2\nPI\n+\n+7776FU\n%TORYO\n";
    static const struct {
        const char *text, *words;
    } faults[] = {
        {"PI\n+\n+7775FU\n%TORYO\n", "illegal move 1: '+7775FU'"},
        {"PI\n+\n-3334FU\n%TORYO\n", "illegal move 1"},
        {"PI\n+\n+7776FU\n%CHUDAN\n", "the game has no result"},
        {"PI\n+\n+7776FU\n%\n", "the game has no result"},
        {"PI\n+\n+7776FU\n%-ILL\n", "the game has no result"},
        {"PI\n+\n+7776FU\n", "does not end with its result"},
        {"PI\n+7776FU\n", "before the side that moves first"},
        {"P1-XX\n", "no such line of a position"},
        {"P+55OU54OU\n", "no such line of a position"},
        {"PI88HI\n", "no such line of a position"},
        {"P+55OU55KI\n", "no such line of a position"},
        {"P+55OU\nP-54KI\n+\nx\n", "no line of a game in CSA"},
        {"P+55FU\n+\n", "there is no king"},
        {"garbage\n", "no line of a game in CSA"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) refused("csa", faults[i].text, faults[i].words, good);
}

static void damage(void **state) {
    (void)state;
    const size_t n = strlen(csa);
    uint64_t seed = 1;
    for (unsigned round = 0; round < 20000; round++) {
        char bytes[4096];
        assert_true(n < sizeof bytes);
        memcpy(bytes, csa, n);
        for (unsigned i = 0; i < 1 + round % 4; i++) {
            const unsigned at = random_below(&seed, (unsigned)n);
            bytes[at] = round % 3 ? csa[random_below(&seed, (unsigned)n)] : (char)random_below(&seed, 256);
        }
        TabiaError error;
        DataRecord r;
        DataReader *reader = open_text("csa", bytes, n);
        unsigned records = 0;
        for (DataReadStatus status = DATA_READ_OK; status == DATA_READ_OK || status == DATA_READ_BAD_RECORD; records++)
            status = data_read(reader, &r, &error);
        assert_true(records < 100);
        data_reader_close(reader);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(csa_games), cmocka_unit_test(csa_faults),
                                       cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
