/* SPDX-License-Identifier: MIT */
#include "notation/fen.h"
#include "notation/illegal.h"
#include "unit.h"

#include <string.h>

static void check(const char *fen, const char *uci, const char *san, const char *why) {
    Position p;
    TabiaError error;
    char got_san[ILLEGAL_SAN_MAX], got_why[ILLEGAL_WHY_MAX];
    if (!fen_parse(&p, fen, &error)) fail_msg("%s", error.text);
    illegal_move(&p, uci, got_san, got_why);
    if (strcmp(san, got_san) || strcmp(why, got_why)) fail_msg("%s %s: '%s' '%s'", fen, uci, got_san, got_why);
}

static void castling(void **state) {
    (void)state;
    check("4kr2/8/8/8/8/8/8/R3K2R w KQ -", "e1g1", "O-O", "castles through check on f1");
    check("4k1r1/8/8/8/8/8/8/R3K2R w KQ -", "e1h1", "O-O", "castles into check on g1");
    check("4r1k1/8/8/8/8/8/8/R3K2R w KQ -", "e1c1", "O-O-O", "castles out of check");
    check("4k3/8/8/8/8/8/8/RN2K2R w KQ -", "e1c1", "O-O-O", "castles through the piece on b1");
    check("4k3/8/8/8/8/8/8/R3K2R w Q -", "e1g1", "O-O", "no right to castle on that side");
    check("4k3/8/8/8/8/8/8/qRK5 w B -", "c1b1", "O-O-O", "the castling rook is needed as a shield");
}

static void kings_left_in_check(void **state) {
    (void)state;
    check("4r1k1/8/8/8/8/8/4N3/4K3 w - -", "e2c3", "Ne2-c3", "exposes the king to check");
    check("4r1k1/8/8/8/8/8/3N4/4K3 w - -", "d2b3", "Nd2-b3", "leaves the king in check");
    check("6k1/8/8/8/8/8/4r3/6K1 w - -", "g1f2", "Kg1-f2", "exposes the king to check");
}

static void pieces_that_move_otherwise(void **state) {
    (void)state;
    check("4k3/8/8/8/8/8/4N3/4K3 w - -", "e2e4", "Ne2-e4", "a knight does not move so");
    check("4k3/8/8/8/8/8/4N3/4K3 w - -", "a2a3", "a2a3", "no piece of the side to move stands on a2");
    check("4k3/8/8/8/8/8/4N3/4K3 w - -", "e1e2", "Ke1xe2", "takes a piece of its own");
    check("4k3/8/8/8/8/8/4N3/4K3 w - -", "0000", "0000", "is no move");
    check("4k3/8/8/3pP3/8/8/8/4K3 w - -", "e5d6", "e5xd6",
          "nothing to take there, and no en passant capture is possible");
    check("8/P6k/8/8/8/8/8/4K3 w - -", "a7a8", "a7-a8", "a pawn must be promoted there");
    check("8/P6k/8/8/8/8/8/4K3 w - -", "a7a8k", "a7-a8=K", "a pawn does not become that");
    check("7k/8/8/8/8/8/4K3/8 w - -", "e2g2", "Ke2-g2", "a king does not move so");
    check("8/7k/P7/8/8/8/8/4K3 w - -", "a6a7q", "a6-a7=Q", "nothing is promoted there");
    check("7k/8/8/8/8/8/8/R3K3 b - -", "a1a8", "a1a8", "no piece of the side to move stands on a1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(castling),
        cmocka_unit_test(kings_left_in_check),
        cmocka_unit_test(pieces_that_move_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
