/* SPDX-License-Identifier: MIT */
#include "base/progress.h"
#include "base/stop.h"
#include "unit.h"

#include <signal.h>

static void check(ProgressAmount amount, const char *text) {
    char out[PROGRESS_TEXT_MAX];
    amount.unit = "records";
    tabia_progress_text(&amount, out);
    assert_string_equal(out, text);
}

static void texts(void **state) {
    (void)state;
    check((ProgressAmount){.done = 12300000, .fraction = 0.45, .seconds = 10, .detail = "3 bad"},
          "12.3 M records, 1.23 M/s, 45 %, 10.0 s passed, 12.2 s left, 3 bad");
    check((ProgressAmount){.done = 500, .fraction = -1, .seconds = 5}, "500 records, 100 /s, 5.0 s passed");
    check((ProgressAmount){.done = 500, .fraction = 1, .seconds = 5},
          "500 records, 100 /s, 100 %, 5.0 s passed, 0.0 s left");
    check((ProgressAmount){.done = 500, .fraction = 1.2, .seconds = 5},
          "500 records, 100 /s, 100 %, 5.0 s passed, 0.0 s left");
    check((ProgressAmount){.done = 0}, "0 records, - /s, 0.0 s passed");
}

/* Nothing is written to a stream that is no terminal. */
static void silent(void **state) {
    (void)state;
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

static void check_lines(FILE *file, const char *text) {
    char out[1000] = "";
    rewind(file);
    out[fread(out, 1, sizeof out - 1, file)] = '\0';
    assert_string_equal(out, text);
}

/* Where the user wants lines, and once for each SIGUSR1, also where there is no terminal. */
static void lines_that_stay(void **state) {
    (void)state;
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
    check_lines(
        file,
        "5 records, 0 /s, 50 %, 10.0 s passed, 10.0 s left\n50 records, 5 /s, 50 %, 10.0 s passed, 10.0 s left\n");
    fclose(file);
    remove(path);
}

/* Of many short pieces, too: the seconds go on, and so does a request. */
static void pieces_have_their_lines(void **state) {
    (void)state;
    char path[64];
    FILE *file = fdopen(temporary_file(path), "w+");
    Progress p;
    tabia_stop_install(false);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(silent),
                                       cmocka_unit_test(pieces_have_their_lines), cmocka_unit_test(lines_that_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
