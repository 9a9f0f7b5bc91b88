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
    CountRate rate = {0};
    count_rate_update(&rate, seconds, now->work_done - from->work_done);
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
    check(&nothing, &nothing, 0, 200, "0.0 %, 0.0 s passed, 0/1204 units, 0 nodes");
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
    count_progress_show(&p, &rate, &nothing, &some);
    received(master, text);
    assert_string_equal(text, "\r20.0 %, 1:40 passed, 6:40 left\033[K");
    tabia_progress_end(&p);
    received(master, text);
    assert_string_equal(text, "\r\033[K");
    tabia_progress_end(&p);
    received(master, text);
    assert_string_equal(text, "");
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

/* A count that goes five times as fast once its table is warm: the estimate forgets how slow it was. */
static void what_was_slow_is_forgotten(void **state) {
    (void)state;
    CountRate rate = {0};
    assert_true(count_rate_seconds(&rate, 100) < 0);
    uint64_t work = 0;
    for (int second = 1; second <= 100; second++) {
        work += second <= 20 ? 10 : 50;
        count_rate_update(&rate, second, work);
    }
    const double left = count_rate_seconds(&rate, 5000); /* 100 s, where all of the time would say 119 */
    assert_true(left > 99.9 && left < 105);
    count_rate_update(&rate, 100, work); /* no time has passed */
    assert_true(count_rate_seconds(&rate, 5000) == left);
    assert_true(count_rate_seconds(&rate, 0) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_line),        cmocka_unit_test(parts_without_meaning_are_left_out),
        cmocka_unit_test(goes_on_from_a_ledger), cmocka_unit_test(every_width),
        cmocka_unit_test(largest_numbers),       cmocka_unit_test(only_on_a_terminal_and_after_two_seconds),
        cmocka_unit_test(never_to_a_file),       cmocka_unit_test(what_was_slow_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
