/* SPDX-License-Identifier: MIT */
#include "compare/epd.h"
#include "notation/fen.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

static EpdEntry parsed(const char *text) {
    EpdEntry e = {0};
    TabiaError error = {0};
    if (!epd_parse(&e, text, &error)) fail_msg("%s: %s", text, error.text);
    return e;
}

static void expect_counts(const char *text, const char *fen, unsigned n, const EpdCount *counts) {
    const EpdEntry e = parsed(text);
    assert_string_equal(e.fen, fen);
    assert_int_equal(e.n, n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(e.known[i].depth, counts[i].depth);
        assert_true(e.known[i].count == counts[i].count);
    }
}

/* However the line is written, it says the same. */
static void spellings_in_the_wild(void **state) {
    (void)state;
    static const EpdCount counts[] = {{1, 20}, {3, 8902}};
    static const char *const spellings[] = {
        START " w KQkq - 0 1 ;D1 20 ;D3 8902",
        START " w KQkq - 0 1;D1 20;D3 8902;",
        START " w KQkq - 0 1; D1 20; D3 8902 \r\n",
        START "  w  KQkq\t-  0 1;  D1  20 ;\tD3\t8902 ; ",
        START " w KQkq - ;D1 20 ;D3 8902",
        START " w KQkq - D1 20; D3 8902;",
        START " w KQkq ;d1 20 ;d3 8902",
        START " w KQkq - 0 1 ;id \"a; D2 b\" ;D1 20 ;bm e4;D3 8902 # known",
    };
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++)
        expect_counts(spellings[i], START " w KQkq - 0 1", 2, counts);
    expect_counts(START " w HAha - 3 9 ;D1 20 ;D3 8902", START " w HAha - 3 9", 2, counts);
}

static void large_counts_and_depth_0(void **state) {
    (void)state;
    const EpdEntry e = parsed(START " w KQkq - 0 1 ;D14 61885021521585529237 ;D0 1");
    assert_int_equal(e.n, 2);
    assert_int_equal(e.known[0].depth, 14);
    assert_true(e.known[0].count / 1000000000 == 61885021521u && e.known[0].count % 1000000000 == 585529237);
    assert_int_equal(e.known[1].depth, 0);
}

/* An en passant square that nobody can use is dropped from the position, but not from what another program is sent. */
static void the_fen_stays_as_it_was(void **state) {
    (void)state;
    const EpdEntry e = parsed("8/8/8/1Ppp3r/1KR2p1k/8/4P1P1/8 w  - c6 0 1 ;D1 1");
    assert_string_equal(e.fen, "8/8/8/1Ppp3r/1KR2p1k/8/4P1P1/8 w - c6 0 1");
}

static void kinds_of_chess(void **state) {
    (void)state;
    static const struct {
        const char *line;
        bool chess960;
    } cases[] = {
        {START " w KQkq - 0 1 ;D1 20", false},
        {START " w HAha - 0 1 ;D1 20", true},
        {START " w KQkq - 0 1 ;D1 20 ;chess960", true},
        {START " w - - 0 1 ;D1 20", false},
        {"1k5r/8/8/8/8/8/8/1K5R w Kk - 0 1 ;D1 20", true},
        {"4k2r/8/8/8/8/8/8/4K1R1 w Kk - 0 1 ;D1 20", true},
        {"4k2r/8/8/8/8/8/8/4K2R b Kk - 0 1 ;D1 20", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (parsed(cases[i].line).chess960 != cases[i].chess960) fail_msg("%s", cases[i].line);
    }
}

static void bad_lines_are_named(void **state) {
    (void)state;
    static const struct {
        const char *line, *part;
    } cases[] = {
        {START " w KQkq - 0 1", "no count"},
        {START " w KQkq - 0 1 ;bm e4", "no count"},
        {START " w KQkq - 0 1 ;D1", "is no count"},
        {START " w KQkq - 0 1 ;D1 twenty", "is no count"},
        {START " w KQkq - 0 1 ;D1 20 400", "is no count"},
        {START " w KQkq - 0 1 ;D1 -20", "is no count"},
        {START " w KQkq - 0 1 ;D3 8,902\r\n", "'D3 8,902' is no count"},
        {START " w KQkq - 0 1 ;D1 999999999999999999999999999999999999999999999", "is no count"},
        {START " w KQkq - 0 1 ;D61 20", "a depth is"},
        {START " w KQkq - 0 1 ;D99999999999 20", "a depth is"},
        {START " x KQkq - 0 1 ;D1 20", ""},
        {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20", ""},
        {"hello", ""},
        {";D1 20", ""},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        EpdEntry e = {0};
        TabiaError error = {0};
        if (epd_parse(&e, cases[i].line, &error)) fail_msg("was read: %s", cases[i].line);
        if (!error.text[0] || !strstr(error.text, cases[i].part)) fail_msg("%s: %s", cases[i].line, error.text);
    }
}

static void a_file(void **state) {
    (void)state;
    static const char text[] =
        "\xef\xbb\xbf# a comment\r\n\r\n  \t\n%x\n" START " w KQkq - ;D1 20\r\nnonsense\n" START " b KQkq - 0 1 ;D1 20";
    char path[] = "test-epd-XXXXXX", where[64];
    FILE *out = fdopen(mkstemp(path), "w");
    assert_int_equal(fwrite(text, 1, sizeof text - 1, out), sizeof text - 1);
    fclose(out);
    EpdFile f;
    EpdEntry e;
    TabiaError error;
    assert_true(epd_open(&f, path, &error));
    assert_int_equal(epd_next(&f, &e, &error), EPD_ENTRY);
    assert_int_equal(e.line, 5);
    assert_int_equal(epd_next(&f, &e, &error), EPD_BAD);
    snprintf(where, sizeof where, "%s:6: ", path);
    assert_memory_equal(error.text, where, strlen(where));
    assert_int_equal(epd_next(&f, &e, &error), EPD_ENTRY);
    assert_int_equal(e.line, 7);
    assert_int_equal(e.position.turn, BLACK);
    assert_int_equal(epd_next(&f, &e, &error), EPD_END);
    epd_rewind(&f);
    assert_int_equal(epd_next(&f, &e, &error), EPD_ENTRY);
    assert_int_equal(e.line, 5);
    epd_close(&f);
    unlink(path);
    assert_false(epd_open(&f, path, &error));
    assert_non_null(strstr(error.text, path));
    assert_false(epd_open(&f, ".", &error));
    assert_string_equal(error.text, ".: cannot read it: Is a directory");
}

/* Lines without end are a fault, and so is the end of reading there; a long one that ends is passed over. */
static void long_lines(void **state) {
    (void)state;
    char path[] = "/tmp/tabia-epd-XXXXXX", text[EPD_LINE_MAX + 9];
    FILE *out = fdopen(mkstemp(path), "w");
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    fprintf(out, "%s\n" START " w KQkq - 0 1 ;D1 20\n", text);
    fclose(out);
    EpdFile f;
    EpdEntry e;
    TabiaError error = {0};
    assert_true(epd_open(&f, path, &error));
    assert_int_equal(epd_next(&f, &e, &error), EPD_BAD);
    assert_non_null(strstr(error.text, ":1: the line is longer than 16382 characters"));
    assert_int_equal(epd_next(&f, &e, &error), EPD_ENTRY);
    assert_int_equal(e.line, 2);
    assert_int_equal(epd_next(&f, &e, &error), EPD_END);
    epd_close(&f);
    unlink(path);
    assert_true(epd_open(&f, "/dev/zero", &error));
    assert_int_equal(epd_next(&f, &e, &error), EPD_BAD);
    assert_int_equal(epd_next(&f, &e, &error), EPD_END);
    epd_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_in_the_wild),
        cmocka_unit_test(large_counts_and_depth_0),
        cmocka_unit_test(the_fen_stays_as_it_was),
        cmocka_unit_test(kinds_of_chess),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(a_file),
        cmocka_unit_test(long_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
