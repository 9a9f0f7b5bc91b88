/* SPDX-License-Identifier: MIT */
#include "perft/divide.h"
#include "unit.h"

static void moves_as_programs_write_them(void **state) {
    static const struct {
        const char *line, *move;
        unsigned count;
    } cases[] = {
        {"e2e4: 600", "e2e4", 600}, {"e2e4 600", "e2e4", 600},           {"  e2e4 - 600", "e2e4", 600},
        {"e7e8Q=1", "e7e8q", 1},    {"info string e2e4 : 7", "e2e4", 7}, {"a1a2\t3 extra", "a1a2", 3},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        Divide d = {0};
        assert_int_equal(divide_read(&d, cases[i].line), DIVIDE_MOVE);
        assert_int_equal(d.n, 1);
        assert_string_equal(d.move[0], cases[i].move);
        assert_true(d.count[0] == cases[i].count && d.sum == d.count[0]);
    }
}

static void lines_that_mean_nothing(void **state) {
    static const char *const texts[] = {
        "",
        "e2e4",
        "e2e4:",
        "e2e4: x",
        "e2e9: 5",
        "i2e4: 5",
        "e2e4xx 5",
        "e7e8x 5",
        "id name Total 5000 engine?x",
        "info depth 1 nodes 20",
        "readyok",
        "hash 16",
        "time 13160 ms",
        "Perft done",
        "\x01\xff 5",
        "20 moves",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        Divide d = {0};
        const DivideLine kind = divide_read(&d, texts[i]);
        if (kind == DIVIDE_MOVE || kind == DIVIDE_TOTAL || d.n) fail_msg("'%s' was read as %d", texts[i], (int)kind);
    }
}

static void totals(void **state) {
    static const struct {
        const char *line;
        DivideLine kind;
        unsigned total;
    } cases[] = {
        {"Nodes searched: 20", DIVIDE_TOTAL, 20},
        {"20", DIVIDE_TOTAL, 20},
        {"perft(3) = 20 in 0.001 s", DIVIDE_TOTAL, 20},
        {"info string perft 3: total 20, 1000 nodes/s", DIVIDE_TOTAL, 20},
        {"Leaves: 20", DIVIDE_TOTAL, 20},
        {"Nodes searched: 21", DIVIDE_MAYBE_TOTAL, 21},
        {"21", DIVIDE_MAYBE_TOTAL, 21},
        {"Total 340282366920938463463374607431768211456 or 21", DIVIDE_MAYBE_TOTAL, 21},
        {"time 20", DIVIDE_OTHER, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        Divide d = {0};
        assert_int_equal(divide_read(&d, "e2e4: 12"), DIVIDE_MOVE);
        assert_int_equal(divide_read(&d, "d2d4: 8"), DIVIDE_MOVE);
        assert_int_equal(divide_read(&d, cases[i].line), cases[i].kind);
        assert_true(d.total == cases[i].total);
    }
}

static void too_many_moves(void **state) {
    Divide d = {0};
    for (int i = 0; i < DIVIDE_MAX; i++) assert_int_equal(divide_read(&d, "e2e4: 1"), DIVIDE_MOVE);
    assert_int_equal(divide_read(&d, "e2e4: 1"), DIVIDE_FULL);
}

#include "test_divide_list.h"
