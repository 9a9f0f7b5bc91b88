/* SPDX-License-Identifier: MIT */
#include "compare/epd.h"
#include "count_plainly.h"
#include "notation/fen.h"
#include "unit.h"

#define BOARD "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#define FIFTY_ZEROS "00000000000000000000000000000000000000000000000000"
#define START BOARD " w KQkq - 0 1"

/* ---- a line ---- */

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
    static const EpdCount counts[] = {{1, 20}, {3, 8902}};
    static const char *const spellings[] = {
        BOARD " w KQkq - 0 1 ;D1 20 ;D3 8902",
        BOARD " w KQkq - 0 1;D1 20;D3 8902;",
        BOARD " w KQkq - 0 1; D1 20; D3 8902 \r\n",
        START "  w  KQkq\t-  0 1;  D1  20 ;\tD3\t8902 ; ",
        BOARD " w KQkq - ;D1 20 ;D3 8902",
        BOARD " w KQkq - D1 20; D3 8902;",
        BOARD " w KQkq ;d1 20 ;d3 8902",
        BOARD " w KQkq - 0 1 ;id \"a; D2 b\" ;D1 20 ;bm e4;D3 8902 # known",
    };
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++)
        expect_counts(spellings[i], BOARD " w KQkq - 0 1", 2, counts);
    expect_counts(BOARD " w HAha - 3 9 ;D1 20 ;D3 8902", BOARD " w HAha - 3 9", 2, counts);
}

static void large_counts_and_depth_0(void **state) {
    const EpdEntry e = parsed(BOARD " w KQkq - 0 1 ;D14 61885021521585529237 ;D0 1");
    assert_int_equal(e.n, 2);
    assert_int_equal(e.known[0].depth, 14);
    assert_true(e.known[0].count / 1000000000 == 61885021521u && e.known[0].count % 1000000000 == 585529237);
    assert_int_equal(e.known[1].depth, 0);
}

/* An en passant square that nobody can use is dropped from the position, but not from what another program is sent. */
static void the_fen_stays_as_it_was(void **state) {
    const EpdEntry e = parsed("8/8/8/1Ppp3r/1KR2p1k/8/4P1P1/8 w  - c6 0 1 ;D1 1");
    assert_string_equal(e.fen, "8/8/8/1Ppp3r/1KR2p1k/8/4P1P1/8 w - c6 0 1");
}

static void kinds_of_chess(void **state) {
    static const struct {
        const char *line;
        bool chess960;
    } cases[] = {
        {BOARD " w KQkq - 0 1 ;D1 20", false},
        {BOARD " w HAha - 0 1 ;D1 20", true},
        {BOARD " w KQkq - 0 1 ;D1 20 ;chess960", true},
        {BOARD " w - - 0 1 ;D1 20", false},
        {"1k5r/8/8/8/8/8/8/1K5R w Kk - 0 1 ;D1 20", true},
        {"4k2r/8/8/8/8/8/8/4K1R1 w Kk - 0 1 ;D1 20", true},
        {"4k2r/8/8/8/8/8/8/4K2R b Kk - 0 1 ;D1 20", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (parsed(cases[i].line).chess960 != cases[i].chess960) fail_msg("%s", cases[i].line);
    }
}

static void bad_lines_are_named(void **state) {
    static const struct {
        const char *line, *part;
    } cases[] = {
        {BOARD " w KQkq - 0 1", "no count"},
        {BOARD " w KQkq - 0 1 ;bm e4", "no count"},
        {BOARD " w KQkq - 0 1 ;D1", "is not a count"},
        {BOARD " w KQkq - 0 1 ;D1 twenty", "is not a count"},
        {BOARD " w KQkq - 0 1 ;D1 20 400", "is not a count"},
        {BOARD " w KQkq - 0 1 ;D1 -20", "is not a count"},
        {BOARD " w KQkq - 0 1 ;D3 8,902\r\n", "'D3 8,902' is not a count"},
        {BOARD " w KQkq - 0 1 ;D1 999999999999999999999999999999999999999999999", "is not a count"},
        {BOARD " w KQkq - 0 1 ;D61 20", "a depth is"},
        {BOARD " w KQkq - 0 1 ;D99999999999 20", "a depth is"},
        {BOARD " w KQkq - 0 " FIFTY_ZEROS FIFTY_ZEROS FIFTY_ZEROS "1 ;D1 20", "longer than 184 characters"},
        {BOARD " x KQkq - 0 1 ;D1 20", ""},
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

/* ---- a file ---- */

static const char *data; /* the folder of the suites; set once by main */

/* What a run printed and returned. */
typedef struct {
    int status;
    char *out, *messages;
    TabiaError error;
} Outcome;

static Outcome run(const char *path, U128 max_nodes, bool json, PerftCount *how) {
    Outcome r = {0};
    size_t out_n, messages_n;
    FILE *out = open_memstream(&r.out, &out_n), *messages = open_memstream(&r.messages, &messages_n);
    const JsonOrigin origin = {"perft --suite", "1", "commit", "compiler"};
    const SuiteOptions o = {.file_name = path,
                            .max_nodes = max_nodes,
                            .json = json ? &origin : NULL,
                            .count = how,
                            .out = out,
                            .messages = messages};
    r.status = suite_run(&o, &r.error);
    fclose(out);
    fclose(messages);
    return r;
}

static void done(Outcome *r) {
    free(r->out);
    free(r->messages);
}

static Outcome run_text(const char *text, U128 max_nodes, bool json, PerftCount *how) {
    char path[] = "test-suite-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    fputs(text, f);
    fclose(f);
    const Outcome r = run(path, max_nodes, json, how);
    unlink(path);
    return r;
}

static void expect(Outcome r, int status, const char *part) {
    if (r.status != status || !strstr(r.out, part)) fail_msg("%d: %s%s", r.status, r.out, r.messages);
    done(&r);
}

static void our_own_suite_is_right(void **state) {
    char path[1000];
    snprintf(path, sizeof path, "%s/rules.epd", data);
    expect(run(path, 0, false, count_plainly), 0, "22 positions, 81 depths");
}

static void failures_are_named(void **state) {
    Outcome r = run_text("# x\n" START " ;D1 20 ;D2 401 ;D3 8902\n", 0, false, count_plainly);
    assert_int_equal(r.status, 1);
    assert_memory_equal(r.out, START ": depth 2: expected 401, got 400 (test-suite-",
                        sizeof START ": depth 2: expected 401, got 400 (test-suite-" - 1);
    assert_non_null(strstr(r.out, ":2)\n"));
    assert_non_null(strstr(r.out, "1 position, 3 depths, 9322 nodes"));
    assert_non_null(strstr(r.out, "1 failure\n"));
    done(&r);
    expect(run_text(START " ;D2 401\n" START " ;D1 1 ;D0 2\n", 0, false, count_plainly), 1, "3 failures");
}

static void max_nodes_leaves_out(void **state) {
    expect(run_text(START " ;D1 20 ;D2 400 ;D3 8902\n", 400, false, count_plainly), 0,
           "2 depths (1 left out), 420 nodes");
    expect(run_text(START " ;D2 401 ;D3 8902\n", 399, false, count_plainly), 0, "0 depths (2 left out), 0 nodes");
}

static void expect_bad(const char *text, const char *const *messages, const char *out) {
    Outcome r = run_text(text, 0, false, count_plainly);
    for (; *messages; messages++)
        if (!strstr(r.messages, *messages)) fail_msg("no \"%s\" in %s", *messages, r.messages);
    if (r.status != 2 || r.error.text[0] || !strstr(r.out, out)) fail_msg("%d: %s%s", r.status, r.out, r.error.text);
    done(&r);
}
#define EXPECT_BAD(text, out, ...) expect_bad(text, (const char *const[]){__VA_ARGS__, 0}, out)

/* A file that is no suite at all does not bury what is wrong; a byte order mark, comments and blank lines are no faults. */
static void bad_lines_do_not_pass(void **state) {
    char text[EPD_LINE_MAX + 200] = "";
    for (int i = 0; i < 50; i++) strcat(text, "nonsense\n");
    EXPECT_BAD(strcat(text, START " ;D1 20\n"), "0 failures, 50 bad lines\n",
               ":1: ", ":20: ", ": 30 more bad lines, 50 in all");
    EXPECT_BAD("\xef\xbb\xbf# a comment\r\n\r\n  \t\n%x\n" START ";D1 20\r\nnonsense\n" BOARD " b KQkq - 0 1 ;D1 20",
               "2 positions, 2 depths, 40 nodes", ":6: ");
    memset(text, 'x', EPD_LINE_MAX + 8);
    strcpy(text + EPD_LINE_MAX + 8, "\n" START " ;D1 20\n");
    EXPECT_BAD(text, "1 position, 1 depth", ":1: the line is longer than 16382 characters");
    expect(run_text("nonsense\n" START " ;D1 21\n", 0, false, count_plainly), 1, "1 failure, 1 bad line");
    expect(run("/dev/zero", 0, false, count_plainly), 2, "1 bad line");
}

static void no_suite(void **state) {
    static const struct {
        const char *path, *words;
    } cases[] = {{"/dev/null", "/dev/null: no position in it"},
                 {"there/is/no/such.epd", "there/is/no/such.epd: cannot read it"},
                 {".", ".: cannot read it: Is a directory"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        Outcome r = run(cases[i].path, 0, i == 0, count_plainly);
        if (r.status != 2 || r.out[0] || !strstr(r.error.text, cases[i].words)) fail_msg("%s%s", r.out, r.error.text);
        done(&r);
    }
}

static bool cannot_count(void *context, const Position *p, int depth, U128 *nodes, TabiaError *error) {
    (void)context, (void)p, (void)depth, (void)nodes;
    return tabia_fail(error, "no memory today");
}

static void a_count_that_cannot_be_made(void **state) {
    Outcome r = run_text(START " ;D1 20\n", 0, false, cannot_count);
    assert_int_equal(r.status, 3);
    assert_string_equal(r.error.text, "no memory today");
    assert_non_null(strstr(r.out, "not finished"));
    done(&r);
}

static void json(void **state) {
    Outcome r = run_text(START " ;D1 20 ;D2 401\n", 0, true, count_plainly);
    assert_int_equal(r.status, 1);
    static const char *const parts[] = {"\"failures\": [", "\"expected\": 401", "\"got\": 400",
                                        "\"line\": 1",     "\"nodes\": 420",    "\"complete\": true"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(r.out, parts[i])) fail_msg("%s is not in %s", parts[i], r.out);
    done(&r);
}

#include "test_suite_list.h"

int main(int argc, char **argv) {
    data = argc > 1 ? argv[1] : "tests/data";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
