/* SPDX-License-Identifier: MIT */
/* The state of a searching thread and the state that all threads share. Private to src/search. */
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "order.h"
#include "search.h"
#include "split.h"
#include "tabia/entry.h"

/* A ply of the search stack. */
typedef struct {
    Position position;
    Key key;
    uint64_t path_key;
    Visit visit;
    Move move;     /* the move being searched; 0: none, or a null move */
    Move excluded; /* excluded by the singular extension's search */
    Move killer[2];
    int evaluation; /* corrected; SCORE_NONE in check */
    int raw_evaluation;
    Corrections corrections;
    bool in_check;
    PieceTo *continuation; /* of `move` */
    int piece, target;     /* of `move` */
    Move pv[PLY_MAX + 1];
    unsigned pv_length;
} StackFrame;

/* The scores above alpha and below beta are exact. */
typedef struct {
    int alpha, beta;
} SearchWindow;

/* A root move and its result. */
typedef struct {
    Move move;
    int score, previous_score;
    ScoreBound bound;
    int depth, selective_depth;
    uint64_t nodes;
    Move pv[PLY_MAX + 1];
    unsigned pv_length;
} RootMove;

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
    GamePath path;                                      /* the game and the search stack */
    Move move_history[PATH_KEY_LAST_MAX + PLY_MAX + 8]; /* the last moves of the game, then those of the search stack */

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
    CuckooTable upcoming;
    TabiaTable *table;
    Worker **worker;
    unsigned workers;
    int reduction[64][64]; /* [depth][move count], in units of 1/PLY plies */

    Position start, root;
    GamePath path; /* the game */
    Visit root_visit;
    Move last_moves[PATH_KEY_LAST_MAX];
    uint64_t root_path_key;

    SearchLimits limits;
    SearchListener listener;
    pthread_t controller;
    bool running;
    atomic_bool stop, pondering;
    atomic_uint cuts; /* split points that were cut while several workers were at them */
    SearchMate mate;
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
 * value. The first thread always completes depth 1, so that every search has a result.
 */
INLINE bool worker_stopped(Worker *w) {
    const Search *s = w->search;
    if (UNLIKELY(atomic_load_explicit(&s->stop, memory_order_relaxed)) && (w->completed_depth || w->number))
        return true;
    return UNLIKELY(atomic_load_explicit(&s->cuts, memory_order_relaxed) != w->cuts_seen) && split_is_cut(w);
}

/* ---- node.c, quiescence.c ---- */

/* The value of *f within (alpha, beta), searched to `depth` plies. cut: an expected cut node. */
int node_search(Worker *w, StackFrame *f, int alpha, int beta, int depth, bool cut);
int quiescence_search(Worker *w, StackFrame *f, int alpha, int beta);

/* ---- stack.c: shared by node.c and quiescence.c ---- */

/* Makes a move from *f into the next frame. */
void stack_make_move(Worker *w, StackFrame *f, Move m);
void stack_make_null_move(Worker *w, StackFrame *f);
/*
 * Has the game ended here by a rule, as by repetition, the 50-move rule or for want of material? Then *score is the
 * result. That there is no legal move is not looked for.
 */
bool stack_is_decided(Worker *w, const StackFrame *f, int *score);
/* Has the side to move a mate in one that the game finds? It is then the principal variation, and stored. For positions
   that the table does not hold. */
bool stack_mates_in_one(Worker *w, StackFrame *f, int *score);
/* Can the side to move repeat a position with its next move, and so draw at least? */
bool stack_has_upcoming_repetition(const Worker *w, const StackFrame *f);
/*
 * Does a search of `depth` plies reach a draw by the 50-move rule in every line? Then the static evaluation does not
 * predict its result, and nothing is pruned by it.
 */
bool depth_reaches_draw(const StackFrame *f, int depth);
/* The value of *f where the stack ends, at PLY_MAX. */
int stack_end_value(Worker *w, const StackFrame *f);
/* Evaluates *f, with the evaluation of the table entry if there is one. Not in check. */
void stack_evaluate(Worker *w, StackFrame *f, const TabiaHit *hit);
/*
 * The table entry of *f, restricted to what holds on this path. Score and evaluation are in range; the move
 * may be illegal.
 */
TabiaHit tt_probe(Worker *w, const StackFrame *f);
/* The score of the entry relative to the root; SCORE_NONE if it does not hold for this path key. */
int tt_score(const Worker *w, const StackFrame *f, const TabiaHit *hit);
/* Does that score cut off a search to `depth` with this window? */
bool tt_cutoff(const Worker *w, const StackFrame *f, const TabiaHit *hit, int score, int depth, SearchWindow window);
void tt_store(Worker *w, const StackFrame *f, Move m, int score, int bound, int depth);
/* The principal variation of f becomes this move followed by that of the next frame, its own or another worker's. */
void pv_update(StackFrame *f, Move m, const StackFrame *next);
/* Tests the time and node limits every few nodes. */
void check_limits(Worker *w);

/* ---- result.c ---- */

/* After the search: reports the result to the listener. */
void result_announce(Search *s);

/* Reports the worker's principal variation with that number, from 0, if the listener wants reports. */
void worker_report(const Worker *w, unsigned number, int depth);
/* Reports the root move that is searched next; before it `searched` others of this iteration were. */
void worker_report_move(const Worker *w, Move m, int searched);

/* ---- peers.c: only where the settings have peers ---- */

void peers_store(Worker *w, const StackFrame *f, const TabiaEntry *e, int depth);
/*
 * Requests *f from other processes if `hit` is not enough for a search to `depth` and the node is deep enough. True: it
 * was requested.
 */
bool peers_request(Worker *w, const StackFrame *f, const TabiaHit *hit, int depth);
void peers_serve(Worker *w);

/* ---- iterate.c, mate.c, time_management.c ---- */
void iterate(Worker *w);
/* The same for a mate by checks, on the first worker alone. */
void mate_search(Worker *w);
void time_management_start(Search *s);
/* The soft and the hard time from now on by other limits. */
void time_management_set(Search *s, const SearchLimits *l);
int64_t search_elapsed_ms(const Search *s);
/* Since the soft and the hard time count. */
int64_t search_timed_ms(const Search *s);
