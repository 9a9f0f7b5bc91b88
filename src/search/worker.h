/* SPDX-License-Identifier: MIT */
/* What one searching thread has, and what all of them share. Private to src/search. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "abdada.h"
#include "order.h"
#include "search.h"
#include "tabia/entry.h"

/* A ply of the line that is being looked at. */
typedef struct {
    Position at;
    Key key;
    uint64_t path; /* path key */
    Move move;     /* the one that is being tried from here; 0: none, or a pass */
    Move excluded; /* left out, to see whether it is the only good one */
    Move killer[2];
    int evaluation; /* corrected; SCORE_NONE in check */
    int raw_evaluation;
    Corrections corrections;
    bool checked;
    PieceTo *continuation; /* of `move` */
    int piece, target;     /* of `move` */
    Move line[PLY_MAX + 1];
    unsigned line_n;
} Frame;

/* A move of the root and what it came to. */
typedef struct {
    Move move;
    int score, previous_score;
    LineBound bound;
    int depth, selective_depth;
    uint64_t nodes;
    Move line[PLY_MAX + 1];
    unsigned line_n;
} RootMove;

enum { FRAMES_BEFORE = 8, PAST_MOST = 2048 };

typedef struct Worker {
    Search *search;
    unsigned number;
    _Atomic uint64_t nodes; /* written by this thread only */
    _Atomic int begun;      /* the iteration it is on, for the others */
    pthread_t thread;

    uint64_t false_hits; /* of all searches, if there is a shadow */

    Evaluator evaluator;
    Histories *histories;
    uint64_t past[PAST_MOST + PLY_MAX + 8];          /* keys of the game so far and of the line */
    unsigned past_n;                                 /* of the game, the root's own not among them */
    Move game_move[HISTORY_LAST_MOST + PLY_MAX + 8]; /* the last moves of the game, then the line's */

    RootMove root[MOVES_MAX];
    unsigned root_n, line_number; /* which of the best lines is being searched */
    int iteration, finished_depth, selective_depth, null_ply;
    bool interrupted; /* in the middle of an iteration */
    Frame frames[FRAMES_BEFORE + PLY_MAX + 4];
} Worker;

struct Search {
    SearchSettings settings;
    char table_name[256]; /* the settings' */
    Zobrist zobrist;
    Upcoming upcoming;
    TabiaTable *table, *pawns;
    Deferral *deferral;
    Worker **worker;
    unsigned workers;
    int reduction[64][64]; /* [depth][moves tried], in parts of a PLY */

    Position start, root;
    uint64_t past[PAST_MOST];
    unsigned past_n;
    Move last_moves[HISTORY_LAST_MOST];
    uint64_t root_path;

    SearchLimits limits;
    SearchListener listener;
    pthread_t controller;
    bool running;
    atomic_bool stop, pondering;
    atomic_int deepest;           /* iteration that a thread has finished */
    RootMove finished[MOVES_MAX]; /* with several best lines: those of the first thread's last whole iteration */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t started, soft_time, hard_time; /* milliseconds; 0: none */
};

/* The frame of a ply, and the other way round. */
INLINE Frame *worker_frame(Worker *w, int ply) {
    return &w->frames[FRAMES_BEFORE + ply];
}
INLINE int frame_ply(const Worker *w, const Frame *f) {
    return (int)(f - w->frames) - FRAMES_BEFORE;
}

INLINE void worker_count_node(Worker *w) {
    const uint64_t n = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    atomic_store_explicit(&w->nodes, n + 1, memory_order_relaxed);
}
/* The first thread finishes depth 1 whatever it is told: there is always an answer that was searched for. */
INLINE bool worker_stopped(const Worker *w) {
    return UNLIKELY(atomic_load_explicit(&w->search->stop, memory_order_relaxed)) && (w->finished_depth || w->number);
}

/* ---- node.c, quiescence.c ---- */

/* The value of the position in *f within (alpha, beta), searched to `depth`. cut: it is expected to fail high. */
int node_search(Worker *w, Frame *f, int alpha, int beta, int depth, bool cut);
int quiescence_search(Worker *w, Frame *f, int alpha, int beta);

/* ---- line.c: what node and quiescence share ---- */

/* Plays a move from *f into the next frame. */
void line_play(Worker *w, Frame *f, Move m);
void line_pass(Worker *w, Frame *f);
/* Is the position a draw by repetition, the 50-move rule or for want of material? */
bool line_is_draw(Worker *w, const Frame *f);
/* Can the side to move repeat a position, and so have at least a draw? */
bool line_can_repeat(const Worker *w, const Frame *f);
/* Does a search of `depth` plies reach the end of the 50-move rule whatever is played? Then no evaluation foretells
   what it will find, and nothing is pruned by one. */
bool line_sees_end(const Frame *f, int depth);
/* Evaluates *f, from the table's evaluation if there is one. Not in check. */
void line_evaluate(Worker *w, Frame *f, const TabiaHit *hit);
/* What the table knows of *f, as far as it holds at this clock. The score and the evaluation are such as a search may
   have stored; the move may be one that cannot be played. */
TabiaHit line_probe(Worker *w, const Frame *f);
/* The score of what was found, as seen from the root; SCORE_NONE if it does not hold on this path. */
int line_table_score(const Worker *w, const Frame *f, const TabiaHit *hit);
/* Does that score settle a search to `depth` with this window? */
bool line_table_cuts(const Worker *w, const Frame *f, const TabiaHit *hit, int score, int depth, int alpha, int beta);
void line_store(Worker *w, const Frame *f, Move m, int score, int bound, int depth);
/* This move, and then what the next frame found best, is f's best line. */
void line_update(Frame *f, Move m);
/* Looks at clock and node limits now and then. */
void line_check_limits(Worker *w);

/* ---- answer.c ---- */

/* The search has ended: tells the listener what it came to. */
void answer_say(Search *s);

/* Tells the listener, if it wants reports, the worker's line of that number, from 0. */
void worker_report(const Worker *w, unsigned number, int depth);

/* ---- peers.c: only where the settings have peers ---- */

void peers_store(Worker *w, const Frame *f, const TabiaEntry *e, int depth);
/* The table knew `hit` of *f, which is to be searched to `depth`. True: that is too little, and of a node worth asking
   others about, which has been done. */
bool peers_ask(Worker *w, const Frame *f, const TabiaHit *hit, int depth);
void peers_serve(Worker *w);

/* ---- iterate.c, limits.c ---- */
void iterate(Worker *w);
void limits_begin(Search *s);
int64_t limits_elapsed(const Search *s);
