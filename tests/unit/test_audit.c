/* SPDX-License-Identifier: MIT */
/* The audit: its measure of false hits agrees with the formula and can disagree; its experiments all run and hold. */
#include "stream_tools.h"

#include <stdio.h>

#include "lab/table/audit.h"
#include "lab/table/audit_false.h"

static FalseResult measure(FalseCase c) {
    FalseResult r;
    TabiaError error = {0};
    c.threads = 2;
    c.seed = 7;
    if (!false_measure(&c, &r, &error)) fail_msg("%s", error.text);
    assert_true(r.fill > 0.99 && r.fill <= 1);
    assert_int_equal(r.true_hits, 0);
    return r;
}

static double of_formula(const FalseResult *r) {
    return (double)r->false_hits / (double)r->probes / r->formula;
}

/* About 1,200 events: 5 % is not quite two standard deviations, which is why the seed is fixed. */
static void sixteen_bits_meet_the_formula(void **state) {
    (void)state;
    const FalseCase c = {.signature_bits = 16, .bytes = 1 << 20, .probes = 20000000};
    const FalseResult r = measure(c);
    assert_true(of_formula(&r) > 0.95 && of_formula(&r) < 1.05);
    const FalseResult again = measure(c);
    assert_memory_equal(&r, &again, sizeof r);
    /* What a bit less would give does not pass for it. */
    FalseResult narrow = measure((FalseCase){.signature_bits = 15, .bytes = 1 << 20, .probes = 5000000});
    assert_true(of_formula(&narrow) > 0.8 && of_formula(&narrow) < 1.2);
    narrow.formula = r.formula;
    assert_true(of_formula(&narrow) > 1.6);
}

/* 2^18 buckets: two of the 18 bits that choose one are in the signature too. */
static void one_word_loses_what_the_index_knows(void **state) {
    (void)state;
    FalseCase c = {.signature_bits = 12, .bytes = 16 << 20, .probes = 2000000, .one_word = true};
    const FalseResult one = measure(c);
    c.one_word = false;
    const FalseResult two = measure(c);
    assert_true(of_formula(&one) > 0.9 && of_formula(&one) < 1.1);
    assert_true(of_formula(&two) > 0.9 && of_formula(&two) < 1.1);
    assert_true(one.formula > 3.9 * two.formula && one.formula < 4.1 * two.formula);
}

static void wide_keys_are_silent(void **state) {
    (void)state;
    for (unsigned bits = 48; bits <= 64; bits += 16) {
        const FalseResult r = measure((FalseCase){.signature_bits = bits, .bytes = 1 << 18, .probes = 2000000});
        assert_int_equal(r.false_hits, 0);
        assert_true(r.formula > 0 && r.formula < 2e-14);
    }
}

static void every_experiment_holds(void **state) {
    (void)state;
    Stream s = new_stream((StreamJob){.depth = 5, .threads = 2}, NULL);
    AuditReport report;
    TabiaError error = {0};
    const unsigned all = (1u << AUDIT_N) - 1;
    const AuditOptions o = {
        .stream = &s, .only = all & ~(1u << AUDIT_FALSE_HITS), .quick = true, .threads = 2, .seed = 1};
    if (!audit_run(&o, &report, &error)) fail_msg("%s", error.text);
    assert_int_equal(report.sheets, 9); /* replacement and aging have two */
    assert_true(report.held);
    assert_true(report.claims >= 8);
    for (unsigned i = 0; i < report.sheets; i++) assert_true(report.sheet[i].rows >= 4);
    audit_claim(&report, false, "%d is 2", 1);
    assert_false(report.held);
    assert_string_equal(report.claim[report.claims - 1].text, "1 is 2");
    audit_free(&report);
    stream_free(&s);
}

/* ---- sheets ---- */

static const SheetColumn columns[] = {
    {"name", "who", CELL_TEXT},    {"n", "number", CELL_NUMBER}, {"bytes", "size", CELL_BYTES},
    {"share", "hits", CELL_SHARE}, {"rate", "rate", CELL_RATE},  {"ratio", "times", CELL_RATIO},
};

static Sheet small_sheet(void) {
    Sheet s = {.name = "small", .title = "a sheet", .column = columns, .columns = 6};
    assert_true(sheet_add(
        &s, (Cell[]){{.text = "a"}, {.number = 12345678}, {.number = 2048}, {.real = 0.5}, {.real = 0}, {.real = 1}}));
    assert_true(sheet_add(&s, (Cell[]){{.text = "bcde"},
                                       {.number = 1},
                                       {.number = 1000},
                                       {.real = 1.0 / 0.0},
                                       {.real = 1.5e-9},
                                       {.real = 12.3456}}));
    return s;
}

static void sheets_are_aligned(void **state) {
    (void)state;
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    Sheet s = small_sheet();
    sheet_print(&s, out);
    fclose(out);
    assert_string_equal(text, "small: a sheet\n"
                              "who      number     size      hits        rate    times\n"
                              "a      12345678    2 KiB   50.00 %           0    1.000\n"
                              "bcde          1   1000 B         -   1.500e-09   12.346\n\n");
    free(text);
    sheet_free(&s);
}

static void sheets_are_json(void **state) {
    (void)state;
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    Sheet s = small_sheet();
    Json j;
    tabia_json_begin(&j, out);
    tabia_json_object(&j, NULL);
    sheet_json(&s, &j);
    tabia_json_close(&j);
    assert_true(tabia_json_end(&j, NULL));
    fclose(out);
    assert_non_null(strstr(text, "\"small\": ["));
    assert_non_null(strstr(text, "\"n\": 12345678"));
    assert_non_null(strstr(text, "\"share\": null"));
    assert_non_null(strstr(text, "\"ratio\": 12.3456"));
    free(text);
    sheet_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_bits_meet_the_formula),
        cmocka_unit_test(one_word_loses_what_the_index_knows),
        cmocka_unit_test(wide_keys_are_silent),
        cmocka_unit_test(every_experiment_holds),
        cmocka_unit_test(sheets_are_aligned),
        cmocka_unit_test(sheets_are_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
