/* SPDX-License-Identifier: MIT */
/* A split point (src/search/split.c): an owner and a helper search the moves of its node, each once. */
#include "search/split.h"

#include <string.h>

#include "programs.h"
#include "search/node.h"

enum { MOVES = 2, WORKERS = 2, FRAME = 77 };

/* All that the threads share. */
static struct {
    Search search;
    Worker worker[WORKERS], *list[WORKERS];
    Histories *histories;
    Node node;
    MovePicker picker;
    int taken, searched, deciding; /* moves; the last: the one that cuts off, or 0 */
} all;

/* ---- the search below a node, as split.c sees it ---- */

Move picker_next(MovePicker *k, int *ordering_score) {
    model_require(k == &all.picker && k->p && k->hints, "a picker without its position");
    *ordering_score = 0;
    return all.taken < MOVES ? (Move)++all.taken : 0;
}

void node_set_hints(Node *n) {
    n->hints.table = 0;
}

bool node_excludes_move(const Node *n, Move m) {
    (void)n, (void)m;
    return false;
}

bool node_search_move(Node *n, Move m, int ordering_score) {
    n->move_count += 1 + ordering_score;
    split_begin_move(n);
    model_require(n->f->path_key == FRAME && n->f->position.turn == 1, "a frame of another node");
    split_end_move(n);
    if (worker_stopped(n->w)) return true;
    Node *results = n->split->node;
    all.searched++;
    if (results->best < (int)m) results->best = (int)m;
    return (int)m == all.deciding;
}

/* ---- the programs ---- */

static void begin(void) {
    static _Alignas(64) char histories[64]; /* of which addresses are taken */
    all.search.worker = all.list, all.search.workers = WORKERS;
    all.search.cuts = 0;
    all.search.stop = false;
    all.taken = all.searched = all.deciding = 0;
    for (unsigned i = 0; i < WORKERS; i++) {
        Worker *w = all.list[i] = &all.worker[i];
        w->search = &all.search, w->number = i, w->split = NULL;
        w->split_points = 0;
        w->cuts_seen = 0, w->selective_depth = 0, w->completed_depth = 1;
        w->histories = (Histories *)histories;
        memset(&w->split_point[0], 0, sizeof w->split_point[0]);
        stack_frame(w, 0)->path_key = stack_frame(w, 0)->position.turn = 0;
    }
    StackFrame *f = stack_frame(&all.worker[0], 0);
    f->path_key = FRAME, f->position.turn = 1;
    all.node = (Node){.w = &all.worker[0], .f = f, .depth = 5, .picker = &all.picker};
    const SplitPoint *p = &all.worker[0].split_point[0];
    model_name(&all.node, "the node"), model_name(&all.worker[0].frames, "the stack of the owner");
    model_name(&all.search.cuts, "cuts"), model_name(&all.worker[0].split_points, "split_points");
    model_name(&p->locked, "locked"), model_name(&p->helpers, "helpers");
}

static void own(void) {
    split_rest(&all.node);
    model_require(all.searched == MOVES && all.node.best == MOVES && all.node.move_count == MOVES, "a move is missing");
    stack_frame(&all.worker[0], 0)->path_key = 0; /* the owner's again */
    all.node.depth = 0;
}

static void help(void) {
    split_help(&all.worker[1], NULL);
}

static void end(void) {
    model_require(!all.worker[0].split && !all.worker[1].split && !all.worker[0].split_points,
                  "a split point is left open");
}

/* The helper is at the split point while it is cut. */
static void begin_cut(void) {
    begin();
    SplitPoint *p = &all.worker[0].split_point[0];
    p->owner = &all.worker[0], p->helpers = 1;
    all.worker[1].split = p;
}

static void cut(void) {
    split_cut(&all.worker[0].split_point[0]);
}

static void look(void) {
    worker_stopped(&all.worker[1]);
}

static void end_cut(void) {
    model_require(worker_stopped(&all.worker[1]), "a cutoff is missed");
}

const ModelProgram model_split = {"split point", begin, {own, help}, end, &all, sizeof all};
const ModelProgram model_cut = {"cutoff", begin_cut, {cut, look}, end_cut, &all, sizeof all};
