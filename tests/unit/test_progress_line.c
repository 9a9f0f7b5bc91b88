/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "perft/progress_line.h"
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const CountProgress nothing = {.units_total = 1204, .work_total = 8000};
static const CountProgress some = {.units_done = 301,
                                   .units_total = 1204,
                                   .nodes = 18400000000000,
                                   .probes = 2000,
                                   .hits = 1862,
                                   .work_done = 1600,
                                   .work_total = 8000};
static const char full_text[] =
    "20.0 %, 1:40 passed, 6:40 left, 301/1204 units, 184 G/s, 18.4 T nodes, 93.1 % table hits";

/* All of it was done at one speed. */
static CountRate even_rate(const CountProgress *from, const CountProgress *now, double seconds) {
    const double done = (double)(now->work_done - from->work_done) / (double)(now->work_total - from->work_done);
    CountRate rate = {0};
    count_rate_update(&rate, seconds / 10, done / 10);
    count_rate_update(&rate, seconds, done);
    return rate;
}

static void check(const CountProgress *from, const CountProgress *now, double seconds, unsigned columns,
                  const char *text) {
    char out[PROGRESS_TEXT_MAX];
    const CountRate rate = even_rate(from, now, seconds);
    assert_int_equal(count_progress_text(&(CountProgressLine){from, now, &rate, seconds, columns}, out), strlen(text));
    assert_string_equal(out, text);
}

static void the_whole_line(void **state) {
    (void)state;
    check(&nothing, &some, 100, 200, full_text);
    check(&nothing, &some, 100, UINT32_MAX, full_text);
}

static void parts_without_meaning_are_left_out(void **state) {
    (void)state;
    check(&nothing, &nothing, 0, 200, "0.0 %, 0.0 s passed, 0/1204 units, the first under way");
    CountProgress now = {.units_total = 10, .work_total = 70, .nodes = 500};
    check(&(CountProgress){.units_total = 10, .work_total = 70}, &now, 10, 200,
          "0.0 %, 10.0 s passed, 0/10 units, 50 /s, 500 nodes");
}

/* What a ledger brought counts as done, but was not done in this time. */
static void goes_on_from_a_ledger(void **state) {
    (void)state;
    CountProgress now = {.units_done = 602, .units_total = 1204, .nodes = 36800000000000, .probes = 4000, .hits = 3724};
    now.work_done = 3200, now.work_total = 8000;
    check(&some, &now, 100, 200,
          "40.0 %, 1:40 passed, 5:00 left, 602/1204 units, 184 G/s, 36.8 T nodes, 93.1 % table hits");
}

static void every_width(void **state) {
    (void)state;
    const CountRate rate = even_rate(&nothing, &some, 100);
    static const unsigned ends[] = {6, 19, 30, 46, 55, 69, sizeof full_text - 1};
    for (unsigned columns = 0; columns < sizeof full_text + 5; columns++) {
        char out[PROGRESS_TEXT_MAX];
        unsigned most = 0;
        for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
            if (ends[i] <= columns) most = ends[i];
        assert_int_equal(count_progress_text(&(CountProgressLine){&nothing, &some, &rate, 100, columns}, out), most);
        assert_int_equal(strlen(out), most);
        assert_memory_equal(out, full_text, most);
    }
}

/* The largest numbers have room in the buffer. */
static void largest_numbers(void **state) {
    (void)state;
    CountProgress now = {
        .units_done = UINT64_MAX, .units_total = UINT64_MAX, .nodes = ~(U128)0, .probes = 1, .hits = 1};
    now.work_done = now.work_total = UINT64_MAX;
    const CountRate rate = even_rate(&nothing, &now, 1e-9);
    char out[PROGRESS_TEXT_MAX];
    unsigned length = count_progress_text(&(CountProgressLine){&nothing, &now, &rate, 1e-9, 1000}, out);
    assert_int_equal(strlen(out), length);
    assert_non_null(strstr(out, "100.0 % table hits"));
}

/* What the master side of a pseudo-terminal received so far. */
static void received(int master, char out[1000]) {
    ssize_t n = read(master, out, 999);
    out[n > 0 ? n : 0] = '\0';
}

static void only_on_a_terminal_and_after_two_seconds(void **state) {
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) skip();
    /* Never as the controlling terminal: its end would be this test's end. */
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    FILE *terminal = fdopen(slave, "r+");
    assert_non_null(terminal);
    struct winsize size = {.ws_col = 34, .ws_row = 24};
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    char text[1000];
    Progress p;
    CountRate rate = {0};

    setenv("TERM", "dumb", 1);
    tabia_progress_begin(&p, terminal, NULL);
    assert_false(p.is_terminal);
    setenv("TERM", "xterm", 1);
    tabia_progress_begin(&p, terminal, NULL);
    count_progress_show(&p, &rate, &nothing, &some);
    tabia_progress_end(&p);
    received(master, text);
    assert_string_equal(text, "");

    p.began_at -= 100;
    rate = (CountRate){0};
    count_rate_update(&rate, 10, count_time_part(0.2, true) / 10); /* at one speed: 100 s for 35 % of the time */
    count_progress_show(&p, &rate, &nothing, &some);
    received(master, text);
    assert_string_equal(text, "\r20.0 %, 1:40 passed, 3:04 left\033[K");
    tabia_progress_end(&p);
    received(master, text);
    assert_string_equal(text, "\r\033[K");
    tabia_progress_end(&p);
    received(master, text);
    assert_string_equal(text, "");

    /* A line of records is cut off where the row ends. */
    tabia_progress_begin(&p, terminal, "records");
    p.began_at -= 100;
    tabia_progress_update(&p, 500, 0.5, "more than a row holds");
    received(master, text);
    assert_string_equal(text, "\r500 records, 5 /s, 50 %, 1:40 pas\033[K");
    fclose(terminal);
    close(master);
}

static void never_to_a_file(void **state) {
    (void)state;
    setenv("TERM", "xterm", 1);
    FILE *const outs[] = {tmpfile(), NULL};
    for (int i = 0; i < 2; i++) {
        Progress p;
        CountRate rate = {0};
        tabia_progress_begin(&p, outs[i], NULL);
        p.began_at -= 100;
        count_progress_show(&p, &rate, &nothing, &some);
        tabia_progress_end(&p);
    }
    if (!outs[0]) skip();
    assert_int_equal(ftell(outs[0]), 0);
    fclose(outs[0]);
}

/* What is asked for once, by SIGUSR1, has a time left. */
static void it_learns_without_a_line(void **state) {
    (void)state;
    Progress p;
    CountRate rate = {0};
    CountProgress now = nothing;
    tabia_progress_begin(&p, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        p.began_at -= 10;
        now.work_done += 800;
        count_progress_show(&p, &rate, &nothing, &now);
    }
    const double left = count_rate_seconds(&rate);
    assert_true(left > 59.9 && left < 60.1);
}

/* A count that becomes five times as fast: the estimate forgets how slow it was. */
static void what_was_slow_is_forgotten(void **state) {
    (void)state;
    CountRate rate = {0};
    assert_true(count_rate_seconds(&rate) < 0);
    double work = 0, all = 9200;
    for (int second = 1; second <= 100; second++) {
        work += second <= 20 ? 10 : 50;
        count_rate_update(&rate, second, work / all);
    }
    const double left = count_rate_seconds(&rate); /* 100 s, where all of the time would say 119 */
    assert_true(left > 99.9 && left < 105);
    count_rate_update(&rate, 100, work / all); /* no time has passed */
    assert_true(count_rate_seconds(&rate) == left);
    count_rate_update(&rate, 101, 1);
    assert_true(count_rate_seconds(&rate) == 0);
}

/* What went before the first unit is no part of the rate, and nothing is said of few units, unless a minute went by. */
static void nothing_is_said_too_early(void **state) {
    (void)state;
    CountRate rate = {0};
    count_rate_update(&rate, 8, 0);
    count_rate_update(&rate, 9, 0.001);
    assert_true(count_rate_seconds(&rate) < 0);
    count_rate_update(&rate, 9.5, 0.05);
    assert_true(count_rate_seconds(&rate) < 0);
    count_rate_update(&rate, 11, 0.101);
    const double left = count_rate_seconds(&rate);
    assert_true(left > 10 && left < 30);
    rate = (CountRate){0};
    count_rate_update(&rate, 1, 0.0001);
    count_rate_update(&rate, 60, 0.0101);
    assert_true(count_rate_seconds(&rate) < 0);
    count_rate_update(&rate, 61, 0.0101);
    assert_true(count_rate_seconds(&rate) > 3600);
}

/* Seconds of processor time, and percents of the work done then, as `tabia perft --threads 1 --progress 1` printed them: of chess at
   depth 9, of shogi at depth 8, of the position of many captures at depth 7, each with a table of 1 GiB, and of chess at depth 8
   without one. The last row is the end. */
typedef struct {
    double seconds, percent;
} Recorded;

static const Recorded chess9[] = {{2.49, 0},     {2.75, 0.3},   {3.02, 0.6},   {3.29, 1.2},   {3.56, 1.9},
                                  {3.84, 2.7},   {4.1, 3.5},    {4.41, 4.3},   {4.74, 5.3},   {5.08, 6.1},
                                  {5.43, 7.1},   {6.45, 10.4},  {7.58, 13.4},  {8.76, 16.9},  {9.89, 20.3},
                                  {11.06, 23.4}, {12.26, 27.3}, {13.49, 33.4}, {14.78, 40.8}, {16.22, 49.7},
                                  {17.71, 57},   {19.22, 65.3}, {20.75, 70.1}, {22.28, 82.7}, {23.38, 100}};
static const Recorded shogi8[] = {{2.59, 0},     {2.85, 0.4},   {3.11, 1.5},   {3.36, 2.6},   {3.62, 3.7},
                                  {3.88, 4.8},   {4.15, 6},     {4.48, 7.8},   {4.81, 9.6},   {5.12, 11.3},
                                  {5.44, 13.3},  {6.06, 16.4},  {6.73, 20.1},  {7.42, 24.1},  {8.08, 28.6},
                                  {8.77, 33.8},  {9.45, 40.2},  {10.13, 45.6}, {10.84, 52.8}, {11.58, 56.3},
                                  {12.32, 60.1}, {13.05, 73.1}, {13.8, 93.1},  {14.01, 100}};
static const Recorded captures7[] = {{2.09, 0},    {2.57, 0.8},  {3.03, 5.2},  {3.51, 10.8}, {4, 15.8},    {4.48, 20.7},
                                     {4.96, 25},   {5.52, 30.6}, {6.01, 36.2}, {6.49, 42.3}, {6.99, 49.3}, {7.48, 56.7},
                                     {7.96, 65.2}, {8.44, 75.3}, {8.93, 87.2}, {9.22, 100}};
static const Recorded without8[] = {{0.41, 3.5},   {0.74, 6.2},   {1.06, 9},    {1.4, 11.4},  {1.73, 13.8},
                                    {2.07, 15.9},  {2.4, 18.1},   {2.74, 20.4}, {3.08, 22.1}, {3.41, 23.8},
                                    {4.42, 31.4},  {5.76, 42.3},  {7.1, 52.5},  {8.42, 60.7}, {9.73, 68},
                                    {11.05, 78.9}, {12.39, 89.4}, {13.72, 100}};

/* How often an estimate was given until 85 % of the time were over; each of them is within a factor of two. */
static unsigned check_estimates(const Recorded *of, size_t n, bool with_table) {
    CountRate rate = {0};
    unsigned said = 0;
    for (size_t i = 0; i < n && of[i].seconds < 0.85 * of[n - 1].seconds; i++) {
        count_rate_update(&rate, of[i].seconds, count_time_part(of[i].percent / 100, with_table));
        const double estimate = count_rate_seconds(&rate), left = of[n - 1].seconds - of[i].seconds;
        if (estimate < 0) continue;
        if (estimate < left / 2 || estimate > left * 2)
            fail_msg("%.1f s said, %.1f s left, row %zu", estimate, left, i);
        said++;
    }
    return said;
}

static void recorded_counts(void **state) {
    (void)state;
    assert_int_equal(check_estimates(chess9, sizeof chess9 / sizeof *chess9, true), 17);
    assert_int_equal(check_estimates(shogi8, sizeof shogi8 / sizeof *shogi8, true), 15);
    assert_int_equal(check_estimates(captures7, sizeof captures7 / sizeof *captures7, true), 8);
    assert_int_equal(check_estimates(without8, sizeof without8 / sizeof *without8, false), 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_line),
        cmocka_unit_test(parts_without_meaning_are_left_out),
        cmocka_unit_test(goes_on_from_a_ledger),
        cmocka_unit_test(every_width),
        cmocka_unit_test(largest_numbers),
        cmocka_unit_test(only_on_a_terminal_and_after_two_seconds),
        cmocka_unit_test(never_to_a_file),
        cmocka_unit_test(what_was_slow_is_forgotten),
        cmocka_unit_test(nothing_is_said_too_early),
        cmocka_unit_test(recorded_counts),
        cmocka_unit_test(it_learns_without_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
