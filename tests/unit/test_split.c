/* SPDX-License-Identifier: MIT */
/* Split points, on one thread: the helper does its part of the work when the test says so; then on several. */
#include "node_tools.h"

#include <math.h>

#include "search/node.h"

enum { DEPTH = 6 };

static Search *search_with(unsigned threads) {
    Search *s = search_at(middlegame, NULL, SMP_SPLIT);
    SearchSettings settings = s->settings;
    TabiaError error;
    settings.threads = threads;
    if (!search_configure(s, &settings, &error)) fail_msg("%s", error.text);
    search_run(s, &(SearchLimits){.depth = 1});
    atomic_store(&s->stop, false);
    s->worker[0]->iteration = DEPTH;
    return s;
}

/* The node of a frame, as after its first move, and a split point of it. */
typedef struct {
    Node node, mine;
    MovePicker picker;
} Split;

static void open_node(Worker *w, StackFrame *f, Split *t) {
    Node *n = &t->node;
    *n = (Node){.w = w, .f = f, .ply = frame_ply(w, f), .alpha = -SCORE_INFINITE, .beta = SCORE_INFINITE};
    n->depth = DEPTH, n->is_pv = true, n->best = -SCORE_INFINITE, n->picker = &t->picker;
    f->pv_length = 0;
    node_set_hints(n);
    picker_init(n->picker, &f->position, &n->hints);
    n->move_count = 1;
    split_open(n, &t->mine);
}

/* One worker makes moves from the root and shares the node there; the other one searches all moves of it. */
static void a_helper_searches_from_the_stack_of_the_owner(void **state) {
    static const char *const line[] = {"a2a4", "e8f8", NULL};
    for (unsigned plies = 0; plies <= 2; plies += 2) {
        Search *s = search_with(2);
        Worker *owner = s->worker[0], *helper = s->worker[1];
        static Split t;
        Move moves[MOVES_MAX];
        for (unsigned ply = 0; ply < plies; ply++) {
            StackFrame *f = stack_frame(owner, (int)ply);
            stack_make_move(owner, f, move_of(&f->position, line[ply]));
        }
        assert_false(split_help(helper, NULL));
        open_node(owner, stack_frame(owner, (int)plies), &t);
        assert_true(split_help(helper, NULL));
        assert_false(split_help(helper, NULL)); /* no move is left */
        assert_null(helper->split);
        const StackFrame *there = stack_frame(helper, (int)plies);
        assert_true(frame_is_consistent(helper, there));
        assert_true(key_same(there->key, t.node.f->key) && there->path_key == t.node.f->path_key);
        const int all = 1 + (int)game_moves(&there->position, moves);
        assert_true(plies ? t.node.move_count > 1 : t.node.move_count == all); /* below the root some are pruned */
        assert_true(t.node.best > -SCORE_MATE_MIN && t.node.best < SCORE_MATE_MIN && t.node.best == t.node.alpha);
        assert_int_equal(t.node.f->pv[0], t.node.best_move);
        assert_true(atomic_load(&helper->nodes) > 100);
        split_close(&t.mine);
        assert_null(owner->split);
        assert_true(owner->selective_depth >= DEPTH);
        search_destroy(s);
    }
}

/* A node that is decided needs nothing below it, and nothing of that is stored. */
static void a_cutoff_ends_what_is_below(void **state) {
    Search *s = search_with(3);
    static Split above, below;
    Worker *owner = s->worker[0];
    StackFrame *root = stack_frame(owner, 0);
    open_node(owner, root, &above);
    SplitPoint *p = above.mine.split;
    stack_make_move(owner, root, move_of(&root->position, "a2a4"));
    open_node(owner, root + 1, &below);
    SplitPoint *q = below.mine.split;
    for (unsigned i = 1; i < 3; i++) { /* one is at the upper, one at the lower */
        s->worker[i]->split = i == 1 ? p : q;
        atomic_fetch_add(&s->worker[i]->split->helpers, 1);
    }
    for (unsigned i = 0; i < 3; i++) assert_false(worker_stopped(s->worker[i]));
    split_cut(q);
    assert_true(worker_stopped(owner));
    assert_false(worker_stopped(s->worker[1]));
    assert_true(worker_stopped(s->worker[2]));
    split_end_moves(p);
    assert_false(split_help(s->worker[1], p)); /* the lower one is no work any more */
    atomic_store(&q->helpers, 0);
    split_close(&below.mine);
    assert_false(worker_stopped(owner));
    split_cut(p);
    assert_true(worker_stopped(owner) && worker_stopped(s->worker[1]));
    atomic_store(&p->helpers, 0);
    split_close(&above.mine);
    search_destroy(s);
}

/* Who waits joins nothing but what is below its own split point. */
static void an_owner_helps_below_its_own_node(void **state) {
    Search *s = search_with(2);
    static Split own, other;
    Worker *a = s->worker[0], *b = s->worker[1];
    open_node(a, stack_frame(a, 0), &own);
    split_end_moves(own.mine.split);
    open_node(b, stack_frame(b, 0), &other);
    assert_false(split_help(a, own.mine.split));
    assert_true(split_help(a, NULL));
    split_close(&other.mine);
    split_close(&own.mine);
    search_destroy(s);
}

/* The threads search one tree: helpers a part of it, and all not many times what one does. */
static void threads_share_one_tree(void **state) {
    double nodes[2];
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        Search *s = search_with(threads);
        search_clear(s);
        search_run(s, &(SearchLimits){.depth = 11});
        assert_int_equal(search_result(s, 0).depth, 11);
        assert_true(game_is_legal(search_root(s), search_result(s, 0).move));
        nodes[threads > 1] = (double)search_nodes(s);
        for (unsigned i = 1; i < threads; i++) assert_int_equal(s->worker[i]->completed_depth, 0);
        search_destroy(s);
    }
    assert_true(fabs(log(nodes[1] / nodes[0])) < log(4));
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

/* The depth that another process is on is left out where threads spread over depths. Who has completed the last is on the next. */
static void only_lazy_threads_spread_over_depths(void **state) {
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
        assert_int_equal(iterations, mode == SMP_LAZY ? 0xee : 0xfe);
        search_destroy(s);
    }
}

#include "test_split_list.h"
