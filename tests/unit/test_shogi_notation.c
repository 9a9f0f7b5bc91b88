/* SPDX-License-Identifier: MIT */
/* SFEN and moves of shogi: what is read and written, and what is said about the rest. */
#include "unit.h"

#include "notation/fen.h"
#include "notation/move_text.h"
#include "notation/validate.h"

/* Reads a text and writes it; NULL: the same. */
typedef struct {
    const char *text, *written;
} Written;

static const Written written[] = {
    {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", NULL},
    {"lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", NULL},
    {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", NULL},
    {"4k4/9/9/9/9/9/9/9/4K4 b 18P", "4k4/9/9/9/9/9/9/9/4K4 b 18P 1"},
    {"4k4/9/9/9/9/9/9/9/4K4 b", "4k4/9/9/9/9/9/9/9/4K4 b - 1"},
    {"4k4/9/9/9/9/9/9/9/4K4 w p2PGRr 0", "4k4/9/9/9/9/9/9/9/4K4 w RG2Prp 1"},
    {"  4k4/9/111111111/36/9/9/9/9/4K4   b  -  65535 ;D1 5", "4k4/9/9/9/9/9/9/9/4K4 b - 65535"},
    {"4k4/9/9/9/9/9/9/9/9 b G2r 1", NULL}, /* a problem without black's king */
    {"k+n7/sg7/9/9/9/9/+r5K1g/7L1/2LN1R1+Bb b RBGSNLP 1", NULL},
};

static void texts_are_read_and_written(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        Position p;
        char out[FEN_MAX];
        if (!fen_parse(&p, written[i].text, NULL)) fail_msg("%s", written[i].text);
        fen_write(&p, FEN_STANDARD, out);
        assert_string_equal(out, written[i].written ? written[i].written : written[i].text);
    }
}

typedef struct {
    const char *text, *message;
} Refused;

static const Refused refused[] = {
    {"", "field 1 (board), character 1: there is no position"},
    {"4k4/9/9/9/9/9/9/4K4 b - 1", "character 20: there is ' ' after rank h; there are 9 ranks"},
    {"4k5/9/9/9/9/9/9/9/4K4 b - 1", "character 3: rank a has more than 9 squares"},
    {"4k3/9/9/9/9/9/9/9/4K4 b - 1", "character 4: rank a has 8 squares; each has 9"},
    {"4k4/9/9/4X4/9/9/9/9/4K4 b - 1", "character 10: there is 'X'; a piece is one of PLNSBRGK"},
    {"4k4/9/9/4+G4/9/9/9/9/4K4 b - 1", "character 10: a gold does not promote"},
    {"4k4/9/9/9/9/9/9/4K4/4K4 b - 1", "black has a second king, on 5i; the first is on 5h"},
    {"9/9/9/9/9/9/9/9/9 b - 1", "there is no king; at least one side has one"},
    {"4k3P/9/9/9/9/9/9/9/4K4 b - 1", "character 4: black's pawn on 1a can never move again"},
    {"4k4/9/9/9/9/9/9/n8/4K4 b - 1", "white's knight on 9h can never move again"},
    {"4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1", "black has two unpromoted pawns on file 5, on 5d and 5f"},
    {"4k4/4GGGG1/4G4/9/9/9/9/9/4K4 b - 1", "5 pieces are golds, promoted or not; at most 4 can be"},
    {"4k4/9/4R4/9/9/9/9/9/3K5 b - 1",
     "field 2 (side to move), character 25: black, whose turn it is, could capture the king on 5a"},
    {"4k4/9/9/9/9/9/9/9/4K4 x - 1", "there is 'x'; the side to move is b or w"},
    {"4k4/9/9/9/9/9/9/9/4K4", "the side to move is missing"},
    {"4k4/9/9/9/9/9/9/9/4K4 b K 1", "field 3 (hands), character 25: there is 'K'; in hand are pieces of PLNSGBR"},
    {"4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "a number in hand is 1 to 18"},
    {"4k4/9/9/9/9/9/9/9/4K4 b 3G2g 1", "5 pieces are golds, 5 of them in hand; at most 4 can be"},
    {"4k4/9/9/9/9/9/9/9/4K4 b -G 1", "there is 'G' after '-'"},
    {"4k4/9/9/9/9/9/9/9/4K4 b - 65536", "the move number is 0 to 65535"},
    {"4k4/9/9/9/9/9/9/9/4K4 b - 1 1", "character 29: '1' after the last field"},
    {"4k4/9/9/9/9/9/9/9/4K4 w p2PGRr - ;D1 5", "there is '-'; the move number is 0 to 65535"},
};

static void faults_are_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Position p = {.ply = 7};
        TabiaError error;
        if (fen_parse(&p, refused[i].text, &error)) fail_msg("read: %s", refused[i].text);
        if (!strstr(error.text, refused[i].message)) fail_msg("%s: %s", refused[i].text, error.text);
        assert_int_equal(p.ply, 7);
    }
}

static void operations_follow(void **state) {
    (void)state;
    Position p;
    const char *rest;
    assert_true(fen_parse_epd(&p, "4k4/9/9/9/9/9/9/9/4K4 b G bm G*5b; id \"1\"", &rest, NULL));
    assert_string_equal(rest, "bm G*5b; id \"1\"");
    assert_true(fen_parse_epd(&p, "4k4/9/9/9/9/9/9/9/4K4 b G 3 ;D1 4", &rest, NULL));
    assert_string_equal(rest, ";D1 4");
}

static const char middle[] = "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65";

/* Moves that lead to a position, a move there, and the same as people write it; NULL: illegal. */
static const char *const move_texts[][3] = {
    {"7g7f 3c3d", "8h2b+", "B8hx2b+"},
    {"7g7f 3c3d", "8h2b", "B8hx2b="},
    {"7g7f 3c3d", "2g2f", "P2g-2f"},
    {"7g7f 3c3d", "8h1a+", NULL},
    {"7g7f 3c3d 8h2b+ 3a2b", "B*5e", "B*5e"},
    {"7g7f 3c3d 8h2b 3a2b", "B*8h", "B*8h"},
    {"7g7f 3c3d 8h2b+ 3a2b", "P*5e", NULL},
    {"7g7f 3c3d 8h2b+", "3a2b", "S3ax2b"},
    {"7g7f 3c3d 8h2b+ 9c9d", "2b3a", "+B2bx3a"},
};

static void moves_are_written(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof move_texts / sizeof *move_texts; i++) {
        const char *const *text = move_texts[i];
        char usi[UCI_MAX], western[SAN_MAX];
        Position p;
        assert_true(fen_parse(&p, fen_start, NULL) && position_make_moves(&p, text[0], NULL));
        const Move m = move_from_uci(&p, text[1]);
        if (!m != !text[2]) fail_msg("%s", text[1]);
        if (!m) continue;
        move_to_uci(&p, m, false, usi), move_to_san(&p, m, western);
        assert_string_equal(usi, text[1]);
        assert_string_equal(western, text[2]);
        assert_int_equal(move_from_text(&p, western, NULL), m);
    }
}

static const Refused refused_moves[] = {
    {"e2e4", "this is not a move; one looks like 7g7f, 8h2b+ or P*5e"},
    {"7g7f++", "this is not a move"},
    {"R*5e", "black has no rook in hand"},
    {"G*2b", "2b is not empty"},
    {"P*4a", "4a is not empty"},
    {"P*5a", "a pawn dropped on 5a could never move"},
    {"P*8e", "black has an unpromoted pawn on file 8"},
    {"5e5d", "no piece of black stands on 5e"},
    {"8g8e", "the pawn on 8g cannot go to 8e"},
    {"7h7g+", "the gold on 7h cannot go to 7g"},
    {"7h6h+", "a gold does not promote"},
    {"8g8f+", "black promotes only on a move into, in or out of the last three ranks"},
    {"3h4g", "the silver on 3h cannot go to 4g"},
};

static void bad_moves_are_explained(void **state) {
    (void)state;
    Position p;
    TabiaError error;
    assert_true(fen_parse(&p, middle, NULL));
    for (size_t i = 0; i < sizeof refused_moves / sizeof *refused_moves; i++) {
        if (move_from_text(&p, refused_moves[i].text, &error)) fail_msg("legal: %s", refused_moves[i].text);
        if (!strstr(error.text, refused_moves[i].message)) fail_msg("%s: %s", refused_moves[i].text, error.text);
    }
    assert_false(position_make_moves(&p, "1. 8g8f 8g8f", &error));
    assert_non_null(strstr(error.text, "move 2, \"8g8f\": no piece of white stands on 8g"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_and_written), cmocka_unit_test(faults_are_named),
        cmocka_unit_test(operations_follow),          cmocka_unit_test(moves_are_written),
        cmocka_unit_test(bad_moves_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
