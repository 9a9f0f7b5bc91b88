/* SPDX-License-Identifier: MIT */
/* Rows of results: aligned as text, whole as JSON. */
#include "unit.h"

#include <math.h>

#include "base/report.h"

typedef struct {
    const char *who;
    unsigned threads;
    uint64_t number, size;
    double share, rate, times;
    bool holds;
} Row;

static const ReportColumn columns[] = {
    {"name", "who", REPORT_TEXT, 0, offsetof(Row, who)},
    {"threads", NULL, REPORT_UNSIGNED, 0, offsetof(Row, threads)},
    {"n", "number", REPORT_COUNT, 0, offsetof(Row, number)},
    {"bytes", "size", REPORT_BYTES, 0, offsetof(Row, size)},
    {"share", "hits", REPORT_PERCENT, 2, offsetof(Row, share)},
    {"rate", "rate", REPORT_RATE, 0, offsetof(Row, rate)},
    {NULL, "times", REPORT_REAL, 3, offsetof(Row, times)},
    {NULL, "figure", REPORT_FIGURE, 0, offsetof(Row, times)},
    {"holds", "holds", REPORT_YES, 0, offsetof(Row, holds)},
    {NULL, "", REPORT_TEXT, 0, offsetof(Row, who)},
};
static const Row rows[] = {{"a", 2, 12345678, 2048, 0.5, 0, 1, true},
                           {"bcde", 1, 1, 1000, INFINITY, 1.5e-9, 12.3456, false}};
static const Report report = {columns, sizeof columns / sizeof *columns, 2, sizeof *rows, rows};

static void rows_are_aligned(void **state) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    tabia_report_print(&report, out);
    fclose(out);
    assert_string_equal(text, "who      number         size      hits        rate    times   figure   holds   \n"
                              "a      12345678        2 KiB   50.00 %           0    1.000    1.000     yes   a\n"
                              "bcde          1   1000 bytes         -   1.500e-09   12.346    12.35      NO   bcde\n");
    free(text);
}

static void rows_are_json(void **state) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    Json j;
    tabia_json_begin(&j, out);
    tabia_json_object(&j, NULL);
    tabia_report_json(&report, &j, "small");
    tabia_json_close(&j);
    assert_true(tabia_json_end_line(&j, NULL));
    fclose(out);
    assert_non_null(strstr(text,
                           "\"small\": [{\"name\": \"a\", \"threads\": 2, \"n\": 12345678, "
                           "\"bytes\": 2048, \"share\": 0.5, \"rate\": 0.0, \"holds\": true}, {\"name\": \"bcde\""));
    assert_non_null(strstr(text, "\"share\": null"));
    assert_null(strstr(text, "times"));
    free(text);
}

#include "test_report_list.h"
