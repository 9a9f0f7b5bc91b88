/* SPDX-License-Identifier: MIT */
/* What other programs of shogi write and read: moves in their lines, fields of positions, and why a move is illegal. */
#include "notation/fen_fields.h"
#include "notation/illegal.h"
#include "notation/protocol.h"
#include "unit.h"

#include <string.h>

static void moves_in_lines(void **state) {
    (void)state;
    static const struct {
        const char *text, *move, *rest; /* move NULL: none */
    } cases[] = {
        {"7g7f: 30", "7g7f", ": 30"}, {"8h2b+ 30", "8h2b+", " 30"},
        {"P*5e: 1", "P*5e", ": 1"},   {"p*5e", "P*5e", ""},
        {"G@9i=2", "G*9i", "=2"},     {"7g7f+x", NULL, NULL},
        {"e2e4: 20", NULL, NULL},     {"0a1a: 1", NULL, NULL},
        {"K*5e: 1", NULL, NULL},      {"7g7", NULL, NULL},
        {"7g7j", NULL, NULL},         {"P*", NULL, NULL},
        {"7g7f1", NULL, NULL},        {"", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char move[UCI_MAX];
        const char *rest = protocol_read_move(cases[i].text, move);
        if (!rest != !cases[i].move) fail_msg("%s", cases[i].text);
        if (!rest) continue;
        assert_string_equal(move, cases[i].move);
        assert_string_equal(rest, cases[i].rest);
    }
}

static void fields_are_kept(void **state) {
    (void)state;
    static const struct {
        const char *text, *given, *rest; /* given NULL: no position */
    } cases[] = {
        {"9/9 b - 1", "9/9 b - 1", ""},      {" 9/9\t b  2P3g  17 ;D1 5", "9/9 b 2P3g 17", ";D1 5"},
        {"9/9 w", "9/9 w - 1", ""},          {"9/9 w;D1 5", "9/9 w - 1", ";D1 5"},
        {"9/9 w D1 5", "9/9 w - 1", "D1 5"}, {"9/9 w p D1 5", "9/9 w p 1", "D1 5"},
        {"9/9 b - 1 2", "9/9 b - 1", "2"},   {"9/9", NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[FEN_GIVEN_MAX];
        const char *rest;
        fen_copy_fields(cases[i].text, out, &rest);
        assert_string_equal(rest, cases[i].rest);
        assert_true(fen_normalize(cases[i].text, out) == (cases[i].given != NULL));
        if (cases[i].given) assert_string_equal(out, cases[i].given);
    }
    char long_text[400], out[FEN_GIVEN_MAX];
    memset(long_text, 'p', sizeof long_text);
    memcpy(long_text + sizeof long_text - 5, " b -", 5);
    assert_false(fen_normalize(long_text, out));
}

static void illegal_moves_are_explained(void **state) {
    (void)state;
    static const char mate[] = "R7g/2K1S1SSk/4B4/5B3/9/9/9/9/1L1L1L3 b RGSNLP2g3n17p 3";
    static const struct {
        const char *fen, *usi, *san, *why;
    } cases[] = {
        {mate, "P*1c", "P*1c", "a dropped pawn may not mate"},
        {fen_start, "P*5e", "P*5e", "in hand"},
        {fen_start, "2h2b", "R2hx2b", "cannot go to 2b"},
        {fen_start, "3c3d", "3c3d", "no piece of black stands on 3c"},
        {fen_start, "7g7f+", "P7g-7f+", "promotes"},
        {"4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "P*5e", "unpromoted pawn on file 5"},
        {"4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*4a", "P*4a", "could never move"},
        {"4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*4h", "G*4h", "in check"},
        {fen_start, "hello", "hello", "not a move"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position p;
        char san[ILLEGAL_SAN_MAX], why[ILLEGAL_WHY_MAX];
        assert_true(fen_parse(&p, cases[i].fen, NULL));
        illegal_move(&p, cases[i].usi, san, why);
        assert_string_equal(san, cases[i].san);
        if (!strstr(why, cases[i].why)) fail_msg("%s: %s", cases[i].usi, why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_in_lines),
        cmocka_unit_test(fields_are_kept),
        cmocka_unit_test(illegal_moves_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
