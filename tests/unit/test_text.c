/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "base/text.h"
#include "unit.h"

#include "base/closest.h"
#include <math.h>

static const char largest[] = "340282366920938463463374607431768211455";

static void u128_known_texts(void **state) {
    char out[U128_TEXT_MAX];
    tabia_u128_text(0, out);
    assert_string_equal(out, "0");
    tabia_u128_text((U128)UINT64_MAX + 1, out);
    assert_string_equal(out, "18446744073709551616");
    tabia_u128_text(~(U128)0, out);
    assert_string_equal(out, largest);
}

static void u128_there_and_back(void **state) {
    uint64_t seed = 20;
    for (int i = 0; i < 20000; i++) {
        U128 n = (U128)random_next(&seed) << 64 | random_next(&seed), back = 0;
        n >>= random_below(&seed, 128);
        char out[U128_TEXT_MAX];
        tabia_u128_text(n, out);
        assert_true(tabia_u128_parse(out, &back));
        if (n != back) fail_msg("seed 20, number %d: %s", i, out);
    }
}

static void u128_refuses(void **state) {
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "-1",
                                      "+1",
                                      "0x1",
                                      "1.0",
                                      "12a",
                                      "340282366920938463463374607431768211456",
                                      "999999999999999999999999999999999999999",
                                      "3402823669209384634633746074317682114550"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        U128 n = 42;
        if (tabia_u128_parse(bad[i], &n)) fail_msg("\"%s\" was read", bad[i]);
        assert_true(n == 42);
    }
    U128 n = 0;
    assert_true(tabia_u128_parse(largest, &n));
    assert_true(n == ~(U128)0);
    assert_true(tabia_u128_parse("0000000000000000000000000000000000000000000000000007", &n));
    assert_true(n == 7);
}

static void sizes(void **state) {
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"0", 0},
                {"1048576", 1048576},
                {"64K", 65536},
                {"64k", 65536},
                {"512M", 512ull << 20},
                {"8G", 8ull << 30},
                {"8GiB", 8ull << 30},
                {"8gib", 8ull << 30},
                {"16MB", 16ull << 20},
                {"2T", 2ull << 40},
                {"18446744073709551615", UINT64_MAX},
                {"16777215T", 16777215ull << 40}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t bytes = 1;
        TabiaError error;
        if (!tabia_size_parse(good[i].text, &bytes, &error)) fail_msg("%s", error.text);
        assert_int_equal(bytes, good[i].bytes);
    }
    static const char *const bad[] = {"",          "K",
                                      "-1",        "1.5G",
                                      "8 G",       "8Gi",
                                      "8GiBs",     "8X",
                                      "8BG",       "8B",
                                      "off",       "18446744073709551616",
                                      "16777216T", "99999999999999999999999999999999999999999999999K"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t bytes = 42;
        TabiaError error = {0};
        if (tabia_size_parse(bad[i], &bytes, &error)) fail_msg("\"%s\" was read", bad[i]);
        assert_int_equal(bytes, 42);
        assert_non_null(strstr(error.text, "size \""));
    }
}

static void check(void (*write)(double, char *), double x, const char *text) {
    char out[SHORT_TEXT_MAX];
    write(x, out);
    assert_string_equal(out, text);
}

static void rates(void **state) {
    check(tabia_rate_text, 0, "0 /s");
    check(tabia_rate_text, 999, "999 /s");
    check(tabia_rate_text, 999.6, "1.00 k/s");
    check(tabia_rate_text, 1234567890, "1.23 G/s");
    check(tabia_rate_text, 9.996e9, "10.0 G/s");
    check(tabia_rate_text, 99.96e6, "100 M/s");
    check(tabia_rate_text, 999.6e6, "1.00 G/s");
    check(tabia_rate_text, 1e24, "1.00 Y/s");
    check(tabia_rate_text, 1e30, "1.00e+30 /s");
    check(tabia_rate_text, -1, "- /s");
    check(tabia_rate_text, (double)INFINITY, "- /s");
    check(tabia_rate_text, (double)NAN, "- /s");
}

static void amounts(void **state) {
    check(tabia_amount_text, 0, "0");
    check(tabia_amount_text, 999.4, "999");
    check(tabia_amount_text, 999.5, "1.00 k");
    check(tabia_amount_text, 69352859712417, "69.4 T");
    check(tabia_amount_text, (double)NAN, "-");
}

static void durations(void **state) {
    check(tabia_duration_text, 0, "0.0 s");
    check(tabia_duration_text, 12.34, "12.3 s");
    check(tabia_duration_text, 59.94, "59.9 s");
    check(tabia_duration_text, 59.96, "1:00");
    check(tabia_duration_text, 123, "2:03");
    check(tabia_duration_text, 3599.4, "59:59");
    check(tabia_duration_text, 3599.6, "1:00:00");
    check(tabia_duration_text, 3723, "1:02:03");
    check(tabia_duration_text, 360000, "100:00:00");
    check(tabia_duration_text, 3.1e12, "861111111:06:40");
    check(tabia_duration_text, 1e300, "-");
    check(tabia_duration_text, -1, "-");
    check(tabia_duration_text, (double)NAN, "-");
}

static void puts_texts_and_numbers(void **state) {
    const int64_t numbers[] = {0, 7, -1, 10, -32768, 65535, 1000000007, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char got[32], expected[32];
        *tabia_text_put(tabia_text_put_number(tabia_text_put(got, "<"), numbers[i]), ">") = '\0';
        snprintf(expected, sizeof expected, "<%lld>", (long long)numbers[i]);
        assert_string_equal(got, expected);
    }
}

static void appends_what_fits(void **state) {
    char text[8] = "";
    tabia_text_append(text, sizeof text, "%d-", 12);
    tabia_text_append(text, sizeof text, "%s", "");
    assert_string_equal(text, "12-");
    tabia_text_append(text, sizeof text, "%s", "345678");
    assert_string_equal(text, "12-3456");
    tabia_text_append(text, sizeof text, "9");
    assert_string_equal(text, "12-3456");
}

/* ---- what a word may have meant ---- */

static const char *const commands[] = {"perft", "gensfen", "table", "bench", "data", "network", "train", "uci"};

static const char *meant(const char *word) {
    Closest c = {word, strlen(word), NULL, 0};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) tabia_closest(&c, commands[i]);
    return c.name ? c.name : "";
}

static void a_letter_or_two(void **state) {
    assert_string_equal(meant("pertf"), "perft");  /* exchanged */
    assert_string_equal(meant("prft"), "perft");   /* left out */
    assert_string_equal(meant("perfts"), "perft"); /* added */
    assert_string_equal(meant("genfens"), "gensfen");
    assert_string_equal(meant("benhc"), "bench");
    assert_string_equal(meant("tabel"), "table");
    assert_string_equal(meant("uic"), "uci");
}

static void nothing_is_close(void **state) {
    char longer[CLOSEST_WORD_MAX + 1];
    memset(longer, 'a', CLOSEST_WORD_MAX), longer[CLOSEST_WORD_MAX] = '\0';
    assert_string_equal(meant(""), "");
    assert_string_equal(meant("x"), "");
    assert_string_equal(meant("chess"), "");
    assert_string_equal(meant("perftperft"), "");
    assert_string_equal(meant(longer), "");
    longer[CLOSEST_WORD_MAX - 1] = '\0';
    assert_string_equal(meant(longer), "");
}

static void the_closest_of_several(void **state) {
    assert_string_equal(meant("tran"), "train");
    assert_string_equal(meant("tble"), "table");
    Closest c = {"keys=3", 4, NULL, 0}; /* as far as it is an option's name */
    tabia_closest(&c, "key"), tabia_closest(&c, "keys");
    assert_string_equal(c.name, "keys");
    assert_int_equal(c.distance, 0);
}

static void text(void **state) {
    char out[CLOSEST_TEXT_MAX];
    Closest c = {"hsah", 4, NULL, 0};
    tabia_closest_text(&c, "--", out);
    assert_string_equal(out, "");
    tabia_closest(&c, "hash");
    tabia_closest_text(&c, "--", out);
    assert_string_equal(out, "; did you mean '--hash'?");
}

#include "test_text_list.h"
