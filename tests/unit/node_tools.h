/* SPDX-License-Identifier: MIT */
/* A search that stands at a root, so that a test can search single nodes on one thread. */
#pragma once
#include "search_tools.h"

#include "search/node.h"

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char middlegame[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

static inline Move move_of(const Position *p, const char *squares) {
    const int from = squares[0] - 'a' + 8 * (squares[1] - '1'), to = squares[2] - 'a' + 8 * (squares[3] - '1');
    const Move m = move_from_squares(p, from, to, PAWN);
    assert_int_not_equal(m, 0);
    return m;
}

/* A search whose first worker stands at the root, as after an iteration of depth 1, and is not stopped. */
static inline Search *search_at(const char *fen, const char *const *played, SmpMode smp_mode) {
    const Position first = parsed(fen);
    Position p;
    Move moves[16];
    unsigned n = 0;
    Search *s = new_search((SearchSettings){.smp_mode = smp_mode, .path_key = PATH_KEY_FIFTY_COUNT});
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

static inline void note_entry(void *context, TabiaKey key, uint64_t path, TabiaEntry entry) {
    (void)path;
    Children *c = context;
    for (unsigned i = 0; i < c->n; i++)
        if (c->child[i].key.index == key.index && c->child[i].key.check == key.check && !c->child[i].order)
            c->child[i].order = ++c->stored, c->child[i].depth = entry.draft;
}

static inline void serve_nothing(void *context, const Search *s, unsigned thread) {
    (void)context, (void)s, (void)thread;
}

static inline unsigned none_on(const void *context, int iteration) {
    (void)context, (void)iteration;
    return 0;
}

/* Searches the root to that depth on the calling thread. */
static inline void search_children(Search *s, int depth, Children *c) {
    Worker *w = s->worker[0];
    StackFrame *root = stack_frame(w, 0);
    SearchPeers peers = {.context = c,
                         .request_depth = PLY_MAX,
                         .store = note_entry,
                         .serve = serve_nothing,
                         .remote_threads_on = none_on};
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
