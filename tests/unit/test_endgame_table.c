/* SPDX-License-Identifier: MIT */
/*
 * Endings solved under the 50-move rule: against what is published, and against the rule itself at every clock. Moves are those of rules/movegen.h, which the solver takes back by code of its own.
 */
#include "unit.h"

#include "base/random.h"
#include "lab/search/endgame_table.h"
#include "notation/fen.h"

static const char *const names[] = {"KQK", "KRK", "KPK", "KBNK", "KRKN", "KBBK", "KQKR", "KRKB", "KQKP"};
enum { NAMES = sizeof names / sizeof *names, QUICK = 5, POSITIONS = 4000 };

typedef struct {
    EndgameTables *tables;
    unsigned n;
} Solved;

/* ---- what is published ---- */

/*
 * The longest wins of the stronger side, to move, in moves to mate or to the capture that wins: T. Stroehlein,
 * "Untersuchungen ueber kombinatorische Spiele" (1970) for queen, rook, rook against a minor piece and queen against
 * rook; the others as in all endgame tables since.
 */
static void longest_wins(void **state) {
    static const struct {
        const char *name;
        int moves;
    } known[NAMES] = {{"KQK", 10},  {"KRK", 16},  {NULL, 0},    {"KBNK", 33},
                      {"KRKN", 27}, {"KBBK", 19}, {"KQKR", 31}, {"KRKB", 18}};
    const Solved *s = *state;
    uint64_t seed = 3;
    for (unsigned i = 0; i < s->n; i++) {
        int longest = 0;
        for (int n = 0; known[i].name && n < 20 * POSITIONS; n++) {
            const Position p = endgame_random(s->tables, known[i].name, &seed);
            EndgameValue v;
            assert_true(endgame_value(s->tables, &p, &v));
            if (p.turn == WHITE && v.result > 0 && v.plies > longest) longest = v.plies;
        }
        const int max = 2 * known[i].moves - 1;
        if (known[i].name && strlen(known[i].name) == 3) assert_int_equal(longest, max);
        assert_true(longest <= max || !known[i].name);
    }
}

/* King and pawn: as in the table that the engine has, which is made by another method and without a clock. */
static void pawn_endings_agree(void **state) {
    const EndgameTables *t = ((Solved *)*state)->tables;
    uint64_t seed = 8;
    for (int i = 0; i < 50 * POSITIONS; i++) {
        const Position p = endgame_random(t, "KPK", &seed);
        const int pawn = lsb(p.pawn), king = king_square(&p, WHITE), other = king_square(&p, BLACK);
        EndgameValue v;
        assert_true(endgame_value(t, &p, &v));
        assert_int_equal(v.result != 0, kpk_wins(p.turn == WHITE, king, pawn, other));
    }
}

/* ---- the rule ---- */

static int result_at(const EndgameTables *t, Position p, int clock) {
    p.halfmove = (uint16_t)clock;
    return endgame_result(t, &p);
}

/* By the rule, from the results one ply later: mate counts on the 100th ply; else the clock ends the game there. */
static int result_by_rule(const EndgameTables *t, const Position *p) {
    Move list[MOVES_MAX];
    const unsigned n = game_moves(p, list);
    if (n == 0) return game_in_check(p) ? -1 : 0;
    if (game_halfmove_clock(p) >= GAME_HALFMOVE_DRAW) return 0;
    int best = -1;
    for (unsigned i = 0; i < n && best < 1; i++) {
        Position next;
        game_make_move(&next, p, list[i]);
        const int result = -endgame_result(t, &next);
        if (result > best) best = result;
    }
    return best;
}

static void fail_position(const char *name, const Position *p, int found, int right) {
    char fen[FEN_MAX];
    fen_write(p, FEN_STANDARD, fen);
    fail_msg("%s: %s is %d and should be %d", name, fen, found, right);
}

/*
 * Every result follows from those one ply later, at every clock. By induction over material, pawn and clock all
 * results are then right.
 */
static void results_follow_from_moves(void **state) {
    const Solved *s = *state;
    uint64_t seed = 1;
    for (unsigned n = 0; n < s->n; n++)
        for (int i = 0; i < POSITIONS; i++) {
            Position p = endgame_random(s->tables, names[n], &seed);
            EndgameValue v;
            assert_true(endgame_value(s->tables, &p, &v));
            const int edge = GAME_HALFMOVE_DRAW - v.plies, clocks[] = {0, edge - 1, edge, edge + 1, 99, 100};
            for (int c = 0; c < 6; c++) {
                if (clocks[c] < 0 || clocks[c] > GAME_HALFMOVE_DRAW) continue;
                p.halfmove = (uint16_t)clocks[c];
                const int right = result_by_rule(s->tables, &p), found = result_at(s->tables, p, clocks[c]);
                if (found != right) fail_position(names[n], &p, found, right);
            }
        }
}

/* ---- edges ---- */

static void other_positions(void **state) {
    const EndgameTables *t = ((Solved *)*state)->tables;
    EndgameValue v;
    Position p = {.fullmove = 1, .turn = WHITE}; /* kings that touch */
    position_put(&p, 0, WHITE, KING), position_put(&p, 7, WHITE, ROOK), position_put(&p, 9, BLACK, KING);
    assert_false(endgame_value(t, &p, &v));
    assert_true(fen_parse(&p, "8/8/8/8/8/1k6/8/3K2QQ w - - 0 1", NULL));
    assert_false(endgame_value(t, &p, &v)); /* not solved */
    assert_true(fen_parse(&p, "8/8/8/8/8/1k6/8/3KN3 w - - 0 1", NULL));
    assert_true(endgame_value(t, &p, &v) && v.result == 0);
    static const char *const exchanged[] = {"7r/8/8/8/8/1k6/8/2K5 b - - 97 90", "8/8/8/8/8/1k6/7p/2K5 b - - 99 90"};
    for (unsigned i = 0; i < 2; i++) {
        assert_true(fen_parse(&p, exchanged[i], NULL)); /* the stronger side is black */
        assert_int_equal(endgame_result(t, &p), 1);
    }
}

static void bad_names(void **state) {
    static const char *const bad[] = {"", "KQ", "QKK", "KQQQK", "KPKP", "KXK", "KNK", "KK", "KQKK"};
    TabiaError error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = '\0';
        assert_null(endgame_tables_create(&bad[i], 1, NULL, NULL, &error));
        assert_true(strstr(error.text, "ending") != NULL);
    }
}

int main(void) {
    TabiaError error;
    Solved s = {.n = whole_tests() ? NAMES : QUICK};
    s.tables = endgame_tables_create(names, s.n, NULL, NULL, &error);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(longest_wins, &s),
        cmocka_unit_test_prestate(pawn_endings_agree, &s),
        cmocka_unit_test_prestate(results_follow_from_moves, &s),
        cmocka_unit_test_prestate(other_positions, &s),
        cmocka_unit_test(bad_names),
    };
    const int failed = s.tables ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    endgame_tables_free(s.tables);
    return failed;
}
