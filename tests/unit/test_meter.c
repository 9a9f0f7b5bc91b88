/* SPDX-License-Identifier: MIT */
#include "base/meter.h"
#include "unit.h"

static void check(uint64_t done, double share, double seconds, const char *more, const char *text) {
    char out[METER_TEXT_MAX];
    tabia_meter_text("records", done, share, seconds, more, out);
    assert_string_equal(out, text);
}

static void texts(void **state) {
    (void)state;
    check(12300000, 0.45, 10, "3 bad", "12.3 M records, 1.23 M/s, 45 %, 12.2 s left, 3 bad");
    check(500, -1, 5, NULL, "500 records, 100 /s");
    check(500, 1, 5, NULL, "500 records, 100 /s, 100 %, 0.0 s left");
    check(500, 1.2, 5, NULL, "500 records, 100 /s, 100 %, 0.0 s left");
    check(0, 0, 0, NULL, "0 records, - /s");
}

/* A stream that is no terminal stays clean. */
static void silent(void **state) {
    (void)state;
    char path[64];
    FILE *file = fdopen(temporary_file(path), "w+");
    Meter m;
    tabia_meter_begin(&m, file, "records");
    m.status.began_at -= 100;
    tabia_meter_show(&m, 5, 0.5, NULL);
    tabia_meter_end(&m);
    assert_int_equal(ftell(file), 0);
    fclose(file);
    remove(path);
    tabia_meter_begin(&m, NULL, "records");
    tabia_meter_show(&m, 5, 0.5, NULL);
    tabia_meter_end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(silent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
