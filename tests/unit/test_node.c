/* SPDX-License-Identifier: MIT */
/*
 * Single nodes, searched on one thread from a stack that the test sets up: draws by repetition, deferred moves, the
 * sign of reductions by history, verification of null moves.
 */
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

#include "notation/fen.h"
#include "search/worker.h"
#include "tabia/claims.h"

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

/* Searches the root to that depth on the calling thread. store: note_entry, or one that calls it. */
static void search_children_with(Search *s, int depth, Children *c,
                                 void (*store)(void *, TabiaKey, uint64_t, TabiaEntry, int)) {
    Worker *w = s->worker[0];
    StackFrame *root = stack_frame(w, 0);
    SearchPeers peers = {.context = c, .request_depth = PLY_MAX, .store = store, .serve = serve_nothing};
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

static void search_children(Search *s, int depth, Children *c) {
    search_children_with(s, depth, c, note_entry);
}

/* ---- ABDADA ---- */

/* Claims end by no time that a test can take. */
static const uint64_t long_lease = (uint64_t)1 << 38;

/* A search of one thread that shares its tables by the name with others of this process, as with those of other ones. */
static Search *search_with_claims(const char *name) {
    Search *s = search_at(middlegame, NULL, SMP_LAZY);
    SearchSettings settings = s->settings;
    TabiaError error;
    settings.smp_mode = SMP_ABDADA, settings.table_name = name;
    if (!search_configure(s, &settings, &error)) fail_msg("%s", error.text);
    assert_non_null(s->claims);
    s->claim_lease = long_lease;
    return s;
}

static const char *shared_name(void) {
    static char name[64];
    snprintf(name, sizeof name, "test-node-%d", (int)getpid());
    return name;
}

static bool claim_root_move(const Search *s, uint16_t worker, Move m) {
    const Key root = stack_frame(s->worker[0], 0)->key;
    return tabia_claim_try(s->claims, claim_key(root, m), 6, worker, claim_now(), s->claim_lease);
}

static uint16_t who_claims(const Search *s, Move m) {
    const Key root = stack_frame(s->worker[0], 0)->key;
    return tabia_claim_check(s->claims, claim_key(root, m), claim_now(), s->claim_lease).worker;
}

/* Searches the root. In which place is the move searched? *of: of how many. */
static unsigned place_of(Search *s, Move m, unsigned *of) {
    static Children c;
    search_children(s, 6, &c);
    assert_true(c.stored > 4);
    *of = c.stored;
    for (unsigned i = 0; i < c.n; i++)
        if (c.child[i].move == m) return c.child[i].order;
    fail();
    return 0;
}

static Move move_in_place(Search *s, unsigned place) {
    static Children c;
    search_children(s, 6, &c);
    for (unsigned i = 0; i < c.n; i++)
        if (c.child[i].order == place) return c.child[i].move;
    fail();
    return 0;
}

/* Of two threads, of which the second does not run. */
static Search *search_of_two(void) {
    Search *s = search_at(middlegame, NULL, SMP_ABDADA);
    SearchSettings settings = s->settings;
    TabiaError error;
    assert_null(s->claims);
    settings.threads = 2;
    if (!search_configure(s, &settings, &error)) fail_msg("%s", error.text);
    s->claim_lease = long_lease;
    return s;
}

/* A move that another thread searches is searched after all others; one that this thread has claimed, or whose claim has
   ended, when it is its turn. */
static void a_claimed_move_is_deferred(void **state) {
    (void)state;
    Search *plain = search_of_two();
    const Move second = move_in_place(plain, 2);
    search_destroy(plain);
    enum { NOBODY, OTHER, OTHER_ENDED, OWN, CASES };
    for (unsigned i = 0; i < CASES; i++) {
        Search *s = search_of_two();
        const uint16_t own = s->worker[0]->claim_worker, other = s->worker[1]->claim_worker;
        assert_int_not_equal(own, other);
        if (i != NOBODY) assert_true(claim_root_move(s, i == OWN ? own : other, second));
        if (i == OTHER_ENDED) s->claim_lease = 0;
        unsigned of;
        const unsigned place = place_of(s, second, &of);
        assert_int_equal(place, i == OTHER ? of : 2);
        assert_int_equal(who_claims(s, second), i == OTHER ? other : 0);
        search_destroy(s);
    }
}

/* Two searches of one thread each, as in two processes: what the one has claimed the other defers. */
static void searches_share_claims_by_a_name(void **state) {
    (void)state;
    for (unsigned claimed = 0; claimed < 2; claimed++) {
        Search *one = search_with_claims(shared_name());
        const Move second = move_in_place(one, 2);
        search_destroy(one);
        one = search_with_claims(shared_name());
        Search *other = search_with_claims(shared_name());
        assert_int_not_equal(one->worker[0]->claim_worker, other->worker[0]->claim_worker);
        if (claimed) assert_true(claim_root_move(other, other->worker[0]->claim_worker, second));
        unsigned of;
        const unsigned place = place_of(one, second, &of);
        assert_int_equal(place, claimed ? of : 2);
        search_destroy(one);
        search_destroy(other);
    }
}

enum { TWICE_DEPTH = 9, TWICE_FROM = 2, TWICE_TO = 5 };

/* Another search that is at a root move, and has searched it when the first search comes to a later one. */
typedef struct {
    Children children; /* first: note_entry's */
    Search *one, *other;
    Move move;
    bool done;
} SecondWorker;

static const RootMove *root_move_of(const Search *s, Move m) {
    const Worker *w = s->worker[0];
    for (unsigned i = 0; i < w->root_n; i++)
        if (w->root[i].move == m) return &w->root[i];
    fail();
    return NULL;
}

/* Of the moves that the first search is done with: alpha of the others. */
static int best_score_so_far(const SecondWorker *b) {
    int best = -SCORE_INFINITE;
    for (unsigned i = 0; i < b->children.n; i++) {
        const Child *c = &b->children.child[i];
        const int score = root_move_of(b->one, c->move)->score;
        if (c->order && c->order < b->children.stored && score > best) best = score;
    }
    return best;
}

static void note_entry_and_work(void *context, TabiaKey key, uint64_t path, TabiaEntry entry, int depth) {
    SecondWorker *b = context;
    note_entry(&b->children, key, path, entry, depth);
    if (b->children.stored <= TWICE_TO || b->done) return;
    b->done = true;
    Worker *w = b->other->worker[0];
    StackFrame *root = stack_frame(w, 0);
    const int alpha = best_score_so_far(b);
    stack_make_move(w, root, b->move);
    node_search(w, root + 1, -alpha - 1, -alpha, TWICE_DEPTH - 1, true);
    tabia_claim_release(b->other->claims, claim_key(root->key, b->move), w->claim_worker);
}

/* Of the root moves from the second on, the one with most nodes. */
static Move costly_move(void) {
    static Children c;
    Search *s = search_with_claims(shared_name());
    Move m = 0;
    uint64_t most = 0;
    search_children(s, TWICE_DEPTH, &c);
    for (unsigned i = 0; i < c.n; i++) {
        const uint64_t nodes = root_move_of(s, c.child[i].move)->nodes;
        if (c.child[i].order < TWICE_FROM || c.child[i].order > TWICE_TO || nodes <= most) continue;
        m = c.child[i].move, most = nodes;
    }
    assert_true(m != 0);
    search_destroy(s);
    return m;
}

/* Nodes that the first search spends on a root move that the second one searches meanwhile. */
static uint64_t nodes_done_twice(Move m, bool claimed) {
    SecondWorker b = {.move = m};
    b.one = search_with_claims(shared_name()), b.other = search_with_claims(shared_name());
    if (claimed) assert_true(claim_root_move(b.other, b.other->worker[0]->claim_worker, m));
    const uint64_t before = root_move_of(b.one, m)->nodes;
    search_children_with(b.one, TWICE_DEPTH, &b.children, note_entry_and_work);
    const uint64_t nodes = root_move_of(b.one, m)->nodes - before;
    assert_true(b.done && nodes > 0);
    assert_int_equal(who_claims(b.one, m), 0);
    search_destroy(b.one);
    search_destroy(b.other);
    return nodes;
}

static void work_is_not_done_twice(void **state) {
    (void)state;
    const Move m = costly_move();
    const uint64_t without = nodes_done_twice(m, false), with = nodes_done_twice(m, true);
    if (!with || with * 10 > without)
        fail_msg("%ju nodes with claims, %ju without", (uintmax_t)with, (uintmax_t)without);
}

/* When a quarter of the lease is over, a worker that claims another move renews the claims of its stack. */
static void claims_of_the_stack_are_renewed(void **state) {
    (void)state;
    for (unsigned due = 0; due < 2; due++) {
        Search *s = search_of_two();
        Worker *w = s->worker[0];
        StackFrame *root = stack_frame(w, 0);
        const Move m = w->root[0].move;
        claim_move(w, root, m, 6);
        assert_int_equal(who_claims(s, m), w->claim_worker);
        tabia_table_clear(s->claims); /* so that it shows whether it is there anew */
        stack_make_move(w, root, m);
        Move reply[MOVES_MAX];
        assert_true(game_moves(&root[1].position, reply) > 0);
        w->claims_renewed_at = claim_now() - (due ? long_lease : 0);
        claim_move(w, root + 1, reply[0], 5);
        assert_int_equal(who_claims(s, m), due ? w->claim_worker : 0);
        claim_release(w, root + 1);
        claim_release(w, root);
        assert_int_equal(who_claims(s, m), 0);
        search_destroy(s);
    }
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
        cmocka_unit_test(one_repetition_below_the_root_is_a_draw), cmocka_unit_test(a_claimed_move_is_deferred),
        cmocka_unit_test(searches_share_claims_by_a_name),         cmocka_unit_test(work_is_not_done_twice),
        cmocka_unit_test(claims_of_the_stack_are_renewed),         cmocka_unit_test(history_reduces_less),
        cmocka_unit_test(a_null_move_in_zugzwang_is_verified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
