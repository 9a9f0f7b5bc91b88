/* SPDX-License-Identifier: MIT */
#include "fen_tools.h"
#include "notation/fen.h"
#include "notation/validate.h"

static void refused(const Position *p, const char *part) {
    TabiaError error = {0};
    assert_false(position_validate(p, &error));
    if (!strstr(error.text, part)) fail_msg("\"%s\" does not say \"%s\"", error.text, part);
}

static void accepts_the_start(void **state) {
    const Position p = parsed(fen_start);
    assert_true(position_validate(&p, NULL));
}

/* What text cannot say, but code may do. */
static void refuses_broken_sets(void **state) {
    const Position start = parsed(fen_start);
    Position p = start;
    p.knight |= bit(8);
    refused(&p, "a2: two pieces");
    p = start;
    p.orth |= bit(1);
    refused(&p, "b1: two pieces");
    p = start;
    p.side[BLACK] |= bit(0);
    refused(&p, "a1: two pieces");
    p = start;
    p.side[WHITE] ^= bit(0);
    refused(&p, "a1: a piece has no type or no colour");
    p = start;
    p.orth |= bit(27);
    refused(&p, "d4: a piece has no type or no colour");
    p = start;
    p.turn = 2;
    refused(&p, "turn is 2");
}

static void refuses_kings_too_many_or_few(void **state) {
    Position p = parsed("4k3/8/8/8/8/8/8/4K3 w - -");
    p.king ^= bit(4);
    p.side[WHITE] ^= bit(4);
    refused(&p, "white has no king");
    p = parsed("4k3/8/8/8/8/8/8/4K3 w - -");
    p.king |= bit(63);
    p.side[BLACK] |= bit(63);
    refused(&p, "black has 2 kings, on e8 and h8");
}

static void refuses_rights_without_king_or_rook(void **state) {
    Position p = parsed("4k3/8/8/8/8/8/8/R3K2R w KQ -");
    p.castle[WHITE] = 1 << 6;
    refused(&p, "no white rook on g1");
    p.castle[WHITE] = 0;
    p.castle[BLACK] = 1;
    refused(&p, "no black rook on a8");
    p = parsed("4k3/8/8/8/8/8/4K3/R6R w - -");
    p.castle[WHITE] = 1;
    refused(&p, "king is on e2");
    p = parsed("4k3/8/8/8/8/8/8/R3KR1R w KQ -");
    p.castle[WHITE] = 1 << 5 | 1 << 7;
    refused(&p, "only one rook castles");
    p = parsed("4k3/8/8/8/8/8/8/Q3K3 w - -");
    p.castle[WHITE] = 1;
    refused(&p, "no white rook on a1");
}

static void refuses_en_passant_that_nobody_can(void **state) {
    Position p = parsed("4k3/8/8/3pP3/8/8/8/4K3 w - d6");
    assert_int_equal(p.ep, 43);
    assert_true(position_validate(&p, NULL));
    p.ep = 44;
    refused(&p, "no black pawn on e5");
    p.ep = 19;
    refused(&p, "d3 is not on rank 6");
    p.ep = 64;
    refused(&p, "64 is no square");
    p = parsed("4k3/8/8/3p4/8/8/8/4K3 w - -");
    p.ep = 43;
    refused(&p, "no legal move captures");
}

static void refuses_the_other_side_in_check(void **state) {
    Position p = parsed("4k3/8/8/8/8/8/8/4R1K1 b - -");
    p.turn = WHITE;
    refused(&p, "attacks black's king on e8 from e1");
}

static void a_fault_is_optional(void **state) {
    Position p = parsed(fen_start);
    p.turn = 2;
    assert_false(position_validate(&p, NULL));
}

#include "test_validate_list.h"
