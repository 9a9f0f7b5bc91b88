/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "unit.h"

#include <math.h>

/* A writer into memory; finish() compares what it wrote, without the last line break. */
typedef struct {
    Json json;
    FILE *stream;
    char *text;
    size_t length;
} Page;

static Json *start(Page *page) {
    page->text = NULL;
    page->stream = open_memstream(&page->text, &page->length);
    assert_non_null(page->stream);
    tabia_json_begin(&page->json, page->stream);
    return &page->json;
}

static char *finish(Page *page) {
    assert_true(tabia_json_end(&page->json, NULL));
    fclose(page->stream);
    assert_true(page->length > 0 && page->text[page->length - 1] == '\n');
    page->text[--page->length] = '\0';
    return page->text;
}

static void expect(Page *page, const char *text) {
    assert_string_equal(finish(page), text);
    free(page->text);
}

static void containers(void **state) {
    Page page;
    Json *j = start(&page);
    tabia_json_object(j, NULL);
    tabia_json_close(j);
    expect(&page, "{}");

    j = start(&page);
    tabia_json_object(j, NULL);
    tabia_json_count(j, "depth", 2);
    tabia_json_array(j, "moves");
    tabia_json_text(j, NULL, "e2e4");
    tabia_json_array(j, NULL);
    tabia_json_close(j);
    tabia_json_object(j, NULL);
    tabia_json_boolean(j, "a", true);
    tabia_json_boolean(j, "b", false);
    tabia_json_close(j);
    tabia_json_close(j);
    tabia_json_integer(j, "last", -5);
    tabia_json_close(j);
    expect(&page, "{\n  \"depth\": 2,\n  \"moves\": [\n    \"e2e4\",\n    [],\n    {\n      \"a\": true,\n"
                  "      \"b\": false\n    }\n  ],\n  \"last\": -5\n}");
}

static void check_text(const char *text, const char *written) {
    Page page;
    tabia_json_text(start(&page), NULL, text);
    expect(&page, written);
}

static void texts(void **state) {
    check_text("", "\"\"");
    check_text("plain /", "\"plain /\"");
    check_text("say \"no\" \\ yes", "\"say \\\"no\\\" \\\\ yes\"");
    check_text("a\nb\tc\x01\x7f", "\"a\\nb\\tc\\u0001\x7f\"");
    check_text("\xc3\xa9 \xe2\x99\x9e \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x99\x9e \xf0\x9f\x98\x80\"");
    check_text(NULL, "null");
#define REPLACED "\xef\xbf\xbd"
    /* A stray byte, a cut character, overlong, a surrogate, beyond the last one, bytes that never occur. */
    check_text("\200a", "\"" REPLACED "a\"");
    check_text("\xe2\x99", "\"" REPLACED REPLACED "\"");
    check_text("\xc0\xaf", "\"" REPLACED REPLACED "\"");
    check_text("\xe0\x9f\xbf", "\"" REPLACED REPLACED REPLACED "\"");
    check_text("\xf0\x8f\xbf\xbf", "\"" REPLACED REPLACED REPLACED REPLACED "\"");
    check_text("\xed\xa0\x80", "\"" REPLACED REPLACED REPLACED "\"");
    check_text("\xf4\x90\x80\x80", "\"" REPLACED REPLACED REPLACED REPLACED "\"");
    check_text("\xff\xfe", "\"" REPLACED REPLACED "\"");
}

static void check_real(double x, const char *written) {
    Page page;
    tabia_json_real(start(&page), NULL, x);
    expect(&page, written);
}

/* Readers keep 53 bits: beyond them a number is a string, on the last place before it is none. */
static void beyond_53_bits_are_strings(void **state) {
    static const struct {
        int64_t n;
        const char *count, *negative;
    } cases[] = {
        {9007199254740991, "9007199254740991", "-9007199254740991"},
        {9007199254740992, "\"9007199254740992\"", "\"-9007199254740992\""},
        {INT64_MAX, "\"9223372036854775807\"", "\"-9223372036854775807\""},
    };
    Page page;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        tabia_json_count(start(&page), NULL, (U128)cases[i].n);
        expect(&page, cases[i].count);
        tabia_json_integer(start(&page), NULL, cases[i].n);
        expect(&page, cases[i].count);
        tabia_json_integer(start(&page), NULL, -cases[i].n);
        expect(&page, cases[i].negative);
    }
}

static void numbers(void **state) {
    Page page;
    tabia_json_count(start(&page), NULL, ~(U128)0);
    expect(&page, "\"340282366920938463463374607431768211455\"");
    tabia_json_integer(start(&page), NULL, INT64_MIN);
    expect(&page, "\"-9223372036854775808\"");
    check_real(0.1, "0.1");
    check_real(-2.5, "-2.5");
    check_real(30, "30.0");
    check_real(-120000, "-120000.0");
    check_real(1e300, "1e300");
    check_real(1.0 / 3, "0.333333333333333");
    check_real((double)NAN, "null");
    check_real(-(double)INFINITY, "null");
}

/* A reader that wants to know who wrote this asks the first member. */
static void documents_say_who_made_them(void **state) {
    Page page;
    start(&page);
    tabia_json_document(&page.json, page.stream, &(JsonOrigin){"perft", "1.2.3", "abcdef", "clang 14"});
    tabia_json_integer(&page.json, "depth", 3);
    tabia_json_close(&page.json);
    const char *text = finish(&page);
    static const char *const parts[] = {"{\n  \"tabia\": {\n    \"schema\": 1,",
                                        "\"command\": \"perft\"",
                                        "\"version\": \"1.2.3\"",
                                        "\"commit\": \"abcdef\"",
                                        "\"compiler\": \"clang 14\"",
                                        "\"processor\": \"",
                                        "\"date\": \"20",
                                        "Z\"\n  },\n  \"depth\": 3\n}"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i])) fail_msg("%s is not in %s", parts[i], text);
    free(page.text);
}

/* Freed, which the address sanitizer sees, and nothing written. */
static void discarded(void **state) {
    Page page;
    Json *j = start(&page);
    tabia_json_object(j, NULL);
    tabia_json_array(j, "open");
    tabia_json_text(j, NULL, "text");
    tabia_json_discard(j);
    fclose(page.stream);
    assert_int_equal(page.length, 0);
    free(page.text);
}

static void a_full_device_is_reported(void **state) {
    FILE *full = fopen("/dev/full", "w");
    if (!full) skip();
    Json j;
    TabiaError error = {0};
    tabia_json_begin(&j, full);
    tabia_json_integer(&j, NULL, 1);
    assert_false(tabia_json_end(&j, &error));
    assert_non_null(strstr(error.text, "cannot write JSON"));
    fclose(full);
}

#include "test_json_list.h"
