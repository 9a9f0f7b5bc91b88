/* SPDX-License-Identifier: MIT */
/* Games of shogi as text: what is read of them, and that damage is refused. */
#include "unit.h"

#include "base/random.h"
#include "format_tools.h"
#include "formats/japanese_text.h"
#include "notation/fen.h"
#include "notation/move_text.h"

#include <iconv.h>

static const char csa[] =
    "V2.2\nN+first\nN-second\n$EVENT:test\n'comment\nPI\n+\n"
    "+7776FU,T3\n'** 35 -3334FU\n-3334FU\nT1\n'** -20\n+8822UM\n-3122GI\n'** -9223372036854775808 x\n+0045KA\n%TORYO\n"
    "/\nV2.2\nPI82HI22KA\n-\n-5142OU\n%KACHI\nT1\n%KACHI\n'summary:kachi:a win:b lose\n"
    "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA *\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
    "P4 *  *  *  *  *  *  *  *  *\nP5 *  *  *  *  *  *  *  *  *\nP6 *  *  *  *  *  *  *  *  *\n"
    "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE *\n"
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
   black that the server takes, the third gives its position. */
static void csa_games(void **state) {
    static const Expected expected[] = {
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "7g7f", 35, 1, true},
        {NULL, "3c3d", 20, -1, false},
        {NULL, "8h2b+", NO_SCORE, 1, false},
        {NULL, "3a2b", DATA_SCORE_MAX, -1, false},
        {"lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5", "B*4e", NO_SCORE, 1, false},
        {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "5a4b", NO_SCORE, -1, true},
        {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN1 b L 1", "L*1i", NO_SCORE, 0, true},
    };
    expect_records("csa", csa, expected, sizeof expected / sizeof *expected);
}

static const char kif[] =
    "\xef\xbb\xbf#KIF version=2.0 encoding=UTF-8\n# ---- Kifu\n開始日時：2020/01/01\n手合割：平手\n"
    "先手：first\n後手：second\n手数----指手---------消費時間--\n*a comment before the game\n"
    "   1 ７六歩(77)   ( 0:01/00:00:01)\n*#評価値=35\n   2 ３四歩(33)   ( 0:00/00:00:00)\n**評価値=-20.5\n"
    "   3 ２二角成(88)\n   4 同　銀(31)\n*#読み筋=x\n   5 ４五角打\n   6 投了\nまで5手で先手の勝ち\n\n変化：3手\n"
    "   3 ６六歩(67)\n   4 中断\nまで3手で中断\n\n"
    "手合割：二枚落ち　\n下手：a\n上手：b\n手数----指手--\n   1 ４二玉(51)\n   2 反則勝ち\n"
    "手合割：その他\n後手の持駒：飛　角　金四　銀三　桂三　香四　歩十七　\n"
    "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
    "| ・ ・ ・ ・ ・ ・ ・v桂v玉|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ 馬 ・ ・ 歩|3\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
    "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
    "+---------------------------+\n先手の持駒：なし\n後手番\n手数----指手--\n   1 １二香打\n   2 千日手\n";

static void kif_games(void **state) {
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
    static const char game[] = "手数----指手--\n   1 ３四歩(33)\n   2 投了\n",
                      *const forms[] = {"手合割：%s\n%s", "手合割: %s　\n%s",
                                        "手合割：%s\n上手番\n先手の持駒：なし\n%s"};
    static const struct {
        const char *name, *board;
    } handicaps[] = {
        {"香落ち", "lnsgkgsn1/1r5b1"}, {"左香落ち", "lnsgkgsn1/1r5b1"}, {"右香落ち", "1nsgkgsnl/1r5b1"},
        {"角落ち", "lnsgkgsnl/1r7"},   {"香落", "lnsgkgsn1/1r5b1"},     {"二枚落", "lnsgkgsnl/9"},
        {"角落", "lnsgkgsnl/1r7"},     {"飛落ち", "lnsgkgsnl/7b1"},     {"二枚落ち", "lnsgkgsnl/9"},
        {"飛車落ち", "lnsgkgsnl/7b1"}, {"飛香落ち", "lnsgkgsn1/7b1"},   {"三枚落ち", "lnsgkgsn1/9"},
        {"四枚落ち", "1nsgkgsn1/9"},   {"五枚落ち", "2sgkgsn1/9"},      {"左五枚落ち", "1nsgkgs2/9"},
        {"六枚落ち", "2sgkgs2/9"},     {"左七枚落ち", "2sgkg3/9"},      {"右七枚落ち", "3gkgs2/9"},
        {"八枚落ち", "3gkg3/9"},       {"十枚落ち", "4k4/9"},
    };
    for (size_t i = 0; i < sizeof handicaps / sizeof *handicaps; i++) {
        char text[256], sfen[FEN_MAX];
        snprintf(text, sizeof text, forms[i % 3], handicaps[i].name, game);
        snprintf(sfen, sizeof sfen, "%s/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", handicaps[i].board);
        const Expected expected = {sfen, "3c3d", NO_SCORE, 1, true};
        expect_records("kif", text, &expected, 1);
    }
}

/* The first game as Kifu for Windows writes it, with ends of lines of old computers, and in EUC-JP. */
static void kif_encodings(void **state) {
    static const char *const texts[] = {
        "\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8\r\n\x90\xe6\x8e\xe8\x81\x46\xb1\xb2\x83\x7c\r\n"
        "   1 \x82\x56\x98\x5a\x95\xe0(77)\r\n   2 \x82\x52\x8e\x6c\x95\xe0(33)\r\n   3 \x93\x8a\x97\xb9\r\n\x1a",
        "\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8\r"
        "   1 \x82\x56\x98\x5a\x95\xe0(77)\r   2 \x82\x52\x8e\x6c\x95\xe0(33)\r   3 \x93\x8a\x97\xb9",
        "\xbc\xea\xb9\xe7\xb3\xe4\xa1\xa7\xca\xbf\xbc\xea\n*\x8e\xb1\x8f\xb0\xa1\n"
        "   1 \xa3\xb7\xcf\xbb\xca\xe2(77)\n   2 \xa3\xb3\xbb\xcd\xca\xe2(33)\n   3 \xc5\xea\xce\xbb\n",
    };
    static const Expected expected[] = {{NULL, "7g7f", NO_SCORE, -1, true}, {NULL, "3c3d", NO_SCORE, 1, false}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_records("kif", texts[i], expected, sizeof expected / sizeof *expected);
}

/* A game of two moves, and behind them what ends it: the result of black. */
typedef struct {
    const char *text;
    int result;
} End;

static void expect_ends(const char *format, const char *moves, const End *ends, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", moves, ends[i].text);
        const Expected expected[] = {{NULL, "7g7f", NO_SCORE, ends[i].result, true},
                                     {NULL, "3c3d", NO_SCORE, -ends[i].result, false}};
        expect_records(format, text, expected, 2);
    }
}

/* The C library's own conversion of every pair of bytes in each encoding, behind a sign that tells which. All signs are met. */
static void signs_of_encodings(void **state) {
    static const struct { const char *name, *first; } encodings[] = {{"CP932", "\x93\xaf"}, {"EUC-JP", "\xc6\xb1"}};
    for (unsigned e = 0; e < 2; e++) {
        const iconv_t conversion = iconv_open("UTF-8", encodings[e].name);
        if (conversion == (iconv_t)-1) skip();
        unsigned known = 0;
        for (unsigned code = 0x8140; code <= 0xfefe; code++) {
            char line[] = {encodings[e].first[0], encodings[e].first[1], (char)(code >> 8), (char)code, '\0'};
            char text[JAPANESE_TEXT_GROWTH * sizeof line], expected[16] = "", *from = line, *to = expected;
            size_t from_bytes = strlen(line), to_bytes = sizeof expected - 1;
            japanese_text_to_utf8(line, text);
            if (from_bytes < 4 || (code & 0xff) == 0xff || strlen(text) != 6) continue; /* no sign of a game */
            assert_int_equal(iconv(conversion, &from, &from_bytes, &to, &to_bytes), 0);
            assert_string_equal(text, expected);
            known++;
        }
        iconv_close(conversion);
        assert_int_equal(known, 133);
    }
}

static void csa_ends(void **state) {
    static const End ends[] = {
        {"%TORYO\n'P1-KY\n'summary:toryo:a lose:b win\n'$END_TIME:x\n", -1},
        {"%TIME_UP\nT1.5\n$END_TIME:x\n", -1},
        {"%TORYO\x1a", -1},
        {"%TSUMI\n", -1},
        {"%JISHOGI\n", 0},
        {"%HIKIWAKE\n", 0},
        {"%SENNICHITE\n", 0},
        {"%MAX_MOVES,T3\n\x1a", 0},
        {"%ILLEGAL_MOVE\n", -1},
        {"%+ILLEGAL_ACTION\n", -1},
        {"%-ILLEGAL_ACTION\n", 1},
        {"+7776FU\n%ILLEGAL_MOVE\n", -1},
        {"+7776FU\n'** 5\n%+ILLEGAL_ACTION\n", -1},
        {"'summary:sennichite:a draw:b draw\n", 0},
        {"'summary:max_moves:x win:y lose: draw:b lose draw\n", 0},
        {"'summary:max_moves:a win:b lose\n", 1},
        {"'summary:oute_sennichite:a win:b lose\n", 1},
        {"'summary:time up:a lose:b c win\n", -1},
        {"'ILLEGAL_MOVE(+7775FU)\n'summary:illegal move:a lose:b win\n", -1},
        {"+7775FU\n'summary:illegal move:a lose:b win\n", -1},
        {"+0077FU\n'summary:uchifuzume:a lose:b win\n", -1},
        {"'summary:outori:a win:b lose\n", 1},
        {"%TORYO\n'summary:abnormal:a win:b lose\n", 1},
        {"'summary:abnormal:a lose:b win\n", -1},
        {"%KACHI\n%KACHI\n'summary:illegal kachi:a lose:b win\n", -1},
        {"%KACHI\n'summary:kachi:a win:b lose\n", 1},
        {"%CHUDAN\n'summary:abnormal:a win:b lose\n", 1},
    };
    expect_ends("csa", "V3.0\rN+a,b\rPI\r+\r+7776FU,T1.25,'x,y\r-3334FU\r", ends, sizeof ends / sizeof *ends);
}

static void kif_ends(void **state) {
    static const End ends[] = {
        {"3 投了 ( 0:01/00:00:02)\nまで2手で後手の勝ち\n", -1},
        {"3 詰\nまで2手で詰み\n", -1},
        {"3 詰み\n", -1},
        {"3 時間切れ\n", -1},
        {"3 切れ負け\nまで2手で時間切れにより後手の勝ち\n", -1},
        {"3 反則負け\nまで2手で先手の反則負け\n", -1},
        {"3 反則勝ち\n", 1},
        {"3 反則手\nまで2手で先手の勝ち\n", 1},
        {"3 連続王手の千日手\nまで2手で後手の勝ち\n", -1},
        {"3 入玉勝ち\nまで2手で先手の入玉勝ち\n", 1},
        {"3 入玉宣言\n", 1},
        {"3 宣言勝ち\n", 1},
        {"3 勝ち宣言\n", 1},
        {"3 不戦敗\n", -1},
        {"3 不戦勝\n", 1},
        {"3 千日手\n", 0},
        {"3 持将棋\nまで4手で持将棋\n", 0},
        {"3 引き分け\n", 0},
        {"3 最大手数\n", 0},
        {"まで2手で下手の勝ち\n", 1},
        {"まで、２手で千日手\n", 0},
        {"まで2手にて、先手が勝ち\x1a", 1},
        {"まで2手で連続王手の千日手により後手の勝ち\n", -1},
        {"まで2手で持将棋成立\n", 0},
        {"&bookmark\n*#評価値 x\n3 ７六歩打\n4 反則勝ち\n", -1},
        {"3 ７六歩打\n4 反則負け\n", -1},
        {"3 ７六歩打\n4 反則手\n", -1},
        {"3 ７六歩打\nまで3手で先手の反則負け\n", -1},
        {"3 投了\n\n変化:2手\n 2 ８四歩(83)+\n 3 千日手\nまで2手で千日手\n", -1},
        {"3 投了\n\n消費時間：1分\n", -1},
    };
    expect_ends("kif", "手合割：平手\n\t1 ▲７六歩(77)( 0:1/0:0:1)\n２　３４歩右(33)　　+\n", ends,
                sizeof ends / sizeof *ends);
}

/* The error that a text gives at its record, and then the good game behind it. */
static void refused(const char *format, const char *text, const char *words, const char *good_game) {
    TabiaError error;
    DataRecord r;
    char all[2048];
    snprintf(all, sizeof all, "%s%s", text, good_game);
    DataReader *reader = open_text(format, all, strlen(all));
    if (data_read(reader, &r, &error) != DATA_READ_BAD_RECORD) fail_msg("%s: '%s' is read", format, text);
    if (!strstr(error.text, words)) fail_msg("%s: '%s' instead of '%s'", format, error.text, words);
    if (data_read(reader, &r, &error) != DATA_READ_OK) fail_msg("behind '%s': %s", text, error.text);
    if (data_read(reader, &r, &error) != DATA_READ_END) fail_msg("behind '%s': more than the good game", text);
    data_reader_close(reader);
}

/* What is refused by its name, and where: reading resumes at the good game, never within the bad one. */
static void csa_faults(void **state) {
    static const char good[] = "V2\nPI\n+\n+7776FU\n%TORYO\n";
    static const struct {
        const char *text, *words;
    } faults[] = {
        {"PI\n+\n+7775FU\n%TORYO\n", "line 3: '+7775FU': illegal move 1"},
        {"PI\n+\n+7775FU\n+7776FU\n%TORYO\n", "line 3: '+7775FU': illegal move 1"},
        {"PI\n+\n+7775FU\n%-ILLEGAL_ACTION\n", "line 3: '+7775FU': illegal move 1"},
        {"PI\n+\n+7775FU\n'summary:toryo:a lose:b win\n", "line 3: '+7775FU': illegal move 1"},
        {"PI\n+\n-3334FU\n%TORYO\n", "illegal move 1"},
        {"PI\n+\n+7776FU7\n%TORYO\n", "illegal move 1"},
        {"P-11OU\nP+59OU\n-\n-1112\n%TORYO\n", "illegal move 1"},
        {"PI\n+\n+00XXFU\n%TORYO\n", "illegal move 1"},
        {"PI\n+\n+7700FU\n%TORYO\n", "illegal move 1"},
        {"PI\n+\n+7776FU\n%CHUDAN\n", "line 4: '%CHUDAN': the game has no result"},
        {"PI\n+\n+7776FU\n%MATTA\n", "the game has no result"},
        {"PI\n+\n+7776FU\n%FUZUMI\n", "the game has no result"},
        {"PI\n+\n+7776FU\n%ERROR\n", "the game has no result"},
        {"PI\n+\n+7776FU\n%\n", "'%': no end of a game that is known"},
        {"PI\n+\n+7776FU\n%-ILL\n", "no end of a game that is known"},
        {"PI\n+\n+7776FU\n%KACHI\n", "line 4: '%KACHI': the declaration does not win by the 27-point rule"},
        {"PI\n+\n+7776FU\n%TORYO\n'summary:toryo:a lose:b win\n", "it contradicts the end of the game before it"},
        {"PI\n+\n+7776FU\n%TORYO\n%SENNICHITE\n", "it contradicts the end of the game before it"},
        {"PI\n+\n+7776FU\n%KACHI\n'summary:toryo:a win:b lose\n", "the declaration does not win"},
        {"PI\n+\n+7776FU\n'summary:time up:a win:b win\n", "no summary of a game"},
        {"PI\n+\n+7776FU\n'summary:time up\n", "no summary of a game"},
        {"PI\n+\n+7776FU\n%TORYO\n-3334FU\n", "a move after the end of the game"},
        {"PI\n+\n+7776FU\n", "does not end with its result"},
        {"PI\n+\n+7776FU\n/\n", "does not end with its result"},
        {"V2\nPI\n+\n%TORYO\n", "line 4: the game has no move"},
        {"V2\nN+a\nPI\n", "the game has no move"},
        {"PI\n+7776FU\n", "before the side that moves first"},
        {"PI\n%TORYO\n", "an end before the side that moves first"},
        {"V2\n+\n+7776FU\n%TORYO\n", "no position before the side that moves first"},
        {"PI\n+\n+7776FU\n-\n", "the side that moves first, a second time"},
        {"PI\n+\n+7776FU\nP+00FU\n", "a position after the side that moves first"},
        {"P1-XX\n", "no such line of a position"},
        {"P1 *  *  *  *  *  *  *  *\n", "no such line of a position"},
        {"P2 *  *  *  *  *  *  *  *  *\nP2 *  *  *  *  *  *  *  *  *\n", "line 2: 'P2 *"},
        {"P2 *  *  *  *  *  *  *  *  *\nP+55OU\nP-51OU\n+\n", "line 4: '+': the board before it lacks ranks"},
        {"V2\nP1-XX\nN+a\n+\n+7776FU\n%TORYO\n", "no such line of a position"},
        {"P+55OU54OU\n", "no such line of a position"},
        {"PI88HI\n", "no such line of a position"},
        {"P+55OU55KI\n", "no such line of a position"},
        {"P+55OU\nP-54KI\n+\nx\n", "no line of a game in CSA"},
        {"P+55FU\n+\n", "there is no king"},
        {"garbage\n", "no line of a game in CSA"},
        {"Vain\n", "no line of a game in CSA"},
        {"Nobody\n", "no line of a game in CSA"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) refused("csa", faults[i].text, faults[i].words, good);
    refused("csa", "V2\nP1-XX\nN+a\n+\n+7776FU\n%TORYO\n", "no such line of a position", good + 3);
    char line[512] = "PI,+,+7776FU";
    for (size_t i = strlen(line); i < 300; i++) line[i] = ' ';
    strcpy(line + 300, ",-3334FU\n%TORYO\n");
    refused("csa", line, "it has more than 255 bytes", good);
}

static void kif_faults(void **state) {
    static const char good[] = "#KIF\n手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
    static const struct {
        const char *text, *words;
    } faults[] = {
        {"   1 ７五歩(77)\n", "line 1: '７五歩(77)': illegal move 1"},
        {"   1 ７六銀(77)\n", "illegal move 1"},
        {"   1 同　歩(77)\n", "illegal move 1"},
        {"   1 ７六歩(7)\n", "illegal move 1"},
        {"   1 ７六玉打\n", "illegal move 1"},
        {"   1 \xc6\xb1\xce\xb6(55)\n", "line 1: '同龍(55)': illegal move 1"},
        {"   1 ７六歩(77)成\n", "illegal move 1"},
        {"   1 ７六歩(77)　不成\n", "illegal move 1"},
        {"   1 \n", "line 1: '   1 ': no move, and no end"},
        {"   1 ７五歩(77)\n   2 投了\n", "illegal move 1"},
        {"   1 ７五歩(77)\n   2 ３四歩(33)\n", "illegal move 1"},
        {"   1 ７五歩(77)\nまで1手で先手の反則勝ち\n", "illegal move 1"},
        {"   1 ７六歩(77)\n   2 中断\n", "the game has no result"},
        {"   1 ７六歩(77)\n   2 不詰\n", "the game has no result"},
        {"   1 ７六歩(77)\n   2 反則手\n", "line 2: '反則手': it does not say who has won"},
        {"   1 ７六歩(77)\n   2 終り\n", "'終り': no move, and no end of a game that is known"},
        {"   1 ７六歩(77)\n   2 勝ち\n", "no end of a game that is known"},
        {"   1 ７六歩(77)\n   2 投了\nまで1手で後手の勝ち\n", "it contradicts the end of the game before it"},
        {"   1 ７六歩(77)\n   2 投了\nまで1手で千日手\n", "it contradicts the end of the game before it"},
        {"   1 ７六歩(77)\nまで3手で先手の勝ち\n", "its number is not that of the last move"},
        {"   1 ７六歩(77)\n   3 ３四歩(33)\n", "its number is not that of the next move"},
        {"   1 △７六歩(77)\n", "it is the other side's turn"},
        {"   1 ７六歩(77)\n   2 投了\n   3 ３四歩(33)\n", "a move after the end of the game"},
        {"   1 ７六歩(77)\n", "does not end with its result"},
        {"手合割：平手\n   1 投了\n", "the game has no move"},
        {"手合割：平手\n先手：a\n", "the game has no move"},
        {"手合割：平手\n７六歩(77)\n３四歩(33)\n", "a move without its number"},
        {"手合割：平手\n\n▲７六歩△３四歩\n", "moves of KI2, which is not read"},
        {"<!DOCTYPE html>\n<pre>\n", "this is a web page"},
        {"手合割：平手\n\xa5\xa5\xa5\xa5\n", "no line of a game in KIF"},
        {"   1 ７六歩(77)\nx\n   2 投了\n", "'x': no line of a game in KIF"},
        {"\xff\xfe\x4b\x62\x0d\n", "the text is in UTF-16, which is not read"},
        {"手合割：百枚落ち\n開始日時：x\n先手：a\n   1 ７六歩(77)\n   2 投了\n",
         "line 1: '手合割：百枚落ち': no such handicap"},
        {"手合割：その他\n   1 ７六歩(77)\n   2 投了\n", "no such handicap, and no board of one"},
        {"手合割：\n   1 ７六歩(77)\n   2 投了\n", "no such handicap"},
        {"手合割：平手\nx\n開始日時：x\n先手：a\n   1 ７六歩(77)\n   2 投了\n", "'x': no line of a game in KIF"},
        {"先手の持駒：歩十九　\n", "no such pieces in hand"},
        {"先手の持駒：玉\n", "no such pieces in hand"},
        {"先手の持駒：歩なし\n", "no such pieces in hand"},
        {"手合割：詰将棋\n先手の持駒：玉\n", "line 2: '先手の持駒：玉': no such pieces in hand"},
        {"先手の持駒：残り\n後手の持駒：残り\n", "line 2: '後手の持駒：残り': no such pieces in hand"},
        {"先手の持駒：残り\n   1 ７六歩(77)\n   2 投了\n", "pieces in hand without a board"},
        {"持駒：飛\n", "it does not say whose pieces in hand"},
        {"手合割：詰将棋\n|\n", "line 2: '|': no such rank of a board"},
        {"先手の持駒：歩\n   1 ７六歩(77)\n   2 投了\n", "pieces in hand without a board"},
        {"| ・ ・|一\n", "no such rank of a board"},
        {"|\n", "no such rank of a board"},
        {"| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n", "no such rank of a board"},
        {"| 歩 ・ ・ ・ ・ ・ ・ ・ ・|九\n   1 ７六歩(77)\n", "its board lacks ranks"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) refused("kif", faults[i].text, faults[i].words, good);
}

/* A board counts, whatever the handicap; the score of a comment is black's, and counts for the move before it alone. */
static void kif_boards_and_scores(void **state) {
    static const char *const heads[] = {"手合割：平手　　\n", "手合割：詰将棋\n", "手合割：その他\n", "",
                                        "手合割：二枚落ち\n先手番\n"};
    static const char *const hands[] = {"後手の持駒:飛２　角二 金3銀四桂四香4歩十七", "玉方の持ち駒：残り\n",
                                        "攻方の持ち駒：金\n後手の持駒：残り"};
    static const char board[] =
        "\n  9 8 7 6 5 4 3 2 1\n+---+\n| ・ ・ ・ ・v王 ・ ・ ・ ・|１\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|2\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---+\n先手の持駒：金\n*#評価値=9\n"
        "手数＝0\n";
    static const struct {
        const char *comment;
        int score;
    } comments[] = {
        {"*#評価値=35", 35},
        {"**評価値=-20.5", -20},
        {"** 100000 +5242KI", 32000},
        {"**-7", -7},
        {"*#評価値=-32001", -32000},
        {"*#評価値=+Mate 5", NO_SCORE},
        {"*#詰み=先手勝ち:5手", NO_SCORE},
        {"**2手目", NO_SCORE},
        {"**対局 評価値 5", NO_SCORE},
        {"* 5", NO_SCORE},
        {"#評価値=5", NO_SCORE},
    };
    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s 1 ５二金打\n%s\n 2 詰み\n** 77\nまで1手で詰\n", heads[i % 5], hands[i % 3],
                 board, comments[i].comment);
        const Expected expected = {"4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "G*5b", comments[i].score, 1, true};
        expect_records("kif", text, &expected, 1);
    }
}

/* Neither a text without a game nor one that is cut off ends in silence; the games before the end are read. */
static void ends_of_texts(void **state) {
    static const struct {
        const char *format, *text, *words;
        unsigned good;
    } texts[] = {
        {"csa", "", "", 0},
        {"csa", "\n", "the text has no game", 0},
        {"csa", "'x\n$EVENT:x\n", "line 2: the text has no game", 0},
        {"kif", "\xef\xbb\xbf*x\n", "the text has no game", 0},
        {"kif", "{\"a\":1}", "the text has no game", 0},
        {"csa", "PI\n+\n+7776FU\n%TORYO\n\x1aPI\n+\n+7776FU\n", "line 7: truncated", 1},
        {"kif", " 1 ７六歩(77)\n 2 投了\n\x1a手合割：平手\n 1 ７六歩(77)\n", "line 4: truncated", 1},
        {"kif", " 1 ７六歩(77)\n 2 投了\n\n対局日：x\n*x\n", "", 1},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        TabiaError error = {.text = ""};
        DataRecord r;
        DataReader *reader = open_text(texts[i].format, texts[i].text, strlen(texts[i].text));
        for (unsigned n = 0; n < texts[i].good; n++) assert_int_equal(data_read(reader, &r, &error), DATA_READ_OK);
        if (*texts[i].words) assert_int_equal(data_read(reader, &r, &error), DATA_READ_BAD_RECORD);
        if (!strstr(error.text, texts[i].words)) fail_msg("'%s' instead of '%s'", error.text, texts[i].words);
        assert_int_equal(data_read(reader, &r, &error), DATA_READ_END);
        data_reader_close(reader);
    }
}

/* ---- writing ---- */

static const char written_csa[] = "V2.2\nP1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  * \n"
                                  "P3 *  *  *  * +FU+KA *  *  * \nP4 *  *  *  *  *  *  *  *  * \n"
                                  "P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n"
                                  "P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \n"
                                  "P9 *  *  *  * +OU *  *  *  * \nP+00KI00KI\nP-00FU00HI\n-\n"
                                  "-5141OU\n'** -32000\n+4332UM\n'** 7\n-4132OU\n'** -35\n+0033KI\n",
                  written_kif[] = "   1 ４一玉(51)   ( 0:00/00:00:00)\n** -32000\n"
                                  "   2 ３二角成(43) ( 0:00/00:00:00)\n** 7\n"
                                  "   3 同　玉(41)   ( 0:00/00:00:00)\n** -35\n"
                                  "   4 ３三金打     ( 0:00/00:00:00)\n";

/* Of black, and what is written of it behind those moves. */
static const struct {
    int result;
    const char *csa, *kif;
} written_ends[] = {
    {1, "%TORYO\n/\n", "   5 投了         ( 0:00/00:00:00)\nまで4手で先手の勝ち\n\n"},
    {0, "%HIKIWAKE\n/\n", "   5 引き分け     ( 0:00/00:00:00)\nまで4手で引き分け\n\n"},
    {-1, "%CHUDAN\n'summary:adjudicated:black lose:white win\n/\n", "まで4手で後手の勝ち\n\n"},
};

/* A game of these moves, with the result for black; a move has a score for its side, or (NO_SCORE) none. */
static void game_of(DataRecord *r, const char *sfen, const Expected *moves, unsigned n, int result) {
    Position p;
    assert_true(fen_parse(&p, sfen, NULL));
    for (unsigned i = 0; i < n; i++) {
        r[i] = (DataRecord){.position = p, .move = move_from_uci(&p, moves[i].move), .score = moves[i].score};
        assert_int_not_equal(r[i].move, 0);
        r[i].skip = moves[i].score == NO_SCORE;
        r[i].result = (int8_t)(p.turn == WHITE ? -result : result);
        r[i].ply = (uint16_t)i;
        r[i].starts_game = !i;
        position_make_move(&p, &p, r[i].move);
    }
}

static void expect_written(const char *format, const DataRecord *r, unsigned n, const char *text) {
    DataEncoder e = encoded(data_format_by_name(format, NULL), r, n);
    data_buffer_append(&e.bytes, "", 1);
    const size_t size = e.bytes.size - 1;
    assert_true(size >= strlen(text));
    assert_string_equal((const char *)e.bytes.data + size - strlen(text), text);
    data_encoder_free(&e);
}

/* With a drop, a promotion, and 同; a score beyond what is read is lost, and one is missing. */
static void written_games(void **state) {
    static const Expected moves[] = {{NULL, "5a4a", 32001, 0, true},
                                     {NULL, "4c3b+", 7, 0, false},
                                     {NULL, "4a3b", 35, 0, false},
                                     {NULL, "G*3c", NO_SCORE, 0, false}};
    DataRecord r[4];
    for (size_t i = 0; i < sizeof written_ends / sizeof *written_ends; i++) {
        char text[1024];
        game_of(r, "4k4/9/4PB3/9/9/9/9/9/4K4 w 2Grp 1", moves, 4, written_ends[i].result);
        snprintf(text, sizeof text, "%s%s", written_csa, written_ends[i].csa);
        expect_written("csa", r, 4, text);
        snprintf(text, sizeof text, "%s%s", written_kif, written_ends[i].kif);
        expect_written("kif", r, 4, text);
    }
    assert_true(data_lost_fields(&data_format_csa, r) & DATA_SCORE);
    assert_false(data_lost_fields(&data_format_kif, r + 1) & DATA_SCORE);
}

/* Mate, a declaration, and a game that is longer than readers take. */
static void written_ends_of_positions(void **state) {
    static const Expected mate = {NULL, "G*5b", NO_SCORE, 0, true}, declared = {NULL, "1a1b", NO_SCORE, 0, true};
    static const char *const around[] = {"5i5h", "5a5b", "5h5i", "5b5a"};
    enum { LONG = GAME_RECORD_PLIES + 1 };
    Expected moves[LONG];
    DataRecord *r = aligned_alloc(64, (size_t)2 * LONG * sizeof *r), *back = r + LONG;
    game_of(r, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &mate, 1, 1);
    expect_written("csa", r, 1, "+\n+0052KI\n%TSUMI\n/\n");
    expect_written("kif", r, 1, "   2 詰み         ( 0:00/00:00:00)\nまで1手で詰み\n\n");
    game_of(r, "K7k/GGGGSSSS1/NNNN1+R3/9/9/9/9/9/9 w R2B18P 1", &declared, 1, 1);
    expect_written("csa", r, 1, "-1112OU\n%KACHI\n/\n");
    expect_written("kif", r, 1, "   2 入玉勝ち     ( 0:00/00:00:00)\nまで1手で先手の入玉勝ち\n\n");
    for (unsigned i = 0; i < LONG; i++) moves[i] = (Expected){.move = around[i % 4], .score = NO_SCORE};
    game_of(r, "4k4/9/9/9/9/9/9/9/4K4 b - 1", moves, LONG, 0);
    for (int i = 0; i < 2; i++) {
        const DataFormat *format = i ? &data_format_csa : &data_format_kif;
        DataEncoder e = encoded(format, r, LONG);
        assert_int_equal(decoded(format, e.bytes.data, e.bytes.size, back), LONG);
        assert_true(back[GAME_RECORD_PLIES].starts_game);
        data_encoder_free(&e);
    }
    free(r);
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
    damage_of("csa", csa, strlen(csa));
    damage_of("kif", kif, strlen(kif));
}

#include "test_shogi_game_records_list.h"
