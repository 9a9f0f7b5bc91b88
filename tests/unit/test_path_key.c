/* SPDX-License-Identifier: MIT */
/* Path keys: which scores hold on which path; and the 50-move rule, in a real search and in endings that are solved. */
#include "search_tools.h"

#include "lab/search/endgame_table.h"
#include "lab/search/path_keys.h"
#include "search/stack.h"

/* ---- forms ---- */

/* Stores with one path and looks with another: 2 the score may be used, 1 the move only, 0 nothing. */
static int finds(uint64_t stored, uint64_t asked) {
    TabiaTable *t;
    const TabiaOptions options = {.bytes = 1 << 20};
    const TabiaKey key = {12345, 67890};
    assert_int_equal(tabia_table_create(&t, &options, NULL), 0);
    tabia_entry_store(t, key, stored, (TabiaEntry){.move = 7, .score = 50, .draft = 9, .bound = TABIA_BOUND_EXACT});
    const TabiaHit hit = tabia_entry_probe(t, key, asked);
    if (hit.move_ok) assert_int_equal(hit.path, stored & 0xffff);
    tabia_table_destroy(t);
    return hit.move_ok + hit.score_ok;
}

static uint64_t path(PathKeyForm form, uint64_t parent, const Move *moves, unsigned n, int clock) {
    const Position p = {.halfmove = (uint16_t)clock};
    return path_key_after_move(form, parent, &moves[n - 1], (PathPoint){NULL, 0, &p, &(Visit){0}});
}
static uint64_t root_path(PathKeyForm form, int clock) {
    const Position p = {.halfmove = (uint16_t)clock};
    return path_key_root(form, (PathPoint){NULL, 0, &p, &(Visit){0}});
}

static void clocks(void **state) {
    const Move m[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    assert_int_equal(finds(path(PATH_KEY_OFF, 0, m, 8, 10), path(PATH_KEY_OFF, 0, m, 8, 90)), 2);
    assert_int_equal(finds(path(PATH_KEY_FIFTY, 0, m, 8, 10), path(PATH_KEY_FIFTY, 0, m, 8, 49)), 2);
    assert_int_equal(finds(path(PATH_KEY_FIFTY, 0, m, 8, 10), path(PATH_KEY_FIFTY, 0, m, 8, 50)), 1);
    assert_int_equal(finds(path(PATH_KEY_FIFTY, 0, m, 8, 60), path(PATH_KEY_FIFTY, 0, m, 8, 70)), 2);
    assert_int_equal(finds(path(PATH_KEY_FIFTY_COUNT, 0, m, 8, 60), path(PATH_KEY_FIFTY_COUNT, 0, m, 8, 61)), 1);
    assert_int_equal(finds(path(PATH_KEY_FIFTY_COUNT, 0, m, 8, 60), path(PATH_KEY_FIFTY_COUNT, 0, m, 8, 60)), 2);
    for (int clock = 0; clock <= 100; clock += 20) /* a root is as if it had been played to */
        assert_int_equal(root_path(PATH_KEY_FIFTY_COUNT, clock), path(PATH_KEY_FIFTY_COUNT, 0, m, 8, clock));
    assert_int_not_equal(root_path((PathKeyForm)PATH_KEY_GAME, 0), root_path((PathKeyForm)PATH_KEY_GAME, 80));
}

static void last_moves(void **state) {
    for (int k = 1; k <= PATH_KEY_LAST_MAX; k++) {
        const PathKeyForm form = (PathKeyForm)(PATH_KEY_LAST + k);
        const Move a[9] = {1, 1, 2, 3, 4, 5, 6, 7, 8};
        for (int changed = 0; changed < 9; changed++) { /* counted from the newest */
            Move b[9];
            memcpy(b, a, sizeof b);
            b[8 - changed] = 99;
            assert_int_equal(finds(path(form, 0, a, 9, 5), path(form, 0, b, 9, 5)), changed < k ? 1 : 2);
        }
    }
}

static void whole_games(void **state) {
    const Move m[] = {1};
    const uint64_t one = path((PathKeyForm)PATH_KEY_GAME, 10, m, 1, 3),
                   other = path((PathKeyForm)PATH_KEY_GAME, 11, m, 1, 3);
    assert_int_equal(finds(one, one), 2);
    assert_int_equal(finds(one, other), 1);
    assert_int_equal(path((PathKeyForm)PATH_KEY_GAME, 10, m, 1, 0),
                     path((PathKeyForm)PATH_KEY_GAME, 11, m, 1, 0)); /* cannot be taken back */
}

/* ---- other counts ---- */

static int transferred(int score, unsigned bound, uint64_t from, uint64_t to) {
    TabiaHit hit = {.entry = {.score = (int16_t)score, .bound = (uint8_t)bound}, .move_ok = true};
    hit.path = (uint32_t)from;
    tt_transfer_bound(&hit, to);
    return hit.score_ok ? hit.entry.bound : -1;
}

/* With fewer plies left a score comes nearer to the draw's and never crosses it. */
static void counts_transfer(void **state) {
    const int u = TABIA_BOUND_UPPER, l = TABIA_BOUND_LOWER, e = TABIA_BOUND_EXACT;
    assert_int_equal(transferred(300, u, 60, 70), u);
    assert_int_equal(transferred(300, l, 60, 70), -1);
    assert_int_equal(transferred(300, e, 60, 70), u);
    assert_int_equal(transferred(-300, e, 60, 70), l);
    assert_int_equal(transferred(300, e, 70, 60), l);
    assert_int_equal(transferred(300, u, 70, 60), -1);
    assert_int_equal(transferred(-300, e, 70, 60), u);
    assert_int_equal(transferred(0, e, 60, 70), e);
    assert_int_equal(transferred(0, e, 70, 60), -1);
    assert_int_equal(transferred(SCORE_MATE - 9, e, 60, 70), -1);
}

static void mates_know_the_draw(void **state) {
    assert_int_equal(score_from_table(SCORE_MATE - 9, 0, 9), SCORE_MATE - 9); /* on the 100th ply */
    assert_int_equal(score_from_table(SCORE_MATE - 9, 0, 8), SCORE_NONE);
    assert_int_equal(score_from_table(-SCORE_MATE + 8, 4, 8), -SCORE_MATE + 12);
    assert_int_equal(score_from_table(-SCORE_MATE + 8, 4, 7), SCORE_NONE);
    assert_true(score_is_proven_mate(SCORE_MATE - 9, TABIA_BOUND_LOWER) &&
                !score_is_proven_mate(SCORE_MATE - 9, TABIA_BOUND_UPPER));
    assert_true(score_is_proven_mate(-SCORE_MATE + 8, TABIA_BOUND_EXACT) &&
                !score_is_proven_mate(500, TABIA_BOUND_EXACT));
}

/* ---- in a search ---- */

static void take(void *context, const SearchReport *r) {
    *(int *)context = r->score;
}

static int score_of(PathKeyForm form, const char *fen, int depth) {
    int score = SCORE_NONE;
    const SearchListener listener = {.context = &score, .report = take};
    const SearchLimits limits = {.depth = depth};
    Search *s = new_search((SearchSettings){.path_key = form});
    search_from(s, fen);
    search_start(s, &limits, &listener);
    search_wait(s);
    search_destroy(s);
    return score;
}

/* The guard alone refuses scores by the clock: `off` is the classic table at every clock. */
static void only_the_guard_refuses(void **state) {
    for (int form = 0; form <= (int)PATH_KEY_GAME; form++)
        for (int clock = 0; clock <= 100; clock++) {
            const Position p = {.halfmove = (uint16_t)clock};
            assert_int_equal(game_path_key_allows_cutoff((PathKeyForm)form, &p), form != PATH_KEY_GUARD || clock < 90);
        }
}

/* The same with entries: off and guard store and ask one path key at every clock. */
static void off_and_guard_know_one_path(void **state) {
    const Move m[] = {1};
    for (int clock = 0; clock <= 100; clock++)
        for (int form = PATH_KEY_OFF; form <= (int)PATH_KEY_GUARD; form++) {
            assert_int_equal(root_path((PathKeyForm)form, clock), 0);
            assert_int_equal(path((PathKeyForm)form, 0, m, 1, clock), 0);
        }
}

/* Every form: mate on the 100th ply counts, one ply later is a draw. */
static void the_last_ply(void **state) {
    for (int form = 0; form <= (int)PATH_KEY_GAME; form++) {
        assert_int_equal(score_of((PathKeyForm)form, "k7/8/1K6/8/8/8/8/7R w - - 99 90", 3), SCORE_MATE - 1);
        assert_int_equal(score_of((PathKeyForm)form, "1k6/8/1K6/8/8/8/8/7R w - - 99 90", 4), SCORE_MATE - 1);
        assert_int_equal(score_of((PathKeyForm)form, "2k5/8/1K6/8/8/8/8/7R w - - 99 90", 6), SCORE_DRAW);
    }
}

static void cases_are_pairs(void **state) {
    PathKeyCases c;
    TabiaError error;
    assert_true(path_key_cases_built_in(&c, &error));
    unsigned won = 0;
    for (unsigned i = 0; i < c.n; i++) won += c.all[i].expected == OUTCOME_WIN;
    static const char *const names[] = {"KQK", "KRK"};
    EndgameTables *t = endgame_tables_create(names, 2, NULL, NULL, &error);
    for (unsigned i = 0; i < 24; i++)
        assert_int_equal(endgame_result(t, &c.all[i].at), c.all[i].expected == OUTCOME_WIN);
    endgame_tables_free(t);
    assert_int_equal(won, 12);
    assert_int_equal(c.n, 27);
    path_key_cases_free(&c);
    char path[64];
    const int file = temporary_file(path);
    const char text[] = "8/8/8/8/8/1k6/8/K2R4 w - - 80 90; id \"a\"; c1 \"expect win\";\n# nothing\n"
                        "7k/8/8/8/8/8/R7/K7 w - - pv a2a3 h8h7; bm Ra8; am Kb1;\n8/8/8/8/8/1k6/8/K7 w - - ; draw\n"
                        "8/8/8/8/8/1k6/8/K7 w - - id \"asks nothing\";\n";
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    assert_true(path_key_cases_read(&c, path, &error));
    remove(path);
    assert_int_equal(c.n, 3);
    assert_int_equal(c.all[0].expected, OUTCOME_WIN);
    assert_true(c.all[1].expected == OUTCOME_MOVE && c.all[1].moves_n == 2 && c.all[1].best_n == 1);
    assert_int_equal(c.all[2].expected, OUTCOME_DRAW);
    path_key_cases_free(&c);
    assert_false(path_key_cases_read(&c, "/nowhere/at-all.epd", &error));
}

#include "test_path_key_list.h"
