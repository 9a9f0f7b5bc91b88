/* SPDX-License-Identifier: MIT */
/*
 * ABDADA, on one thread: another worker's claims are made by the test, and its part of the work is done when the test
 * says so.
 */
#include "node_tools.h"

#include <stdio.h>
#include <unistd.h>

#include "tabia/claims.h"

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
    snprintf(name, sizeof name, "test-abdada-%d", (int)getpid());
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

/* What other processes are told. */
typedef struct {
    unsigned claims, releases, open, shallowest;
} Told;

static uint16_t rank_worker(const void *context, unsigned thread) {
    (void)context;
    return (uint16_t)(77 + thread);
}

static bool note_claim(void *context, TabiaKey key, int depth, uint16_t worker) {
    Told *t = context;
    (void)key;
    assert_int_equal(worker, 77);
    if (!t->claims || (unsigned)depth < t->shallowest) t->shallowest = (unsigned)depth;
    t->claims++;
    if (t->claims % 3 == 0) return false; /* not told: no release is wanted */
    t->open++;
    return true;
}

static void note_release(void *context, TabiaKey key, uint16_t worker) {
    Told *t = context;
    (void)key;
    assert_int_equal(worker, 77);
    assert_true(t->open > 0);
    t->open--, t->releases++;
}

static Search *search_with_peers(const SearchPeers *peers) {
    Search *s = search_at(middlegame, NULL, SMP_LAZY);
    SearchSettings settings = s->settings;
    settings.smp_mode = SMP_ABDADA, settings.peers = peers;
    assert_true(search_configure(s, &settings, NULL));
    assert_ptr_equal(s->claims, peers->claims);
    assert_int_equal(s->worker[0]->claim_worker, 77);
    s->claim_lease = long_lease;
    return s;
}

/* A search of one thread with peers uses their table of claims: it defers what is claimed there, and tells them of its own
   claims from a depth on. */
static void peers_share_claims(void **state) {
    (void)state;
    const TabiaOptions options = {.type = TABIA_CLAIMS, .bytes = 1 << 16, .threads = 1};
    Search *plain = search_of_two();
    const Move second = move_in_place(plain, 2);
    search_destroy(plain);
    for (unsigned claimed = 0; claimed < 2; claimed++) {
        Told told = {0};
        SearchPeers peers = {.context = &told,
                             .claim_depth = 5,
                             .claim_worker = rank_worker,
                             .claim = note_claim,
                             .release = note_release};
        assert_int_equal(tabia_table_create(&peers.claims, &options, NULL), 0);
        Search *s = search_with_peers(&peers);
        if (claimed) assert_true(claim_root_move(s, 5, second));
        unsigned of;
        const unsigned place = place_of(s, second, &of);
        assert_int_equal(place, claimed ? of : 2);
        assert_true(told.claims > 10 && told.releases > 5);
        assert_int_equal(told.shallowest, 5);
        assert_int_equal(told.open, 0);
        search_destroy(s);
        tabia_table_destroy(peers.claims); /* the search has left it */
    }
}

/* ---- depths ---- */

static unsigned on_depth_four(const void *context, int iteration) {
    (void)context;
    return iteration == 4;
}
static unsigned one_thread(const void *context) {
    (void)context;
    return 1;
}
static uint64_t no_nodes(const void *context) {
    (void)context;
    return 0;
}
static void note_iteration(void *context, unsigned thread, int iteration) {
    unsigned *iterations = context;
    (void)thread;
    *iterations |= 1u << iteration;
}
static void keep_outcome(void *context, const Search *s, bool timed, SearchOutcome *outcome) {
    (void)context, (void)s, (void)timed, (void)outcome;
}

/* The depth that another process is on is left out where threads spread over depths. */
static void modes_spread_over_depths_or_do_not(void **state) {
    (void)state;
    for (SmpMode mode = 0; mode < SMP_MODES; mode++) {
        unsigned iterations = 0;
        const SearchPeers peers = {.context = &iterations,
                                   .store_depth = PLY_MAX,
                                   .request_depth = PLY_MAX,
                                   .serve = serve_nothing,
                                   .start_iteration = note_iteration,
                                   .remote_threads_on = on_depth_four,
                                   .remote_threads = one_thread,
                                   .nodes = no_nodes,
                                   .finish = keep_outcome};
        Search *s = search_at(middlegame, NULL, mode);
        s->settings.peers = &peers;
        search_run(s, &(SearchLimits){.depth = 6});
        s->settings.peers = NULL;
        assert_int_equal(iterations, mode == SMP_LAZY || mode == SMP_BOTH ? 0x6e : 0x7e);
        search_destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claimed_move_is_deferred), cmocka_unit_test(searches_share_claims_by_a_name),
        cmocka_unit_test(work_is_not_done_twice),     cmocka_unit_test(claims_of_the_stack_are_renewed),
        cmocka_unit_test(peers_share_claims),         cmocka_unit_test(modes_spread_over_depths_or_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
