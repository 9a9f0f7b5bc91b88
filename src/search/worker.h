/* SPDX-License-Identifier: MIT */
/* The state of a searching thread and the state that all threads share. Private to src/search. */
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "result.h"
#include "search.h"
#include "split.h"
#include "stack.h"

/* The frames of plies -STACK_OFFSET to PLY_MAX + 3: a node reads those of its last moves, and prepares the next ones. */
enum { STACK_OFFSET = 8, STACK_FRAMES = STACK_OFFSET + PLY_MAX + 4 };
_Static_assert((int)PLY_MAX <= (int)GAME_PATH_PLIES_MAX, "the path has room for the stack");

struct Worker {
    Search *search;
    unsigned number;
    _Atomic uint64_t nodes;        /* written by this thread only */
    _Atomic int current_iteration; /* read by the other threads */
    pthread_t thread;

    Evaluator evaluator;
    Histories *histories;
    GamePath path; /* the game and the search stack */

    RootMove root[MOVES_MAX];
    unsigned root_n, pv_index; /* the line of multi_pv being searched */
    int iteration, completed_depth, selective_depth, null_ply;
    bool interrupted;         /* stopped within an iteration */
    SplitPoint *split;        /* the innermost that it is at, or NULL */
    unsigned cuts_seen;       /* of the search's; if none is new, the worker is below none */
    atomic_uint split_points; /* its own, that are open */
    SplitPoint split_point[SPLIT_POINTS];
    StackFrame frames[STACK_FRAMES];
};

struct Search {
    SearchSettings settings;
    char table_name[256]; /* a copy of the settings' name */
    Zobrist zobrist;
    UpcomingTable upcoming;
    TabiaTable *table;
    Worker **worker;
    unsigned workers;
    int reduction[64][64]; /* [depth][move count], in units of 1/PLY plies */

    Position start, root;
    GamePath path; /* the game */
    Visit root_visit;

    SearchLimits limits;
    SearchListener listener;
    pthread_t controller;
    bool running;
    atomic_bool stop, pondering;
    atomic_uint cuts;                         /* split points that were cut while several workers were at them */
    atomic_int completed_depth;               /* the deepest iteration that any thread has completed */
    RootMove completed_root_moves[MOVES_MAX]; /* the first thread's, with multi_pv > 1 */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t started;                                /* milliseconds, as those below */
    _Atomic int64_t soft_time, hard_time, timed_at; /* 0: none; both count from timed_at, which counts from `started`.
                                                       Not read while it ponders: search_ponderhit sets them */
};

/* The stack frame of a ply, and the ply of a frame. */
INLINE StackFrame *stack_frame(Worker *w, int ply) {
    assert(ply >= -STACK_OFFSET && ply < STACK_FRAMES - STACK_OFFSET);
    return &w->frames[STACK_OFFSET + ply];
}
INLINE int frame_ply(const Worker *w, const StackFrame *f) {
    assert(f >= w->frames && f < w->frames + STACK_FRAMES);
    return (int)(f - w->frames) - STACK_OFFSET;
}
/* The frame's position and the way to it. */
INLINE PathPoint path_point(const Worker *w, const StackFrame *f) {
    return (PathPoint){&w->path, frame_ply(w, f), &f->position, &f->visit};
}
/* For assertions: does the frame tell of its position what the position itself does? */
INLINE bool frame_is_consistent(const Worker *w, const StackFrame *f) {
    return position_is_consistent(&f->position) && f->in_check == game_in_check(&f->position) &&
           key_same(f->key, zobrist_key(&w->search->zobrist, &f->position));
}

/* The score of a side without a legal move, `ply` plies below the root. */
INLINE int score_without_move(const Position *p, int ply) {
    return game_no_move_loses(p) ? score_mated(ply) : SCORE_DRAW;
}

INLINE void worker_count_node(Worker *w) {
    const uint64_t n = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    atomic_store_explicit(&w->nodes, n + 1, memory_order_relaxed);
}
/*
 * Has the worker to leave its nodes, since the search is stopped or what it searches is not needed? What they return is then no
 * value. The first thread completes depth 1 first, so that every search has a result, unless that takes DEPTH_ONE_NODES: the
 * quiescence search of a network that has learned nothing does not come to an end.
 */
enum { DEPTH_ONE_NODES = 20000 };
INLINE bool worker_stopped(Worker *w) {
    const Search *s = w->search;
    if (UNLIKELY(atomic_load_explicit(&s->stop, memory_order_relaxed)) &&
        (w->completed_depth || w->number || atomic_load_explicit(&w->nodes, memory_order_relaxed) > DEPTH_ONE_NODES))
        return true;
    return UNLIKELY(atomic_load_explicit(&s->cuts, memory_order_relaxed) != w->cuts_seen) && split_is_cut(w);
}
