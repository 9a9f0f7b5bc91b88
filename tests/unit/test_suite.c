/* SPDX-License-Identifier: MIT */
#include "count_plainly.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

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
    (void)state;
    char path[1000];
    snprintf(path, sizeof path, "%s/rules.epd", data);
    expect(run(path, 0, false, count_plainly), 0, "22 positions, 81 depths");
}

static void failures_are_named(void **state) {
    (void)state;
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
    (void)state;
    expect(run_text(START " ;D1 20 ;D2 400 ;D3 8902\n", 400, false, count_plainly), 0,
           "2 depths (1 left out), 420 nodes");
    expect(run_text(START " ;D2 401 ;D3 8902\n", 399, false, count_plainly), 0, "0 depths (2 left out), 0 nodes");
}

/* A file that is no suite at all does not bury what is wrong. */
static void many_bad_lines_are_summed_up(void **state) {
    (void)state;
    char text[3000] = "";
    for (int i = 0; i < 50; i++) strcat(text, "nonsense\n");
    Outcome r = run_text(strcat(text, START " ;D1 20\n"), 0, false, count_plainly);
    unsigned told = 0;
    for (const char *at = r.messages; (at = strchr(at, '\n')); at++) told++;
    if (r.status != 2 || told != 21 || !strstr(r.messages, ": 30 more bad lines, 50 in all") ||
        !strstr(r.out, "0 failures, 50 bad lines\n"))
        fail_msg("%d, %u lines: %s%s", r.status, told, r.out, r.messages);
    done(&r);
}

static void bad_lines_do_not_pass(void **state) {
    (void)state;
    Outcome r = run_text("nonsense\n" START " ;D1 20\n", 0, false, count_plainly);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.messages, ":1: "));
    assert_non_null(strstr(r.out, "0 failures, 1 bad line\n"));
    assert_string_equal(r.error.text, "");
    done(&r);
    expect(run_text("nonsense\n" START " ;D1 21\n", 0, false, count_plainly), 1, "1 failure, 1 bad line");
    r = run_text("# nothing\n", 0, false, count_plainly);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.error.text, "no position"));
    done(&r);
    r = run("there/is/no/such.epd", 0, false, count_plainly);
    assert_int_equal(r.status, 2);
    assert_non_null(strstr(r.error.text, "there/is/no/such.epd"));
    done(&r);
}

static bool cannot_count(void *context, const Position *p, int depth, U128 *nodes, TabiaError *error) {
    (void)context, (void)p, (void)depth, (void)nodes;
    return tabia_fail(error, "no memory today");
}

static void a_count_that_cannot_be_made(void **state) {
    (void)state;
    Outcome r = run_text(START " ;D1 20\n", 0, false, cannot_count);
    assert_int_equal(r.status, 3);
    assert_string_equal(r.error.text, "no memory today");
    assert_non_null(strstr(r.out, "not finished"));
    done(&r);
}

static void json(void **state) {
    (void)state;
    Outcome r = run_text(START " ;D1 20 ;D2 401\n", 0, true, count_plainly);
    assert_int_equal(r.status, 1);
    static const char *const parts[] = {"\"failures\": [", "\"expected\": 401", "\"got\": 400",
                                        "\"line\": 1",     "\"nodes\": 420",    "\"complete\": true"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(r.out, parts[i])) fail_msg("%s is not in %s", parts[i], r.out);
    done(&r);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_own_suite_is_right),       cmocka_unit_test(failures_are_named),
        cmocka_unit_test(max_nodes_leaves_out),         cmocka_unit_test(bad_lines_do_not_pass),
        cmocka_unit_test(many_bad_lines_are_summed_up), cmocka_unit_test(json),
        cmocka_unit_test(a_count_that_cannot_be_made),
    };
    data = argc > 1 ? argv[1] : "tests/data";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
