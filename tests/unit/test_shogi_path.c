/* SPDX-License-Identifier: MIT */
/* Shogi as a search sees it: repetitions and who checks, and the search itself. */
#include "search_tools.h"

#include "game.h"
#include "notation/move_text.h"

/* ---- repetitions ---- */

/* A game and the search below it. */
typedef struct {
    Zobrist zobrist;
    GamePath path;
    Position p;
    Visit visit;
    int ply; /* of the search; -1: the game goes on */
} Line;

static void line_begin(Line *l, const char *sfen) {
    zobrist_init(&l->zobrist, 1);
    game_path_clear(&l->path);
    l->p = parsed(sfen), l->ply = -1;
    l->visit = visit_first(&l->zobrist, &l->p, zobrist_key(&l->zobrist, &l->p));
}

/* What is said of the position after each move. In the game: nothing. */
static Repetition line_move(Line *l, const char *move) {
    const Position before = l->p;
    const Visit from = l->visit;
    const Move m = move_from_uci(&before, move);
    if (!m) fail_msg("%s is not legal", move);
    game_make_move(&l->p, &before, m);
    l->visit = visit_after_move(&l->zobrist, &from, &before, &l->p, zobrist_key(&l->zobrist, &l->p));
    if (l->ply < 0) return game_path_add(&l->path, from, &l->p), REPETITION_NONE;
    game_path_leave(&l->path, l->ply++, from);
    return game_repetition((PathPoint){&l->path, l->ply, &l->p, &l->visit});
}

static void line_search(Line *l) {
    static GamePath copy;
    game_path_begin_search(&copy, &l->path, &l->visit);
    l->path = copy, l->ply = 0;
}

static void line_moves(Line *l, const char *const *moves, unsigned n, unsigned times) {
    for (unsigned i = 0; i < n * times; i++) assert_int_equal(line_move(l, moves[i % n]), REPETITION_NONE);
}

static const char *const to_and_fro[] = {"2h3h", "8b7b", "3h2h", "7b8b"};

static void fourth_occurrence(void **state) {
    static Line l;
    line_begin(&l, fen_start); /* the first occurrence */
    line_moves(&l, to_and_fro, 4, 2);
    line_moves(&l, to_and_fro, 3, 1);
    line_search(&l);
    assert_int_equal(line_move(&l, "7b8b"), REPETITION_DRAW);

    line_begin(&l, fen_start);
    line_moves(&l, to_and_fro, 4, 1);
    line_moves(&l, to_and_fro, 3, 1);
    line_search(&l);
    assert_int_equal(line_move(&l, "7b8b"), REPETITION_NONE); /* the third */

    line_begin(&l, fen_start); /* far from the root */
    line_moves(&l, to_and_fro, 4, 2);
    line_moves(&l, (const char *const[]){"2h4h"}, 1, 1);
    line_search(&l);
    line_moves(&l, (const char *const[]){"8b7b", "4h3h", "7b6b", "3h2h"}, 4, 1);
    assert_int_equal(line_move(&l, "6b8b"), REPETITION_DRAW);
}

static void within_the_search(void **state) {
    static Line l;
    line_begin(&l, fen_start);
    line_search(&l);
    line_moves(&l, to_and_fro, 4, 1); /* the root is a position of the game */
    assert_int_equal(line_move(&l, "2h3h"), REPETITION_DRAW);

    line_begin(&l, fen_start); /* no cycle leads over a null move */
    line_search(&l);
    assert_int_equal(line_move(&l, "2h3h"), REPETITION_NONE);
    const Position before = l.p;
    game_path_leave_by_null_move(&l.path, l.ply++);
    game_make_null_move(&l.p, &before);
    l.visit = visit_after_null_move(&l.zobrist, &l.p, zobrist_key(&l.zobrist, &l.p));
    assert_int_equal(line_move(&l, "3h2h"), REPETITION_NONE);
}

/* A rook checks for ever: its side loses, whoever is to move. */
static void perpetual_check(void **state) {
    static const char *const checks[] = {"9a9b", "5b5a", "9b9a", "5a5b"};
    static Line l;
    line_begin(&l, "4k4/9/9/9/9/9/9/9/R3K4 b - 1");
    line_search(&l);
    assert_int_equal(line_move(&l, "9i9a"), REPETITION_NONE);
    assert_int_equal(line_move(&l, "5a5b"), REPETITION_NONE);
    line_moves(&l, checks, 2, 1);
    assert_int_equal(line_move(&l, "9b9a"), REPETITION_WIN);
    assert_int_equal(line_move(&l, "5a5b"), REPETITION_LOSS);

    line_begin(&l, "4k4/9/9/9/9/9/9/9/R3K4 b - 1"); /* the same in the game, over all four occurrences */
    line_moves(&l, (const char *const[]){"9i9a", "5a5b"}, 2, 1);
    line_moves(&l, checks, 4, 2);
    line_moves(&l, checks, 3, 1);
    line_search(&l);
    assert_int_equal(line_move(&l, "5a5b"), REPETITION_LOSS);
}

/* The same board with another hand of the side to move. */
static void hands(void **state) {
    static const struct {
        const char *before, *now;
        Repetition result;
    } cases[] = {
        {"4k4/9/9/9/9/9/9/9/4K4 b Pp 1", "4k4/9/9/9/9/9/9/9/4K4 b 2P 5", REPETITION_SUPERIOR},
        {"4k4/9/9/9/9/9/9/9/4K4 b 2P 1", "4k4/9/9/9/9/9/9/9/4K4 b Pp 5", REPETITION_INFERIOR},
        {"4k4/9/9/9/9/9/9/9/4K4 b PLg 1", "4k4/9/9/9/9/9/9/9/4K4 b Gpl 5", REPETITION_NONE},
        {"4k4/9/9/9/9/9/9/9/4K4 b Pl 1", "4k4/9/9/9/9/9/9/9/4K4 w Pl 5", REPETITION_NONE},
        {"4k4/9/9/9/9/9/9/9/4K4 b 17Pp 1", "4k4/9/9/9/9/9/9/9/4K4 b 18P 5", REPETITION_SUPERIOR},
        {"4k4/9/9/9/9/9/9/9/4K4 b 18P 1", "4k4/9/9/9/9/9/9/9/4K4 b 17P4L 5", REPETITION_NONE},
        {"4k4/9/9/9/9/9/9/9/4K4 b R3P 1", "4k4/9/9/9/9/9/9/9/4K4 b RG3P 5", REPETITION_SUPERIOR},
    };
    static Line l;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        line_begin(&l, cases[i].before);
        const Visit before = l.visit;
        for (int ply = 0; ply < 5; ply++) game_path_leave(&l.path, ply, (Visit){.board = (uint64_t)ply + 1});
        game_path_leave(&l.path, 1, before);
        line_begin(&l, cases[i].now);
        l.visit.plies = 5;
        assert_int_equal(game_repetition((PathPoint){&l.path, 5, &l.p, &l.visit}), cases[i].result);
    }
}

/* More positions than are kept: the oldest give way. */
static void long_game(void **state) {
    static Line l;
    line_begin(&l, fen_start);
    for (unsigned i = 0; i < GAME_PATH_MAX + 101; i++) line_move(&l, to_and_fro[i % 4]);
    assert_true(l.path.game_n <= GAME_PATH_MAX);
    line_search(&l);
    assert_int_equal(line_move(&l, to_and_fro[(GAME_PATH_MAX + 101) % 4]), REPETITION_DRAW);
}

/* ---- the search ---- */

static void finds(const char *sfen, int depth, const char *move, int score) {
    Search *s = new_search((SearchSettings){.threads = 1});
    const Position p = parsed(sfen);
    search_set_position(s, &p, NULL, 0);
    search_run(s, &(SearchLimits){.depth = depth});
    const SearchResult r = search_result(s, 0);
    assert_int_equal(r.score, score);
    assert_int_equal(r.move, move ? move_from_uci(&p, move) : 0);
    search_destroy(s);
}

static void searches(void **state) {
    finds("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 3, "G*5b", SCORE_MATE - 1);
    finds("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", 3, NULL, -SCORE_MATE); /* mated */
    finds("k8/2G6/1G7/9/9/9/9/9/4K4 w - 1", 3, NULL, -SCORE_MATE);  /* no move, no check: lost as well */
}

#include "test_shogi_path_list.h"
