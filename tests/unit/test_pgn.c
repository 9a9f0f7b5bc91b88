/* SPDX-License-Identifier: MIT */
/* PGN as training data: comments of fastchess and cutechess, what else may stand in a game, and its faults. */
#include "format_tools.h"

#include "data/decode.h"
#include "formats/pgn_text.h"
#include "notation/fen.h"
#include "notation/move_text.h"

#define TAGS(result) "[Event \"a\"]\n[Result \"" result "\"]\n\n"

/* Reads bytes to their end. What was read: "e2e4 10 1;" for move, score and result, "!" for a bad record, "$" for an
   error that ends it, whose text is left in *error. */
static const char *read_bytes(const char *text, size_t bytes, TabiaError *error) {
    static char out[1000];
    out[0] = '\0';
    char move[UCI_MAX], *at = out;
    DataRecord r;
    DataReader *reader = data_reader_memory(text, bytes, &data_format_pgn, error);
    DataReadStatus status;
    while ((status = data_read(reader, &r, error)) == DATA_READ_OK || status == DATA_READ_BAD_RECORD) {
        if (status == DATA_READ_BAD_RECORD) {
            at += sprintf(at, "!");
            continue;
        }
        move_to_uci(&r.position, r.move, false, move);
        assert_int_equal(r.skip, r.score == DATA_SKIP_SCORE);
        at += sprintf(at, "%s%s ", r.starts_game ? "/" : "", move);
        at += r.skip ? sprintf(at, "skip %d;", r.result) : sprintf(at, "%d %d;", r.score, r.result);
    }
    if (status == DATA_READ_ERROR) strcpy(at, "$");
    data_reader_close(reader);
    return out;
}

static const char *read_all(const char *text, TabiaError *error) {
    return read_bytes(text, strlen(text), error);
}

static void comments_of_match_managers(void **state) {
    TabiaError error;
    static const char fastchess[] =
        "[Event \"Fastchess Tournament\"]\n[Site \"?\"]\n[Round \"1\"]\n[White \"engine1\"]\n[Black \"engine2\"]\n"
        "[Result \"1-0\"]\n[PlyCount \"4\"]\n[Termination \"normal\"]\n[TimeControl \"-\"]\n[Opening \"A \\\"b\\\" "
        "c\"]\n\n"
        "1. e4 {book} e5 {+1.23/15 0.430s, n=1250, sd=4} 2. Nf3 {-0.05/16 0.310s}\n"
        "Nf6 {-M6/18 1.821s, engine2 got checkmated} 1-0\n\n";
    assert_string_equal(read_all(fastchess, &error), "/e2e4 skip 1;e7e5 123 -1;g1f3 -5 1;g8f6 -31994 -1;");
    static const char cutechess[] =
        "[Event \"?\"]\n[FEN \"r2qk2r/1bpp2pp/n3pn2/p2P1p2/1bP5/2N1BNP1/1PQ1PPBP/R3K2R b KQkq - 0 4\"]\n"
        "[SetUp \"1\"]\n[Variant \"fischerandom\"]\n[Result \"1/2-1/2\"]\n\n"
        "4... O-O {0.00/15 1.3s} 5. O-O {+M7/15 0.43s, Draw by adjudication} Nc5 { -0.1/9 12s} 1/2-1/2\n";
    assert_string_equal(read_all(cutechess, &error), "/e8g8 0 0;e1g1 31993 0;a6c5 -10 0;");
}

static void what_else_may_stand_there(void **state) {
    TabiaError error;
    assert_string_equal(read_all(TAGS("0-1") "{ before } 1.e4$1 {good} {+0.50/1} (1. d4 {+9/9 (} ; x )\n d5 (1... c5)) "
                                             "1...e5!? ;+0.70/1 rest\n 2 Nf3?! 0-1\n\n" TAGS("1-0") "1-0\n" TAGS(
                                                 "1/2-1/2") "1. a3 {+0.02/5} {+0.03/5}\n1/2-1/2",
                                 &error),
                        "/e2e4 50 -1;e7e5 skip 1;g1f3 skip -1;/a2a3 2 0;");
    /* What is no evaluation: without a depth, without digits, in another place. */
    static const char *const no_evaluations[] = {"0.35", "+/3", "M/3", "book +0.3/3", "+0.3 /3", "+0.3/x", "", "1-0/3"};
    for (size_t i = 0; i < sizeof no_evaluations / sizeof *no_evaluations; i++)
        if (pgn_evaluation(no_evaluations[i]).found) fail_msg("'%s' is an evaluation", no_evaluations[i]);
    assert_int_equal(pgn_evaluation("+327.67/1").score, 32767);
    assert_int_equal(pgn_evaluation("-327.68/1").score, -32768);
    assert_int_equal(pgn_evaluation("1.239/1").score, 123);
    assert_int_equal(pgn_evaluation("#4/1").score, 31996);
    assert_false(pgn_evaluation("+327.68/1").in_range);
    assert_false(pgn_evaluation("99999999999999999999999999/1").in_range);
    assert_false(pgn_evaluation("+M1001/1").in_range);
}

/* What Lichess writes behind a move is of the position behind it, and so the next record's. */
static void analysis_of_lichess(void **state) {
    TabiaError error;
    static const char game[] = TAGS(
        "1-0") "1. e4 { [%eval 0.17] [%clk 0:00:30] } 1... c5 { [%clk 0:00:30] [%eval 0.19] } 2. Nf3?! { (0.19 -> "
               "-0.25) } "
               "{ [%eval -0.25,18] } 2... d6 { [%clk 0:00:29] } (2... e6 { [%eval 9] }) 3. d4 { [%eval #-3] } 3... e6 "
               "{[%eval #2]} 4. c4 { [%eval 1.5] } 4... e5 {+0.30/12} 1-0\n";
    assert_string_equal(read_all(game, &error), "/e2e4 skip 1;c7c5 -17 -1;g1f3 19 1;d7d6 25 -1;d2d4 skip 1;"
                                                "e7e6 31995 -1;c2c4 31997 1;e6e5 30 -1;");
    assert_string_equal(read_all(TAGS("0-1") "{ [%eval 0.3] } 1. e4 {[%eval 400]} d5 0-1\n", &error), "!/d7d5 skip 1;");
    static const char *const no_evaluations[] = {"", "#", "x", "0.3x", "--1", "#1#", ",3"};
    for (size_t i = 0; i < sizeof no_evaluations / sizeof *no_evaluations; i++)
        if (pgn_analysis(no_evaluations[i], WHITE).found) fail_msg("'%s' is an evaluation", no_evaluations[i]);
    assert_int_equal(pgn_analysis(" +1.239,7", WHITE).score, 123);
    assert_int_equal(pgn_analysis("#0", WHITE).score, 32000);
    assert_int_equal(pgn_analysis("#3", WHITE).score, 31995);
    assert_int_equal(pgn_analysis("#3", BLACK).score, 31994);
    assert_int_equal(pgn_analysis("#-3", WHITE).score, -31994);
    assert_int_equal(pgn_analysis("#-500", WHITE).score, -31000);
    assert_false(pgn_analysis("#501", BLACK).in_range);
}

static void every_score_is_read_back(void **state) {
    char text[PGN_SCORE_MAX + 2];
    for (int score = -32768; score <= 32767; score++) {
        pgn_score_text(score, text);
        strcat(text, "/0");
        const PgnEvaluation e = pgn_evaluation(text);
        if (!e.found || !e.in_range || e.score != score) fail_msg("%d is written as %s", score, text);
    }
}

/* One game each, read as e4 and e5 and nothing else: what is no move, no tag that matters, or another spelling of it. */
static void what_is_read(void **state) {
    static const char *const games[] = {
        "% escaped\n; comment\n{ comment\n[Event \"x\"]\n}\n" TAGS("1-0") "1. e4 e5 1-0",
        "\n\x1a\r\n\xef\xbb\xbf" TAGS("1-0") "1. e4 e5 1-0\n\x1a",
        "[Event \"a\"]\n{ [Result \"0-1\"] }\n% [Result \"0-1\"]\n; [Result \"0-1\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0",
        "[Event \"a\"] [Result \"1-0\"]\n\n1. e4 e5 1-0",
        "[Event \"a\"][Result \"1-0\"] ; b\n\n[Site \"c\"]\n1. e4 e5 1-0",
        "[ Event \"a \"b\"] c\\\" \x01\xe9 \"]\n[Site \"\\\"]\n[Round \"\"]\n[ Result \"1-0\" ] 1. e4 e5 1-0",
        "[Result \"1-0\"]\n[fen-source \"FEN\"]\n[SetUp \"0\"]\n[Variant \"From Position\"]\n\n1. e4 e5 1-0",
        TAGS("1-0") "1. e4\n%5. e5 0-1\ne5 1-0",
        TAGS("1-0") "1. e4 {a\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. d4 0-1\n} e5 1-0",
        TAGS("1-0") "1. e4 ; {\n; [Event \"b\"]\n{ ; (\n[Event \"c\"] }\n e5 1-0",
        TAGS("1-0") "1. e4 (1. d4 {)}\n% )\n; )\n (1. c4 1-0)) e5 1-0",
        TAGS("1-0") "1.\240e4\xc2\xa0N 1... e5\xa0$139D +/= 1-0",
        TAGS("1-0") "1.e4!?+/= \xe2\x88\x9e += =+ +- -+ ?! 1...e5= ! \xc2\xb1 e.p. \xe2\x80\2111-0",
        TAGS("1-0") "1 . e2-e4+ 1\xe2\x80\246e7e5 1\xe2\x80\2230",
        TAGS("1-0") "1.\r; x\re4\r% x\re5 1-0",
        TAGS("1-0") "1. Pe2e4 ( 1. d4 ) 1... e7-e5\n\n1-0",
        TAGS("1-0") "$1 = 1. e4 $e5 1-0",
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        TabiaError error = {.text = ""};
        const char *read = read_all(games[i], &error);
        if (strcmp(read, "/e2e4 skip 1;e7e5 skip -1;") != 0)
            fail_msg("case %zu: read '%s', error '%s'", i, read, error.text);
    }
    TabiaError error;
    assert_string_equal(
        read_all(TAGS("1/2-1/2") "1. e4 \xc2\xbd-\xc2\xbd\n" TAGS("1/2-1/2") "1. e4 \xbd\n" TAGS("1/2-1/2") "1. e4 1/2",
                 &error),
        "/e2e4 skip 0;/e2e4 skip 0;/e2e4 skip 0;");
    /* The mark is behind the move: the comment is the move's. */
    assert_string_equal(read_all(TAGS("1-0") "1. e4 += {+0.50/1} N e5 1-0", &error), "/e2e4 50 1;e7e5 skip -1;");
}

static void names_of_chess(void **state) {
    static const struct {
        const char *name;
        bool is_chess;
    } cases[] = {{"Standard", true},
                 {"normal", true},
                 {"From Position", true},
                 {"Classical", true},
                 {"Chess960", true},
                 {"chess 960", true},
                 {"Chess-960", true},
                 {"Fischer Random", true},
                 {"Fischerandom", true},
                 {"fischerRandom", true},
                 {"FRC", true},
                 {"Fischer Random Chess", true},
                 {"fischerandom/5", true},
                 {"wild/fr", true},
                 {"Freestyle", true},
                 {"Freestyle Chess", true},
                 {"", false},
                 {"Chess9600", false},
                 {"wild/5", false},
                 {"Crazyhouse", false},
                 {"fischerandom/5/and/what/else/may/be/behind/it", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char game[200];
        TabiaError error = {.text = ""};
        sprintf(game, "[Variant \"%s\"]\n" TAGS("1-0") "1. e4 1-0", cases[i].name);
        const bool read = !strcmp(read_all(game, &error), "/e2e4 skip 1;");
        if (read != cases[i].is_chess || (!read && !strstr(error.text, "is not chess")))
            fail_msg("%s: %s", cases[i].name, error.text);
    }
}

/* What does not end is as long as a window, and a comment longer. */
static void long_texts(void **state) {
    static const char tags[] = "[Event \"", rest[] = "\"]\n" TAGS("1-0") "1. e4 {", end[] = "} e5 1-0";
    const size_t value = DATA_WINDOW_BYTES / 2, comment = 3 * DATA_WINDOW_BYTES;
    TabiaError error;
    char *text = malloc(value + comment + sizeof tags + sizeof rest + sizeof end), *at = stpcpy(text, "[Site \"");
    memset(at, '"', value);
    at = stpcpy(at + value, rest);
    memset(at, 'a', comment);
    strcpy(at + comment, end);
    assert_string_equal(read_all(text, &error), "/e2e4 skip 1;e7e5 skip -1;");
    free(text);
}

/* It has more moves than fit. */
static void long_game(void **state) {
    static const char tags[] = TAGS("1-0"), moves[] = "Nf3 Nf6 Ng1 Ng8 ", end[] = "1-0\n" TAGS("1-0") "1. d4 1-0";
    const size_t n = 8192 / 4 + 1;
    TabiaError error;
    char *text = malloc(sizeof tags + n * sizeof moves + sizeof end), *at = stpcpy(text, tags);
    for (size_t i = 0; i < n; i++) at = stpcpy(at, moves);
    strcpy(at, end);
    assert_string_equal(read_all(text, &error), "!/d2d4 skip 1;");
    assert_non_null(strstr(error.text, "more than 8192 moves"));
    free(text);
}

/* Games with a fault, and what is said of it. */
static const struct {
    const char *text, *fault;
} faulty[] = {
    {"e4 e5 1-0", "line 1: a game begins with its tags"},
    {"e4 e5", "line 1: a game begins with its tags"},
    {"[Event \"a\"]\n1. e4 1-0\n", "line 2: the game has no tag Result, [Result"},
    {TAGS("*") "1. e4 *\n", "line 2: the result of the game is '*'"},
    {TAGS("1-0") "1. e4 0-1\n", "ends with '0-1', another result than that of its tag, '1-0'"},
    {TAGS("1-0") "1. e4 {+0.10/3} e5 {-0.10/3} 1/2-1/2\n", "ends with '1/2-1/2', another result than"},
    {TAGS("1-0") "1. e5 e6 1-0\n", "line 4: illegal move: \"e5\": no white pawn can go to e5"},
    {TAGS("1-0") "1. e4 e5\n", "does not end with its result, as 1-0"},
    {TAGS("1-0") "1. e4 e5", "does not end with its result"},
    {TAGS("1-0") "1. e4 } e5 1-0\n", "'}' among the moves"},
    {TAGS("1-0") "1. e4 ) e5 1-0\n", "')' among the moves"},
    {TAGS("1-0") "1. e4 [Site \"b\"] e5 1-0\n", "'[' among the moves"},
    {TAGS("1-0") "1. e4\n[Result \"1-0\"]\ne5 1-0\n", "'[' among the moves"},
    {TAGS("1-0") "(1. d4) 1. e4 1-0\n", "a variation before the first move"},
    {TAGS("1-0") "1. N f3 1-0\n", "illegal move: \"N\""},
    {TAGS("1-0") "1. \xe2\x99\x98 f3 1-0\n", "SAN has ASCII characters alone"},
    {TAGS("1-0") "1. nf3 1-0\n", "illegal move: \"nf3\""},
    {TAGS("1-0") "1. e4 o-o 1-0\n", "SAN has no 'o'"},
    {TAGS("1-0") "1. e4 d5 2. d5 1-0\n", "illegal move: \"d5\": a pawn's capture"},
    {TAGS("1-0") "1. e4 -- 1-0\n", "'--' is a null move"},
    {TAGS("1-0") "1. e4 0000 1-0\n", "'0000' is a null move"},
    {TAGS("1-0") "1. e4 Z0 1-0\n", "'Z0' is a null move"},
    {TAGS("1-0") "1. e4 1...@@@@ 1-0\n", "'@@@@' is a null move"},
    {TAGS("1-0") "1. e4\n\n2. d4 1-0\n",
     "the moves before a blank line do not end with the result; a blank line may not interrupt"},
    {TAGS("1-0") "1. e4 {a\n\nb} (1. d4\n\n) e5 1-0\n", "the variation that begins on line "},
    {TAGS("1-0") "1. e4 e\3514 1-0\n", "illegal move"},
    {TAGS("1-0") "1. e4 e5 ; {\n 2. d\x01 1-0\n", "illegal move: \"d?\""},
    {TAGS("1-0") "1. e4 {e5 1-0\n\n", "the comment that begins on line "},
    {TAGS("1-0") "1. e4 {e5 1-0", "the comment that begins on line "},
    {TAGS("1-0") "1. e4 (1. d4 1-0\n", "the variation that begins on line "},
    {TAGS("1-0") "1. e4 (1. d4 1-0", "the variation that begins on line "},
    {TAGS("1-0") "1. e5 {\n[Event \"b\"]\n[Result \"1-0\"]\n1. d4 1-0 }\n; [Event \"c\"]\n%[Event \"d\"]\n1-0\n",
     "illegal"},
    {TAGS("1-0") "1. e5 (\n{ ) 1-0 }\n1-0 ) 1-0\n", "illegal"},
    {TAGS("1-0") "1. e4 % d4 e5 1-0\n", "illegal move: \"d4\""},
    {"[Variant \"Atomic\"]\n\n\n", "line 1: the variant 'Atomic' is not chess"},
    {"[Variant \"Atomic\"]\n\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n", "line 1: the variant 'Atomic' is not chess"},
    {"[Variant \"Atomic\"]\n\n\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n", "line 1: the variant 'Atomic' is not chess"},
    {"[Variant Atomic]\n[Result \"1-0\"]\n{[Event \"a\"]}\n1. e4 1-0\n", "line 1: the tag 'Variant' has no value"},
    {"[variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "the tag 'variant' is spelled 'Variant'"},
    {"[Event \"a\n\"]\n[Result \"1-0\"]\n1. e4 1-0\n", "line 1: the tag 'Event' does not end with \"] on its line"},
    {"[Event \"a\" b]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "the tag 'Event' does not end"},
    {"[ \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "a tag without a name"},
    {"[Event a]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "the tag 'Event' has no value"},
    {"[Result \"1-0\"] e4\n[Variant \"Atomic\"]\n\n1. e4 1-0\n", "a tag is followed by neither"},
    {"[Result \"0-1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "line 2: a second tag 'Result'"},
    {"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "line 1: FEN field 1"},
    {"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"0\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "SetUp is 0"},
    {"[SetUp \"1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "SetUp is 1, and there is no FEN"},
    {"[SetUp \"yes\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", "SetUp is 'yes', not 0 or 1"},
    {TAGS("1-0"), "neither moves nor its result"},
    {"[Result \"1-0\"]\n\n\n", "neither moves nor its result"},
    {"[Site \"a\n\n", "the tag 'Site' does not end"},
};

/* A faulty game has no record, changes nothing of what is read of those around it, and no part of it is another game. */
static void faults(void **state) {
    char text[1000];
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        TabiaError error = {.text = ""};
        sprintf(text, TAGS("0-1") "1. c4 {+0.20/8} 0-1\n%s" TAGS("1-0") "1. d4 {+0.30/8} d5 {+0.10/8} 1-0",
                faulty[i].text);
        const char *read = read_all(text, &error), *lines = strstr(error.text, ": line "), *fault = faulty[i].fault;
        unsigned line = 0;
        if (lines && sscanf(fault, "line %u", &line)) fault = strchr(fault, ':');
        if (strcmp(read, "/c2c4 20 -1;!/d2d4 30 1;d7d5 10 -1;") != 0 || !strstr(error.text, fault) ||
            (line && atoi(lines + 7) != (int)line + 4))
            fail_msg("case %zu: read '%s', error '%s'", i, read, error.text);
    }
}

/* What no game follows. */
static void faults_at_the_end(void **state) {
    static const char zero[] = TAGS("1-0") "1. e4 \0 1-0\n" TAGS("1-0") "1. d4 1-0",
                      junk[] = TAGS("1-0") "1. d4 1-0\n1-0 d5";
    TabiaError error;
    assert_string_equal(read_bytes(zero, sizeof zero - 1, &error), "!/d2d4 skip 1;");
    assert_non_null(strstr(error.text, "a zero byte"));
    assert_string_equal(read_all(junk, &error), "/d2d4 skip 1;!!");
    assert_string_equal(read_all(TAGS("1-0") "1. e4 {+999.00/3} e5 {+0.20/1} 1-0", &error), "!/e7e5 20 -1;");
    assert_non_null(strstr(error.text, "the evaluation is beyond"));
    assert_string_equal(read_all(TAGS("1-0") "1. e4 e5", &error), "$");
    assert_non_null(strstr(error.text, "truncated: the game does not end"));
    assert_string_equal(read_all(TAGS("1-0") "1. e4 {e5 1-0", &error), "!");
    assert_string_equal(read_all(TAGS("1-0") "1. e4 {e5 1-0\n\n" TAGS("1-0") "1. d4 1-0", &error), "!/d2d4 skip 1;");
    assert_string_equal(read_all(TAGS("1-0"), &error), "$");
    assert_string_equal(read_all("[Event \"a", &error), "!");
    assert_string_equal(read_all("", &error), "");
    assert_string_equal(read_all("\n \n\x1a", &error), "");
}

/* As other programs expect it. */
static void written(void **state) {
    static const char text[] = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
                               "[Black \"?\"]\n[Result \"0-1\"]\n\n"
                               "1. e4 {+0.10/0} e5 {-1.05/0} 2. Bc4 Nc6 {+M5/0} 3. Qh5 {-M4/0} Nf6 {+0.00/0} 4.\n"
                               "Qxf7# {+320.01/0} 0-1\n\n"
                               "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
                               "[Black \"?\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n"
                               "[FEN \"1rk5/8/8/8/8/8/8/1RK5 b q - 3 9\"]\n[Variant \"fischerandom\"]\n\n"
                               "9... O-O-O {+0.01/0} 10. Ra1 {+0.02/0} 1/2-1/2\n\n";
    DataRecord r[20];
    const unsigned n = decoded(&data_format_pgn, text, strlen(text), r);
    DataEncoder e = encoded(&data_format_pgn, r, n);
    e.bytes.data[e.bytes.size] = '\0';
    assert_string_equal((const char *)e.bytes.data, text);
    data_encoder_free(&e);
}

#include "test_pgn_list.h"
