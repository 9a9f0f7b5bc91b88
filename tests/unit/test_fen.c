/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "notation/fen.h"
#include "notation/validate.h"
#include "rules/movegen.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* Reads one text and writes it in both styles; NULL: as the style before. */
typedef struct {
    const char *text, *standard, *shredder;
} Written;

static const Written written[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", NULL,
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"},
    {"r3k2r/8/8/8/8/8/8/R3K2R b qK - 7 31", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 31",
     "r3k2r/8/8/8/8/8/8/R3K2R b Ha - 7 31"},
    /* fields 4 to 6 may be missing from some point on; blanks are free; the text may go on after ; or a line end */
    {"4k3/8/8/8/8/8/8/4K3 b - - 12", "4k3/8/8/8/8/8/8/4K3 b - - 12 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"  4k3/8/8/8/8/8/8/4K3\tb   -  - ;D1 5 ;D2 25", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - 3;D1 5", "4k3/8/8/8/8/8/8/4K3 b - - 3 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - 3 2 \nrubbish", "4k3/8/8/8/8/8/8/4K3 b - - 3 2", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b - - 3 2\r\n", "4k3/8/8/8/8/8/8/4K3 b - - 3 2", NULL},
    /* empty squares need not be joined */
    {"4k3/11111111/44/8/2222/8/8/4K111 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL},
    /* clocks */
    {"4k3/8/8/8/8/8/8/4K3 w - - 65535 65535", NULL, NULL},
    {"4k3/8/8/8/8/8/8/4K3 w - - 007 0", "4k3/8/8/8/8/8/8/4K3 w - - 7 1", NULL},
    /* Chess960: a letter only where KQkq would be another rook */
    {"1r1k1r2/8/8/8/8/8/8/1R1K1R2 w KQkq - 0 1", NULL, "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1"},
    {"1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1", "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w KQkq - 0 1",
     "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1"},
    {"rr1k1r1r/8/8/8/8/8/8/RR1K1R1R w FBkq - 0 1", NULL, "rr1k1r1r/8/8/8/8/8/8/RR1K1R1R w FBha - 0 1"},
    {"rr1k1r1r/8/8/8/8/8/8/RR1K1R1R w HBfb - 0 1", "rr1k1r1r/8/8/8/8/8/8/RR1K1R1R w KBfb - 0 1",
     "rr1k1r1r/8/8/8/8/8/8/RR1K1R1R w HBfb - 0 1"},
    /* double Chess960: the sides stand differently; a queen in the corner is not a rook */
    {"1rk1r3/8/8/8/8/8/8/Q2R1KRQ w KQkq - 0 1", NULL, "1rk1r3/8/8/8/8/8/8/Q2R1KRQ w GDeb - 0 1"},
    /* en passant: kept if legal, else dropped: nobody there, pinned on the file, on the row, and away from a check */
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", NULL, NULL},
    {"4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2", NULL, NULL},
    {"4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2", NULL},
    {"4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2", NULL},
    {"4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 2", NULL},
    {"4k3/8/8/K1PpP2r/8/8/8/8 w - d6 0 2", NULL, NULL},
    {"4k3/8/8/3pP3/8/8/7r/3K3r w - d6 0 2", "4k3/8/8/3pP3/8/8/7r/3K3r w - - 0 2", NULL},
    {"4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 2", NULL, NULL},
    /* unusual, and accepted: many queens, knights, pawns, bishops behind pawns, checks that no move gives, old
       clocks */
    {"qqqqkqqq/8/8/8/8/8/QQ6/4K3 b - - 0 1", NULL, NULL},
    {"nnnnkn2/nnnnn3/8/8/8/8/8/4K3 w - - 0 1", NULL, NULL},
    {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 150 1", NULL, NULL},
    {"4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", NULL, NULL},
    {"4k3/8/8/4r3/1b6/8/6n1/4K2r w - - 0 1", NULL, NULL},
    {"4k3/8/8/3pP3/8/8/6n1/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/6n1/4K3 w - - 0 1", NULL},
};

static void reads_and_writes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const Written *w = &written[i];
        const char *standard = w->standard ? w->standard : w->text;
        Position p;
        TabiaError error;
        char out[FEN_MAX];
        if (!fen_parse(&p, w->text, &error)) fail_msg("%s: %s", w->text, error.text);
        fen_write(&p, FEN_STANDARD, out);
        assert_string_equal(out, standard);
        fen_write(&p, FEN_SHREDDER, out);
        assert_string_equal(out, w->shredder ? w->shredder : standard);
    }
}

typedef struct {
    const char *text;
    int field, character;
    const char *reason;
} Refused;

static const Refused refused[] = {
    {"", 1, 1, "missing"},
    {"   ;", 1, 4, "missing"},
    {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1, 18, "rank 7 has 9 squares; a rank has 8"},
    {"rnbqkbnr/44p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1, 12, "rank 7 has 9 squares; a rank has 8"},
    {"  4k3/8/8/8/8/8/8/4K2 w - -", 1, 22, "rank 1 has 7 squares; a rank has 8"},
    {"4k3/8/8/8/1/8/8/4K3 w - -", 1, 12, "rank 4 has 1 square; a rank has 8"},
    {"4k3/8//8/8/8/8/4K3 w - -", 1, 7, "rank 6 has 0 squares"},
    {"4k3/8/8/8/8/8/4K3 w - -", 1, 18, "the board ends after 7 ranks; it has 8"},
    {"4k3", 1, 4, "the board ends after 1 rank; it has 8"},
    {"4k3/8/8/8/8/8/8/4K3/8 w - -", 1, 20, "goes on after 8 ranks"},
    {"4k3/8/8/3x4/8/8/8/4K3 w - -", 1, 10, "'x' is neither a piece"},
    {"4k3/8/8/3\x01"
     "4/8/8/8/4K3 w - -",
     1, 10, "byte 0x01 is neither a piece"},
    {"4k3/8/8/9/8/8/8/4K3 w - -", 1, 9, "'9' is neither a piece"},
    {"4k3/8/8/08/8/8/8/4K3 w - -", 1, 9, "'0' is neither a piece"},
    {"8/8/8/8/8/8/8/4K3 w - -", 1, 1, "black has no king"},
    {"4k3/8/8/8/8/8/8/8 w - -", 1, 1, "white has no king"},
    {"4k2k/8/8/8/8/8/8/4K3 w - -", 1, 2, "black has 2 kings, on e8 and h8"},
    {"4k2P/8/8/8/8/8/8/4K3 w - -", 1, 4, "a pawn stands on h8"},
    {"4k3/8/8/8/8/8/8/4K2p w - -", 1, 20, "a pawn stands on h1"},
    {"4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3 w - -", 1, 1, "white has 17 pieces; a side has at most 16"},
    {"4k3/8/8/8/8/8/8/4K3", 2, 20, "missing"},
    {"4k3/8/8/8/8/8/8/4K3 x - -", 2, 21, "'x' is not a side; it is w or b"},
    {"4k3/8/8/8/8/8/8/4K3 W - -", 2, 21, "'W' is not a side"},
    {"4k3/8/8/8/8/8/8/4K3 ww - -", 2, 22, "a blank is due"},
    {"4k3/8/8/8/8/8/4R3/4K3 w - -", 2, 23, "white is to move and attacks black's king on e8 from e2"},
    {"8/8/8/3kK3/8/8/8/8 w - -", 2, 20, "attacks black's king on d5 from e5"},
    {"4k3/8/8/8/8/8/8/4K3 w", 3, 22, "missing"},
    {"4k3/8/8/8/8/8/8/R3K2R w KX -", 3, 26, "'X' is not a right to castle"},
    {"4k3/8/8/8/8/8/8/R3K2R w KQ- -", 3, 27, "'-' is not a right to castle"},
    {"4k3/8/8/8/8/8/8/R3K2R w -K -", 3, 26, "nobody may castle"},
    {"4k3/8/8/8/8/8/8/R3K2R w KK -", 3, 26, "given twice"},
    {"4k3/8/8/8/8/8/8/R3K2R w KH -", 3, 26, "the rook on h1 is given twice"},
    {"4k3/8/8/8/8/8/8/R3KR1R w KF -", 3, 27, "the rook on h1 already"},
    {"4k3/8/8/8/8/8/8/R3K2R w KQk -", 3, 27, "black has no rook on rank 8 on the h-file's side"},
    {"4k3/8/8/8/8/8/8/R3K2R w B -", 3, 25, "no white rook on b1"},
    {"4k3/8/8/8/8/8/8/R3K2R w E -", 3, 25, "no white rook on e1"},
    {"4k3/8/8/8/8/8/4K3/R6R w K -", 3, 25, "king is on e2; it may castle only from rank 1"},
    {"r6r/4k3/8/8/8/8/4K3/R6R w h -", 3, 27, "king is on e7; it may castle only from rank 8"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d", 4, 29, "not a square"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d9", 4, 29, "not a square"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - D6", 4, 28, "not a square"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d66", 4, 30, "'6' is too much"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - -d6", 4, 29, "'d' is too much"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d5", 4, 28, "d5 is not on rank 6"},
    {"4k3/8/8/3pP3/8/8/8/4K3 b - d6", 4, 28, "d6 is not on rank 3"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - c6", 4, 28, "no black pawn on c5"},
    {"4k3/8/3n4/3pP3/8/8/8/4K3 w - d6", 4, 30, "d6 is occupied"},
    {"4k3/3p4/8/3pP3/8/8/8/4K3 w - d6", 4, 30, "d7 is occupied"},
    {"4k3/8/8/8/8/8/8/4K3 w - - x", 5, 27, "'x' is not a digit"},
    {"4k3/8/8/8/8/8/8/4K3 w - - -1", 5, 27, "'-' is not a digit"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 1.", 5, 28, "'.' is not a digit"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 65536 1", 5, 31, "above 65535"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 4294967297", 6, 34, "above 65535"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", 6, 31, "'2' after the last field"},
    {"4k3/8/8/8/8/8/8/4K3 w - - bm Ke2;", 5, 27, "'b' is not a digit"},
};

static void names_the_fault(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const Refused *r = &refused[i];
        char place[80], number[16];
        Position p;
        memset(&p, 0x55, sizeof p);
        const Position before = p;
        TabiaError error = {0};
        if (fen_parse(&p, r->text, &error)) fail_msg("accepted: %s", r->text);
        assert_memory_equal(&p, &before, sizeof p);
        snprintf(place, sizeof place, "FEN field %d (", r->field);
        snprintf(number, sizeof number, "character %d: ", r->character);
        if (strncmp(error.text, place, strlen(place)) || !strstr(error.text, number) || !strstr(error.text, r->reason))
            fail_msg("%s\n  %s\n  expected %s...), %s%s", r->text, error.text, place, number, r->reason);
        assert_false(fen_parse(&p, r->text, NULL));
    }
}

/* Every position of random games, both styles, gives itself back. */
static void gives_every_position_back(void **state) {
    (void)state;
    static const char *const starts[] = {
        fen_start,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rr1k1r1r/pppppppp/8/8/8/8/PPPPPPPP/RR1K1R1R w FBfb - 0 1",
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    };
    const uint64_t seed = 20;
    uint64_t random = seed;
    for (int game = 0; game < 200; game++) {
        Position p, q;
        assert_true(fen_parse(&p, starts[game % 4], NULL));
        for (int ply = 0; ply < 200; ply++) {
            for (int style = FEN_STANDARD; style <= FEN_SHREDDER; style++) {
                char out[FEN_MAX];
                TabiaError error;
                fen_write(&p, (FenStyle)style, out);
                if (!fen_parse(&q, out, &error)) fail_msg("seed %d game %d: %s: %s", (int)seed, game, out, error.text);
                if (memcmp(&p, &q, sizeof p)) fail_msg("seed %d game %d: %s", (int)seed, game, out);
            }
            Move list[MOVES_MAX];
            const unsigned n = moves_list(&p, list);
            if (!n) break;
            position_make_move(&p, &p, list[random_below(&random, n)]);
        }
    }
}

/* The text, where its operations begin, and the position; NULL: refused. */
typedef struct {
    const char *text, *rest, *fen;
} Epd;

static const Epd epds[] = {
    {"4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"1\";", "bm Ke2; id \"1\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 3 bm Ke2;", "bm Ke2;", "4k3/8/8/8/8/8/8/4K3 w - - 3 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 3 9 bm Ke2;", "bm Ke2;", "4k3/8/8/8/8/8/8/4K3 w - - 3 9"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 3 9; D1 5", "; D1 5", "4k3/8/8/8/8/8/8/4K3 w - - 3 9"},
    {"4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n", ";D1 5\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - -\n", "\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 3x bm Ke2;", NULL, NULL},
    {"4k3/8/8/8/8/8/8/4K3 w - bm Ke2;", NULL, NULL},
    {"", NULL, NULL},
};

static void reads_epd(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof epds / sizeof *epds; i++) {
        Position p;
        TabiaError error;
        char out[FEN_MAX];
        const char *rest = NULL;
        if (fen_parse_epd(&p, epds[i].text, &rest, &error) != (epds[i].fen != NULL)) fail_msg("%s", epds[i].text);
        if (!epds[i].fen) {
            assert_null(rest);
            continue;
        }
        assert_string_equal(rest, epds[i].rest);
        fen_write(&p, FEN_STANDARD, out);
        assert_string_equal(out, epds[i].fen);
    }
}

/* The longest FEN fits. */
static void has_room(void **state) {
    (void)state;
    Position p;
    char out[FEN_MAX];
    const char *longest = "r1b1k1nr/p1p1p1p1/1p3p1p/1P1pP1P1/P1P1P1P1/1n1b1b2/1P1B1Q1P/R1B1K1NR w HAha d6 65535 65535";
    assert_true(fen_parse(&p, longest, NULL));
    memset(out, 'x', sizeof out);
    fen_write(&p, FEN_SHREDDER, out);
    assert_string_equal(out, longest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes),
        cmocka_unit_test(names_the_fault),
        cmocka_unit_test(gives_every_position_back),
        cmocka_unit_test(reads_epd),
        cmocka_unit_test(has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
