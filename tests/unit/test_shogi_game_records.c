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

static const char kif[] =
    "\xef\xbb\xbf#KIF version=2.0 encoding=UTF-8\n開始日時：2020/01/01 10:00\n手合割：平手\n先手：first\n後手：second\n"
    "手数----指手---------消費時間--\n*a comment before the game\n"
    "   1 ７六歩(77)   ( 0:01/00:00:01)\n*#評価値=35\n   2 ３四歩(33)   ( 0:00/00:00:00)\n**評価値=-20.5\n"
    "   3 ２二角成(88)\n   4 同　銀(31)\n*#読み筋=x\n   5 ４五角打\n   6 投了\nまで5手で先手の勝ち\n\n変化：3手\n"
    "   3 ６六歩(67)\n\n"
    "手合割：二枚落ち　\n下手：a\n上手：b\n手数----指手--\n   1 ４二玉(51)\n   2 反則勝ち\n"
    "手合割：その他\n後手の持駒：飛　角　金四　銀三　桂三　香四　歩十七　\n"
    "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
    "| ・ ・ ・ ・ ・ ・ ・v桂v玉|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ 馬 ・ ・ 歩|三\n"
    "+---------------------------+\n先手の持駒：なし\n後手番\n手数----指手--\n   1 １二香打\n   2 千日手\n";

static void kif_games(void **state) {
    (void)state;
    static const Expected expected[] = {
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f", 35, 1, true},
        {NULL, "3c3d", 20, -1, false},
        {NULL, "8h2b+", NO_SCORE, 1, false},
        {NULL, "3a2b", NO_SCORE, -1, false},
        {"lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5", "B*4e", NO_SCORE, 1, false},
        {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "5a4b", NO_SCORE, -1, true},
        {"7nk/9/5+B2P/9/9/9/9/9/9 w rb4g3s3n4l17p 1", "L*1b", NO_SCORE, 0, true},
    };
    expect_records("kif", kif, expected, sizeof expected / sizeof *expected);
}

/* Which pieces they lack, of white's. */
static void kif_handicaps(void **state) {
    (void)state;
    static const char game[] = "手数----指手--\n   1 ３四歩(33)\n   2 投了\n";
    static const struct {
        const char *name, *board;
    } handicaps[] = {
        {"香落ち", "lnsgkgsn1/1r5b1"}, {"右香落ち", "1nsgkgsnl/1r5b1"}, {"角落ち", "lnsgkgsnl/1r7"},
        {"飛車落ち", "lnsgkgsnl/7b1"}, {"飛香落ち", "lnsgkgsn1/7b1"},   {"三枚落ち", "lnsgkgsn1/9"},
        {"四枚落ち", "1nsgkgsn1/9"},   {"五枚落ち", "2sgkgsn1/9"},      {"左五枚落ち", "1nsgkgs2/9"},
        {"六枚落ち", "2sgkgs2/9"},     {"左七枚落ち", "2sgkg3/9"},      {"右七枚落ち", "3gkgs2/9"},
        {"八枚落ち", "3gkg3/9"},       {"十枚落ち", "4k4/9"},
    };
    for (size_t i = 0; i < sizeof handicaps / sizeof *handicaps; i++) {
        char text[256], sfen[FEN_MAX];
        snprintf(text, sizeof text, "手合割：%s\n%s", handicaps[i].name, game);
        snprintf(sfen, sizeof sfen, "%s/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", handicaps[i].board);
        const Expected expected = {sfen, "3c3d", NO_SCORE, 1, true};
        expect_records("kif", text, &expected, 1);
    }
}

/* The first game, as Kifu for Windows writes it. */
static void kif_in_shift_jis(void **state) {
    (void)state;
    static const char text[] =
        "\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8\r\n\x90\xe6\x8e\xe8\x81\x46\xb1\xb2\x83\x7c\r\n"
        "   1 \x82\x56\x98\x5a\x95\xe0(77)\r\n   2 \x82\x52\x8e\x6c\x95\xe0(33)\r\n   3 \x93\x8a\x97\xb9\r\n";
    static const Expected expected[] = {{NULL, "7g7f", NO_SCORE, -1, true}, {NULL, "3c3d", NO_SCORE, 1, false}};
    expect_records("kif", text, expected, sizeof expected / sizeof *expected);
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

static void kif_faults(void **state) {
    (void)state;
    static const char good[] = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
    static const struct {
        const char *text, *words;
    } faults[] = {
        {"   1 ７五歩(77)\n", "illegal move 1: '７五歩(77)'"},
        {"   1 ７六銀(77)\n", "illegal move 1"},
        {"   1 同　歩(77)\n", "illegal move 1"},
        {"   1 ７六歩(7)\n", "illegal move 1"},
        {"   1 ７六玉打\n", "illegal move 1"},
        {"   1 ７六歩(77)\n   2 中断\n", "the game has no result"},
        {"   1 ７六歩(77)\n", "does not end with its result"},
        {"手合割：百枚落ち\n", "no such handicap"},
        {"先手の持駒：歩十九　\n", "no such pieces in hand"},
        {"先手の持駒：玉\n", "no such pieces in hand"},
        {"| ・ ・|一\n", "no such rank of a board"},
        {"|\n", "no such rank of a board"},
        {"| 歩 ・ ・ ・ ・ ・ ・ ・ ・|九\n   1 ７六歩(77)\n", "there is no king"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) refused("kif", faults[i].text, faults[i].words, good);
}

static void damage_of(const char *format, const char *text, size_t n) {
    uint64_t seed = 1;
    for (unsigned round = 0; round < 20000; round++) {
        char bytes[4096];
        assert_true(n < sizeof bytes);
        memcpy(bytes, text, n);
        for (unsigned i = 0; i < 1 + round % 4; i++) {
            const unsigned at = random_below(&seed, (unsigned)n);
            bytes[at] = round % 3 ? text[random_below(&seed, (unsigned)n)] : (char)random_below(&seed, 256);
        }
        TabiaError error;
        DataRecord r;
        DataReader *reader = open_text(format, bytes, n);
        unsigned records = 0;
        for (DataReadStatus status = DATA_READ_OK; status == DATA_READ_OK || status == DATA_READ_BAD_RECORD; records++)
            status = data_read(reader, &r, &error);
        assert_true(records < 100);
        data_reader_close(reader);
    }
}

static void damage(void **state) {
    (void)state;
    damage_of("csa", csa, strlen(csa));
    damage_of("kif", kif, strlen(kif));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csa_games),     cmocka_unit_test(csa_faults),       cmocka_unit_test(kif_games),
        cmocka_unit_test(kif_handicaps), cmocka_unit_test(kif_in_shift_jis), cmocka_unit_test(kif_faults),
        cmocka_unit_test(damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
