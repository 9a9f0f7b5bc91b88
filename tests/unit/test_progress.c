/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/progress.h"
#include "base/stop.h"
#include "perft/time_part.h"
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>

static void check(ProgressAmount amount, const char *text) {
    char out[PROGRESS_TEXT_MAX];
    amount.unit = "records";
    tabia_progress_text(&amount, out);
    assert_string_equal(out, text);
}

static void texts(void **state) {
    check((ProgressAmount){.done = 12300000, .fraction = 0.45, .seconds = 10, .detail = "3 bad"},
          "12.3 M records, 1.23 M/s, 45 %, 10.0 s passed, 12.2 s left, 3 bad");
    check((ProgressAmount){.done = 500, .fraction = -1, .seconds = 5}, "500 records, 100 /s, 5.0 s passed");
    check((ProgressAmount){.done = 500, .fraction = 1, .seconds = 5},
          "500 records, 100 /s, 100 %, 5.0 s passed, 0.0 s left");
    check((ProgressAmount){.done = 500, .fraction = 1.2, .seconds = 5},
          "500 records, 100 /s, 100 %, 5.0 s passed, 0.0 s left");
    check((ProgressAmount){.done = 0}, "0 records, measuring, 0.0 s passed");
    check((ProgressAmount){.done = 18.4e12, .fraction = 0.2634, .seconds = 110, .waited = 10, .detail = "7/9 units"},
          "18.4 T records, 184 G/s, 26.3 %, 1:50 passed, 4:40 left, 7/9 units");
}

/* Nothing is written to a stream that is no terminal. */
static void silent(void **state) {
    char path[64];
    FILE *file = fdopen(temporary_file(path), "w+");
    Progress p;
    tabia_progress_begin(&p, file, "records");
    p.began_at -= 100;
    tabia_progress_update(&p, 5, 0.5, NULL);
    tabia_progress_show(&p, "text");
    tabia_progress_end(&p);
    assert_int_equal(ftell(file), 0);
    fclose(file);
    remove(path);
    tabia_progress_begin(&p, NULL, "records");
    tabia_progress_update(&p, 5, 0.5, NULL);
    tabia_progress_end(&p);
}

/* What the master side of a pseudo-terminal received so far. */
static void check_received(int master, const char *text) {
    char out[1000];
    const ssize_t n = read(master, out, sizeof out - 1);
    out[n > 0 ? n : 0] = '\0';
    assert_string_equal(out, text);
}

/* A line is rewritten, and cut off where the row ends; never in the first second, nor on a terminal that cannot. */
static void on_a_terminal(void **state) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) skip();
    /* Never as the controlling terminal: its end would be this test's end. */
    FILE *terminal = fdopen(open(ptsname(master), O_RDWR | O_NOCTTY), "r+");
    assert_non_null(terminal);
    struct winsize size = {.ws_col = 34, .ws_row = 24};
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    Progress p;
    setenv("TERM", "dumb", 1);
    tabia_progress_begin(&p, terminal, "records");
    assert_false(p.is_terminal);
    setenv("TERM", "xterm", 1);
    tabia_progress_begin(&p, terminal, "records");
    tabia_progress_update(&p, 500, 0.5, NULL);
    tabia_progress_end(&p);
    check_received(master, "");
    p.began_at -= 100;
    tabia_progress_update(&p, 500, 0.5, "more than a row holds");
    check_received(master, "\r500 records, 5 /s, 50 %, 1:40 pas\033[K");
    tabia_progress_end(&p);
    tabia_progress_end(&p);
    check_received(master, "\r\033[K");
    fclose(terminal);
    close(master);
}

/* What went before anything was done, as clearing a table's pages, is no part of the rate. */
static void waiting_is_no_work(void **state) {
    Progress p;
    tabia_progress_begin(&p, NULL, "records");
    p.began_at -= 8;
    tabia_progress_update(&p, 0, 0, NULL);
    assert_true(p.waited > 7.9);
    p.began_at -= 8;
    tabia_progress_update(&p, 1, 0.1, NULL);
    assert_true(p.waited < 15);
    tabia_progress_again(&p);
    assert_true(p.waited == 0);
}

/* Of what was written since the last look. */
static void check_lines(FILE *file, const char *text) {
    char out[1000] = "";
    rewind(file);
    out[fread(out, 1, sizeof out - 1, file)] = '\0';
    assert_string_equal(out, text);
    rewind(file);
    assert_int_equal(ftruncate(fileno(file), 0), 0);
}

/* Where the user wants lines, and for each SIGUSR1, without a terminal too. Of many short pieces the seconds and a request go on. */
static void lines_that_stay(void **state) {
    char path[64];
    FILE *file = fdopen(temporary_file(path), "w+");
    Progress p;
    tabia_stop_install(false);
    tabia_progress_begin(&p, file, "records");
    tabia_progress_every(&p, 10);
    p.began_at -= 9;
    tabia_progress_update(&p, 5, 0.5, NULL);
    check_lines(file, "");
    p.began_at -= 1;
    tabia_progress_update(&p, 5, 0.5, NULL);
    tabia_progress_update(&p, 5, 0.5, NULL);
    check_lines(file, "5 records, 0 /s, 50 %, 10.0 s passed, 10.0 s left\n");
    tabia_progress_begin(&p, file, "records");
    p.began_at -= 10;
    tabia_progress_update(&p, 5, 0.5, NULL);
    raise(SIGUSR1);
    tabia_progress_update(&p, 50, 0.5, NULL);
    tabia_progress_update(&p, 50, 0.5, NULL);
    tabia_progress_end(&p);
    check_lines(file, "50 records, 5 /s, 50 %, 10.0 s passed, 10.0 s left\n");
    tabia_progress_begin(&p, file, "records");
    tabia_progress_every(&p, 10);
    p.began_at -= 6;
    tabia_progress_update(&p, 5, 0.5, NULL);
    tabia_progress_again(&p);
    p.began_at -= 6, p.shown_at -= 6;
    tabia_progress_update(&p, 6, 0.5, NULL);
    tabia_progress_again(&p);
    raise(SIGUSR1);
    tabia_progress_again(&p);
    p.began_at -= 2;
    tabia_progress_update(&p, 8, 0.5, NULL);
    check_lines(file,
                "6 records, 1 /s, 50 %, 6.0 s passed, 6.0 s left\n8 records, 4 /s, 50 %, 2.0 s passed, 2.0 s left\n");
    fclose(file);
    remove(path);
}

/* Seconds of processor time, and percents of the work done then, as `tabia perft --threads 1 --progress 1` printed them: of chess at
   depth 9, of shogi at depth 8, of the position of many captures at depth 7, each with a table of 1 GiB, and of chess at depth 8
   without one. The first row is the first finished unit, the last the end. */
typedef struct {
    double seconds, percent;
} Recorded;

static const Recorded chess9[] = {{2.49, 0},     {2.75, 0.3},   {3.29, 1.2},   {3.84, 2.7},   {4.41, 4.3},
                                  {5.08, 6.1},   {6.45, 10.4},  {7.58, 13.4},  {8.76, 16.9},  {9.89, 20.3},
                                  {11.06, 23.4}, {12.26, 27.3}, {13.49, 33.4}, {14.78, 40.8}, {16.22, 49.7},
                                  {17.71, 57},   {19.22, 65.3}, {20.75, 70.1}, {22.28, 82.7}, {23.38, 100}};
static const Recorded shogi8[] = {{2.59, 0},     {3.36, 2.6},   {4.15, 6},     {5.12, 11.3},  {6.06, 16.4},
                                  {6.73, 20.1},  {7.42, 24.1},  {8.08, 28.6},  {8.77, 33.8},  {9.45, 40.2},
                                  {10.13, 45.6}, {10.84, 52.8}, {11.58, 56.3}, {12.32, 60.1}, {13.05, 73.1},
                                  {13.8, 93.1},  {14.01, 100}};
static const Recorded captures7[] = {{2.09, 0},    {3.03, 5.2},  {3.51, 10.8}, {4, 15.8},    {4.48, 20.7},
                                     {4.96, 25},   {5.52, 30.6}, {6.01, 36.2}, {6.49, 42.3}, {6.99, 49.3},
                                     {7.48, 56.7}, {7.96, 65.2}, {8.44, 75.3}, {8.93, 87.2}, {9.22, 100}};
static const Recorded without8[] = {{0.1, 0},      {1.06, 9},     {1.73, 13.8}, {2.4, 18.1},  {3.08, 22.1},
                                    {4.42, 31.4},  {5.76, 42.3},  {7.1, 52.5},  {8.42, 60.7}, {9.73, 68},
                                    {11.05, 78.9}, {12.39, 89.4}, {13.72, 100}};

/* From 2 % of the time on, and until 85 % are over, what is left by the line is within a factor of two. */
static void check_left(const Recorded *of, size_t n, bool with_table) {
    for (size_t i = 1; i < n && of[i].seconds < 0.85 * of[n - 1].seconds; i++) {
        const double part = count_time_part(of[i].percent / 100, with_table), passed = of[i].seconds - of[0].seconds;
        const double said = passed * (1 - part) / part, left = of[n - 1].seconds - of[i].seconds;
        if (part > 0.02 && (said < left / 2 || said > left * 2))
            fail_msg("%.1f s said, %.1f s left, row %zu", said, left, i);
    }
}

static void time_left_of_recorded_counts(void **state) {
    check_left(chess9, sizeof chess9 / sizeof *chess9, true);
    check_left(shogi8, sizeof shogi8 / sizeof *shogi8, true);
    check_left(captures7, sizeof captures7 / sizeof *captures7, true);
    check_left(without8, sizeof without8 / sizeof *without8, false);
    assert_true(count_time_part(0, true) == 0 && count_time_part(1, true) == 1 && count_time_part(0.3, false) == 0.3);
}

#include "test_progress_list.h"
