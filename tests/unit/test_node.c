/* SPDX-License-Identifier: MIT */
/*
 * Single nodes, searched on one thread from a stack that the test sets up: draws by repetition, deferred moves, the
 * sign of reductions by history, verification of null moves.
 */
#include "unit.h"

#include "notation/fen.h"
#include "search/worker.h"

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char middlegame[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

static Move move_of(const Position *p, const char *squares) {
    const int from = squares[0] - 'a' + 8 * (squares[1] - '1'), to = squares[2] - 'a' + 8 * (squares[3] - '1');
    const Move m = move_from_squares(p, from, to, PAWN);
    assert_int_not_equal(m, 0);
    return m;
}

/* A search whose first worker stands at the root, as after an iteration of depth 1, and is not stopped. */
static Search *search_at(const char *fen, const char *const *played, SmpMode smp_mode) {
    const SearchSettings settings = {.hash_bytes = 1 << 20,
                                     .pawn_bytes = 1 << 16,
                                     .threads = 1,
                                     .smp_mode = smp_mode,
                                     .path_key_form = PATH_KEY_FIFTY_COUNT};
    TabiaError error;
    Position first, p;
    Move moves[16];
    unsigned n = 0;
    Search *s = search_create(&settings, &error);
    if (!s) fail_msg("%s", error.text);
    assert_true(fen_parse(&first, fen, NULL));
    for (p = first; played && played[n]; n++) {
        const Position before = p;
        moves[n] = move_of(&before, played[n]);
        game_make_move(&p, &before, moves[n]);
    }
    search_set_position(s, &first, moves, n);
    search_run(s, &(SearchLimits){.depth = 1});
    atomic_store(&s->stop, false);
    return s;
}

/* ---- repetitions ---- */

/* Makes the moves from the root: which of them gives the first position that is a draw, from 1? 0: none. */
static unsigned first_draw(const char *const *played, const char *const *line) {
    Search *s = search_at(start, played, SMP_LAZY);
    Worker *w = s->worker[0];
    unsigned drawn = 0;
    for (int ply = 0; line[ply] && !drawn; ply++) {
        StackFrame *f = stack_frame(w, ply);
        stack_make_move(w, f, move_of(&f->position, line[ply]));
        if (stack_is_draw(w, f + 1)) drawn = (unsigned)ply + 1;
    }
    search_destroy(s);
    return drawn;
}

static const char *const knights[] = {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", NULL};

/* A position of the tree is a draw as soon as it is there again; the root and the game before it count when they are there
   for the third time. */
static void one_repetition_below_the_root_is_a_draw(void **state) {
    (void)state;
    static const char *const game[] = {"b1c3", "b8c6", "c3b1", "c6b8", NULL};
    static const char *const knights_again[] = {"g1f3", "g8f6", "f3g1", "f6g8", NULL};
    static const char *const half[] = {"g1f3", "g8f6", NULL};
    static const char *const half_back[] = {"f3g1", "f6g8", "g1f3", "g8f6", NULL};
    assert_int_equal(first_draw(NULL, knights), 5);
    assert_int_equal(first_draw(NULL, knights_again), 0);
    assert_int_equal(first_draw(half, half_back), 0);
    assert_int_equal(first_draw(game, knights_again), 4);
}

/* ---- children of the root, in the order of their first entries ---- */

typedef struct {
    TabiaKey key;
    Move move;
    int depth;      /* of the first entry */
    unsigned order; /* from 1; 0: no entry */
} Child;

typedef struct {
    Child child[MOVES_MAX];
    unsigned n, stored;
} Children;

static void note_entry(void *context, TabiaKey key, uint64_t path, TabiaEntry entry, int depth) {
    (void)path, (void)entry;
    Children *c = context;
    for (unsigned i = 0; i < c->n; i++)
        if (c->child[i].key.index == key.index && c->child[i].key.check == key.check && !c->child[i].order)
            c->child[i].order = ++c->stored, c->child[i].depth = depth;
}

static void serve_nothing(void *context, const Search *s, unsigned thread) {
    (void)context, (void)s, (void)thread;
}

/* Searches the root to that depth on the calling thread. */
static void search_children(Search *s, int depth, Children *c) {
    Worker *w = s->worker[0];
    StackFrame *root = stack_frame(w, 0);
    SearchPeers peers = {.context = c, .request_depth = PLY_MAX, .store = note_entry, .serve = serve_nothing};
    *c = (Children){.n = w->root_n};
    for (unsigned i = 0; i < c->n; i++) {
        const Move m = w->root[i].move;
        c->child[i].move = m;
        c->child[i].key = game_table_key(game_key_after(&s->zobrist, &root->position, root->key, m));
    }
    s->settings.peers = &peers;
    w->iteration = depth;
    node_search(w, root, -SCORE_INFINITE, SCORE_INFINITE, depth, false);
    s->settings.peers = NULL;
}

/* ---- ABDADA ---- */

static void marks_are_found_until_the_search_has_finished(void **state) {
    (void)state;
    AbdadaTable *d = calloc(1, sizeof *d);
    uint64_t mark[ABDADA_WAYS];
    for (unsigned i = 0; i < ABDADA_WAYS; i++) { /* of one slot */
        mark[i] = (uint64_t)77 << 32 | (i + 1);
        assert_false(abdada_is_searched(d, mark[i]));
        abdada_start_search(d, mark[i]);
    }
    for (unsigned i = 0; i < ABDADA_WAYS; i++) {
        assert_true(abdada_is_searched(d, mark[i]));
        abdada_finish_search(d, mark[i]);
        assert_false(abdada_is_searched(d, mark[i]));
    }
    free(d);
}

/* Searches the root with two workers, of which the second does not run: `marked` is marked as if it searched that move. */
static void search_with_mark(Move marked, Children *c) {
    Search *s = search_at(middlegame, NULL, SMP_ABDADA);
    SearchSettings settings = s->settings;
    TabiaError error;
    settings.threads = 2;
    settings.table_name = NULL;
    assert_true(search_configure(s, &settings, &error));
    if (marked) abdada_start_search(s->abdada, abdada_move_hash(stack_frame(s->worker[0], 0)->key, marked));
    search_children(s, 6, c);
    search_destroy(s);
}

/* A move that another thread searches is searched after all others. */
static void a_marked_move_is_deferred(void **state) {
    (void)state;
    static Children c;
    search_with_mark(0, &c);
    assert_true(c.stored > 4);
    Move second = 0;
    for (unsigned i = 0; i < c.n; i++)
        if (c.child[i].order == 2) second = c.child[i].move;
    search_with_mark(second, &c);
    assert_true(c.stored > 4);
    for (unsigned i = 0; i < c.n; i++)
        if (c.child[i].move == second) assert_int_equal(c.child[i].order, c.stored);
}

/* ---- reductions ---- */

/* Searches the root where each quiet move has that butterfly history; *sum is that of the depths of the first entries. */
static void search_with_history(int16_t history, Children *c) {
    Search *s = search_at(middlegame, NULL, SMP_LAZY);
    int16_t *entry = &s->worker[0]->histories->quiet[0][0];
    for (unsigned i = 0; i < 2 * 4096; i++) entry[i] = history;
    search_children(s, 8, c);
    search_destroy(s);
}

/* Moves with a good history are reduced less, those with a bad one more. */
static void history_reduces_less(void **state) {
    (void)state;
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
    (void)state;
    enum { MARGIN = 10 };
    for (int depth = 10; depth <= 12; depth++) {
        Search *s = search_at("7b/6p1/3K2P1/4p3/4Pk2/1p6/1P6/B7 w - - 0 1", NULL, SMP_LAZY);
        Worker *w = s->worker[0];
        StackFrame *f = stack_frame(w, 1);
        stack_make_move(w, f - 1, move_of(&s->root, "d6d5"));
        const int beta = evaluate(&w->evaluator, &f->position, 1) - MARGIN;
        const int value = node_search(w, f, beta - 1, beta, depth, true);
        if (value >= beta) fail_msg("depth %d: %d, but less than %d is expected", depth, value, beta);
        search_destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_repetition_below_the_root_is_a_draw),
        cmocka_unit_test(marks_are_found_until_the_search_has_finished),
        cmocka_unit_test(a_marked_move_is_deferred),
        cmocka_unit_test(history_reduces_less),
        cmocka_unit_test(a_null_move_in_zugzwang_is_verified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
