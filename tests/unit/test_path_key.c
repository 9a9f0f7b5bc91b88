/* SPDX-License-Identifier: MIT */
/* Path keys: which scores hold on which path; and the 50-move rule, in a real search and in endings that are solved. */
#include "search_tools.h"

#include "search/stack.h"
#include "search/worker.h"

/* ---- forms ---- */

/* off has one path key at every clock, fifty-count each clock from 50 on its own. */
static void clocks(void **state) {
    for (int clock = 0; clock <= 100; clock++) {
        const Position p = {.halfmove = (uint16_t)clock};
        assert_int_equal(game_path_key(PATH_KEY_OFF, &p), 0);
        assert_int_equal(score_to_table(-SCORE_MATE_MIN, 3), -SCORE_MATE_MIN - 3);
        assert_int_equal(game_path_key(PATH_KEY_FIFTY_COUNT, &p), clock < 50 ? 0 : clock);
    }
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
    for (int sign = -1; sign <= 1; sign += 2) { /* the longest mate, and the highest score that is none */
        assert_int_equal(score_from_table(sign * SCORE_MATE_MIN, 3, 2 * PLY_MAX), sign * (SCORE_MATE_MIN - 3));
        assert_int_equal(score_from_table(sign * (SCORE_MATE_MIN - 1), 3, 0), sign * (SCORE_MATE_MIN - 1));
    }
    assert_true(score_is_proven_mate(SCORE_MATE - 9, TABIA_BOUND_LOWER) &&
                !score_is_proven_mate(SCORE_MATE - 9, TABIA_BOUND_UPPER));
    assert_true(score_is_proven_mate(-SCORE_MATE + 8, TABIA_BOUND_EXACT) &&
                !score_is_proven_mate(500, TABIA_BOUND_EXACT));
}

/* A lone king draws where the other side found no mate beyond the end of the clock, with no fewer plies left;
   otherwise the bound holds with fewer. */
static void draws_in_time_need_plies_and_depth(void **state) {
    static const struct {
        unsigned clock, draft; /* of the entry; asked at 90 */
        bool is_draw;
    } cases[] = {{90, 17, true}, {80, 17, true}, {91, 17, false}, {90, 16, false}, {80, 16, false}};
    Search *s = new_search((SearchSettings){.path_key = PATH_KEY_FIFTY_COUNT});
    for (int turn = WHITE; turn <= BLACK; turn++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const int16_t score = turn == WHITE ? 500 : -500;
            const StackFrame f = {
                .position = parsed(turn ? "8/8/8/8/8/2k5/8/K6R b - - 90 60" : "8/8/8/8/8/2k5/8/K6R w - - 90 60"),
                .key = {1, 2},
                .path_key = 90};
            const TabiaEntry e = {.move = 1,
                                  .score = score,
                                  .draft = (uint8_t)cases[i].draft,
                                  .bound = turn ? TABIA_BOUND_LOWER : TABIA_BOUND_UPPER};
            search_clear(s);
            tabia_entry_store(s->table, game_table_key(f.key), cases[i].clock, e);
            const TabiaHit hit = tt_probe(s->worker[0], &f);
            assert_true(hit.move_ok);
            assert_int_equal(hit.entry.score, cases[i].is_draw ? SCORE_DRAW : score);
            assert_int_equal(hit.entry.bound == TABIA_BOUND_EXACT, cases[i].is_draw);
            assert_int_equal(hit.score_ok, cases[i].clock <= 90);
        }
    search_destroy(s);
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

/* Every form: mate on the 100th ply counts, one ply later is a draw. */
static void the_last_ply(void **state) {
    for (int form = 0; form < (int)PATH_KEY_FORMS; form++) {
        assert_int_equal(score_of((PathKeyForm)form, "k7/8/1K6/8/8/8/8/7R w - - 99 90", 3), SCORE_MATE - 1);
        assert_int_equal(score_of((PathKeyForm)form, "1k6/8/1K6/8/8/8/8/7R w - - 99 90", 4), SCORE_MATE - 1);
        assert_int_equal(score_of((PathKeyForm)form, "2k5/8/1K6/8/8/8/8/7R w - - 99 90", 6), SCORE_DRAW);
    }
}

#include "test_path_key_list.h"
