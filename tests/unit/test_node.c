/* SPDX-License-Identifier: MIT */
/*
 * Single nodes, searched on one thread from a stack that the test sets up: draws by repetition, the
 * sign of reductions by history, verification of null moves.
 */
#include "helpers/random_games.h"
#include "node_tools.h"
#include "notation/fen.h"
#include "search/history.h"

/* ---- repetitions ---- */

/* Makes the moves from the root: which of them gives the first position that is a draw, from 1? 0: none. */
static unsigned first_draw(const char *const *played, const char *const *line) {
    Search *s = search_at(start, played, SMP_LAZY);
    Worker *w = s->worker[0];
    unsigned drawn = 0;
    for (int ply = 0; line[ply] && !drawn; ply++) {
        StackFrame *f = stack_frame(w, ply);
        stack_make_move(w, f, move_of(&f->position, line[ply]));
        int score;
        if (stack_is_decided(w, f + 1, &score)) assert_int_equal(score, SCORE_DRAW), drawn = (unsigned)ply + 1;
    }
    search_destroy(s);
    return drawn;
}

static const char *const knights[] = {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", NULL};

/* A position of the tree is a draw as soon as it is there again; the root and the game before it count when they are there
   for the third time. */
static void one_repetition_below_the_root_is_a_draw(void **state) {
    static const char *const game[] = {"b1c3", "b8c6", "c3b1", "c6b8", NULL};
    static const char *const knights_again[] = {"g1f3", "g8f6", "f3g1", "f6g8", NULL};
    static const char *const half[] = {"g1f3", "g8f6", NULL};
    static const char *const half_back[] = {"f3g1", "f6g8", "g1f3", "g8f6", NULL};
    assert_int_equal(first_draw(NULL, knights), 5);
    assert_int_equal(first_draw(NULL, knights_again), 0);
    assert_int_equal(first_draw(half, half_back), 0);
    assert_int_equal(first_draw(game, knights_again), 4);
}

/* ---- reductions ---- */

/* Searches the root where each quiet move has that butterfly history; *sum is that of the depths of the first entries. */
static void search_with_history(int16_t history, Children *c) {
    Search *s = search_at(middlegame, NULL, SMP_LAZY);
    int16_t *entry = &s->worker[0]->histories->quiet[0][0];
    for (unsigned i = 0; i < 2 * GAME_FROM_TO; i++) entry[i] = history;
    search_children(s, 8, c);
    search_destroy(s);
}

/* Moves with a good history are reduced less, those with a bad one more. */
static void history_reduces_less(void **state) {
    static Children bad, none, good;
    unsigned deeper = 0, shallower = 0;
    search_with_history(-HISTORY_MAX, &bad);
    search_with_history(0, &none);
    search_with_history(HISTORY_MAX, &good);
    for (unsigned i = 0; i < none.n; i++) {
        if (!none.child[i].order) continue;
        if (good.child[i].order) deeper += good.child[i].depth > none.child[i].depth;
        if (bad.child[i].order) shallower += bad.child[i].depth < none.child[i].depth;
    }
    assert_true(deeper > 10 && shallower > 10);
}

/* ---- null moves ---- */

/*
 * The kings stand so that who moves loses his pawn of the e file, and the bishops cannot move. To pass would win, so
 * Black's null move fails high; only its verification, deep enough from depth 10, sees that each move loses:
 *
 *     8  . . . . . . . b
 *     7  . . . . . . p .
 *     6  . . . . . . P .
 *     5  . . . K p . . .
 *     4  . . . . P k . .
 *     3  . p . . . . . .
 *     2  . P . . . . . .
 *     1  B . . . . . . .
 */
static void a_null_move_in_zugzwang_is_verified(void **state) {
    for (int depth = 10; depth <= 12; depth++) {
        Search *s = search_at("7b/6p1/3K2P1/4p3/4Pk2/1p6/1P6/B7 w - - 0 1", NULL, SMP_LAZY);
        Worker *w = s->worker[0];
        StackFrame *f = stack_frame(w, 1);
        stack_make_move(w, f - 1, move_of(&s->root, "d6d5"));
        const int beta = evaluate(&w->evaluator, &f->position, 1);
        const int value = node_search(w, f, beta - 1, beta, depth, true);
        if (value >= beta) fail_msg("depth %d: %d, but less than %d is expected", depth, value, beta);
        search_destroy(s);
    }
}

/* ---- correction of evaluations ---- */

/* Corrections of the evaluation come to what is taught and stay there, whatever they began with. */

enum { SEED = 20261122, ROUNDS = 2000, LESSONS = 400 };

/* Of each depth the bonus is a whole number: what is left is less than one of it, and what the three share. */
static int allowed(int depth) {
    return (8 + depth - 1) / depth + 1;
}

static int between(uint64_t *seed, int low, int high) {
    return low + (int)random_below(seed, (unsigned)(high - low + 1));
}

/* Those of the start position, in histories to be freed. */
static Histories *begin(Corrections *c) {
    Histories *h = calloc(1, sizeof *h);
    assert_non_null(h);
    Position p;
    assert_true(fen_parse(&p, fen_start, NULL));
    corrections_lookup(c, h, &p);
    return h;
}

/* A search whose leaves are corrected too: what it finds is the truth. */
static void settles_at_what_is_taught(void **state) {
    Corrections c;
    Histories *h = begin(&c);
    uint64_t seed = SEED;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 3; i++) *c.entry[i] = (int16_t)between(&seed, -CORRECTION_MAX, CORRECTION_MAX);
        const int truth = between(&seed, -120, 120), depth = between(&seed, 1, 30);
        for (int i = 0; i < LESSONS; i++) correction_update(&c, truth, depth);
        const int off = abs(correction_value(&c) - truth);
        if (off > allowed(depth))
            fail_msg("seed %d, depth %d: taught %d, is %d", SEED, depth, truth, correction_value(&c));
    }
    free(h);
}

static void stays_within_its_bounds(void **state) {
    Corrections c;
    Histories *h = begin(&c);
    uint64_t seed = SEED;
    for (int round = 0; round < ROUNDS * 100; round++) {
        correction_update(&c, between(&seed, -32000, 32000), between(&seed, 1, 127));
        for (int i = 0; i < 3; i++) assert_in_range(*c.entry[i] + CORRECTION_MAX, 0, 2 * CORRECTION_MAX);
    }
    free(h);
}

#include "test_node_list.h"
