/* SPDX-License-Identifier: MIT */
#include "fen_tools.h"
#include "notation/fen.h"
#include "notation/move_text.h"

#include <string.h>

typedef struct {
    const char *fen, *moves, *after;
} Played;

static const Played played[] = {
    {fen_start, NULL, fen_start},
    {fen_start, "", fen_start},
    {fen_start, " \n\t", fen_start},
    {fen_start, "e2e4 e7e5 g1f3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"},
    {fen_start, "  e4\te5\nNf3  ", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"},
    {fen_start, "1. e4 e5 2.Nf3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"},
    {fen_start, "1. e4 1... e5 2.Nf3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"},
    {fen_start, "e4 Nf6 e5 d5 exd6 e.p.", "rnbqkb1r/ppp1pppp/3P1n2/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},
    {fen_start, "e2e4 e7e5 Nf3 Nc6 Bb5 g8f6 0-0", "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4"},
    {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "4k3/8/8/8/8/8/8/6KR b - - 1 1"},
    {"4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
};

static void plays_lists(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
        Position p = parsed(played[i].fen);
        TabiaError error;
        char out[FEN_MAX];
        if (!position_make_moves(&p, played[i].moves, &error)) fail_msg("%s: %s", played[i].moves, error.text);
        fen_write(&p, FEN_STANDARD, out);
        assert_string_equal(out, played[i].after);
    }
}

typedef struct {
    const char *fen, *moves, *error;
} Refused;

static const char pinned[] = "4r1k1/8/8/8/8/8/4N3/4K2R w K -";

static const Refused refused[] = {
    {fen_start, "e2e4 e7e5 e4e5", "move 3, \"e4e5\": the pawn on e4 cannot go to e5"},
    {fen_start, "1. e4 e5 2. Nf4", "move 3, \"Nf4\": no white knight can go to f4"},
    {fen_start, "e7e5", "move 1, \"e7e5\": the pawn on e7 is black's, and white is to move"},
    {fen_start, "e4e5", "move 1, \"e4e5\": there is no piece on e4"},
    {fen_start, "Nb3f3", "move 1, \"Nb3f3\": there is no piece on b3"},
    {fen_start, "0-0",
     "move 1, \"0-0\": white cannot castle short now: a piece is in the way, or a square that the "
     "king crosses is attacked"},
    {fen_start, "e4 e.p. e.p.e4",
     "move 2, \"e.p.e4\": this is not a move; one looks like e2e4, e7e8q, Nf3, exd8=Q or O-O"},
    {fen_start, "e.p.", "move 1, \"e.p.\": this is not a move; one looks like e2e4, e7e8q, Nf3, exd8=Q or O-O"},
    {fen_start, "e4\x01", "move 1, \"e4?\": this is not a move; one looks like e2e4, e7e8q, Nf3, exd8=Q or O-O"},
    {fen_start, "e4++++++++++++++++++++++++++", NULL},
    {pinned, "e2c3", "move 1, \"e2c3\": it would leave white's king in check"},
    {pinned, "Nc3", "move 1, \"Nc3\": it would leave white's king in check"},
    {pinned, "O-O-O", "move 1, \"O-O-O\": white has no right to castle long"},
    {"4r1k1/8/8/8/8/8/8/4K2R w K -", "O-O", "move 1, \"O-O\": white cannot castle out of check"},
    {"4r1k1/8/8/8/8/8/8/4K2R w K -", "Ke2", "move 1, \"Ke2\": it would leave white's king in check"},
    {"4k3/8/8/8/8/5N2/8/1N2K3 w - -", "Nd2", "move 1, \"Nd2\": it is ambiguous: Nbd2 or Nfd2"},
    {"4k3/P7/8/8/8/8/8/4K3 w - -", "a8",
     "move 1, \"a8\": it does not say what the pawn becomes on a8; a letter of QRBN "
     "is missing"},
    {"4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8",
     "move 1, \"a7a8\": it does not say what the pawn becomes on a8; a letter of "
     "QRBN is missing"},
    {fen_start, "e2e4q", "move 1, \"e2e4q\": nothing promotes on e4"},
    {fen_start, "f3 e5 g4 Qh4# a3", "move 5, \"a3\": white is checkmated and has no move"},
    {"k7/8/1Q6/8/8/8/8/4K3 b - -", "Ka7", "move 1, \"Ka7\": black is stalemated and has no move"},
    {fen_start, "e2e4e7e5e2e4e7e5e2e4e7e5e2e4e7e5", NULL},
};

static void names_the_first_bad_move(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Position p = parsed(refused[i].fen);
        const Position before = p;
        TabiaError error = {0};
        if (position_make_moves(&p, refused[i].moves, &error)) fail_msg("accepted: %s", refused[i].moves);
        if (refused[i].error) assert_string_equal(error.text, refused[i].error);
        assert_memory_equal(&p, &before, sizeof p);
        assert_false(position_make_moves(&p, refused[i].moves, NULL));
    }
}

static void reads_one_move(void **state) {
    (void)state;
    const Position p = parsed(fen_start);
    TabiaError error = {0};
    assert_int_equal(move_from_text(&p, "e2e4", &error), move_from_uci(&p, "e2e4"));
    assert_int_equal(move_from_text(&p, "e4", &error), move_from_uci(&p, "e2e4"));
    assert_int_equal(move_from_text(&p, "e5", &error), 0);
    assert_string_equal(error.text, "\"e5\": no white pawn can go to e5");
    assert_int_equal(move_from_text(&p, "e5", NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_lists),
        cmocka_unit_test(names_the_first_bad_move),
        cmocka_unit_test(reads_one_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
