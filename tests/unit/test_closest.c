/* SPDX-License-Identifier: MIT */
#include "base/closest.h"
#include "unit.h"

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

#include "test_closest_list.h"
