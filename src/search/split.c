/* SPDX-License-Identifier: MIT */
#include "split.h"

#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "node.h"

/* ---- waiting ---- */

INLINE void spin(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/*
 * A wait is most often shorter than it takes to wake a thread. With fewer processors than threads, or while a search that
 * has ended waits to be asked for its move, it is not.
 */
static void rest(unsigned times) {
    enum { SPINS = 2000, YIELDS = 4000, SLEEP_NS = 100 * 1000, SLEEPS = 50 };
    const unsigned sleeps = times < YIELDS + SLEEPS ? times - YIELDS + 1 : SLEEPS;
    if (times < SPINS)
        spin();
    else if (times < YIELDS)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = (long)SLEEP_NS * sleeps}, NULL);
}

static void lock(SplitPoint *p) {
    unsigned times = 0;
    while (atomic_exchange_explicit(&p->locked, true, memory_order_acquire))
        while (atomic_load_explicit(&p->locked, memory_order_relaxed)) rest(times++);
}

static void unlock(SplitPoint *p) {
    atomic_store_explicit(&p->locked, false, memory_order_release);
}

/* ---- results ---- */

static void read_results(Node *mine) {
    const Node *all = mine->split->node;
    mine->alpha = all->alpha, mine->best = all->best, mine->move_count = all->move_count;
}

void split_begin_move(const Node *mine) {
    mine->split->node->move_count = mine->move_count;
    unlock(mine->split);
}

void split_end_move(Node *mine) {
    lock(mine->split);
    read_results(mine);
}

void split_refresh_alpha(Node *mine) {
    lock(mine->split);
    mine->alpha = mine->split->node->alpha;
    unlock(mine->split);
}

void split_end_moves(SplitPoint *p) {
    atomic_store_explicit(&p->worth, 0, memory_order_relaxed);
}

/* ---- cutoffs ---- */

/* The count has other workers look whether they are concerned. */
void split_cut(SplitPoint *p) {
    split_end_moves(p);
    atomic_store_explicit(&p->cut, true, memory_order_relaxed);
    if (atomic_load_explicit(&p->helpers, memory_order_relaxed))
        atomic_fetch_add_explicit(&p->owner->search->cuts, 1, memory_order_release);
}

/* Those that a worker is below stay open as long as it is. */
bool split_is_cut(Worker *w) {
    const unsigned cuts = atomic_load_explicit(&w->search->cuts, memory_order_acquire);
    for (const SplitPoint *p = w->split; p; p = atomic_load_explicit(&p->outer, memory_order_relaxed))
        if (atomic_load_explicit(&p->cut, memory_order_relaxed)) return true;
    w->cuts_seen = cuts;
    return false;
}

/* ---- moves ---- */

/* The list of moves is one. What orders those that are not listed yet is the worker's own. */
static Move next_move(Node *mine, int *ordering_score) {
    mine->picker->p = &mine->f->position, mine->picker->hints = &mine->hints;
    read_results(mine);
    return picker_next(mine->picker, ordering_score);
}

static void search_moves(Node *mine) {
    SplitPoint *p = mine->split;
    Move m;
    int ordering_score;
    lock(p);
    while (!worker_stopped(mine->w) && (m = next_move(mine, &ordering_score))) {
        if (node_excludes_move(mine, m) || !node_search_move(mine, m, ordering_score)) continue;
        if (!worker_stopped(mine->w)) split_cut(p);
        break;
    }
    split_end_moves(p);
    unlock(p);
}

/* ---- owners ---- */

bool split_is_due(const Node *n) {
    const Worker *w = n->w;
    return n->depth >= SPLIT_DEPTH && w->search->settings.smp_mode == SMP_SPLIT && n->move_count > 0 &&
           w->search->workers > 1 && !n->peers_requested &&
           atomic_load_explicit(&w->split_points, memory_order_relaxed) < SPLIT_POINTS;
}

void split_open(Node *n, Node *mine) {
    Worker *w = n->w;
    const unsigned number = atomic_load_explicit(&w->split_points, memory_order_relaxed);
    SplitPoint *p = &w->split_point[number];
    lock(p); /* a worker may look at what it was before */
    p->node = n, p->owner = w;
    p->iteration = w->iteration, p->null_ply = w->null_ply, p->selective_depth = 0;
    atomic_store_explicit(&p->cut, false, memory_order_relaxed);
    atomic_store_explicit(&p->outer, w->split, memory_order_relaxed);
    atomic_store_explicit(&p->worth, n->depth, memory_order_relaxed);
    *mine = *n;
    mine->split = w->split = p;
    unlock(p);
    atomic_store_explicit(&w->split_points, number + 1, memory_order_relaxed); /* who finds it looks with the lock */
}

void split_close(Node *mine) {
    Worker *w = mine->w;
    SplitPoint *p = mine->split;
    assert(p->owner == w && w->split == p);
    for (unsigned times = 0; atomic_load_explicit(&p->helpers, memory_order_acquire); times++) {
        if (!worker_stopped(w) && split_help(w, p)) times = 0;
        rest(times);
    }
    if (w->selective_depth < p->selective_depth) w->selective_depth = p->selective_depth;
    atomic_fetch_sub_explicit(&w->split_points, 1, memory_order_relaxed);
    w->split = atomic_load_explicit(&p->outer, memory_order_relaxed);
}

/* ---- helpers ---- */

static bool is_below(const SplitPoint *p, const SplitPoint *outer) {
    while (p && p != outer) p = atomic_load_explicit(&p->outer, memory_order_relaxed);
    return p == outer;
}

/* It may be another one by the time it is locked. */
static SplitPoint *find_work(const Worker *w, const SplitPoint *outer) {
    const Search *s = w->search;
    SplitPoint *best = NULL;
    int max = 0;
    for (unsigned i = 0; i < s->workers; i++) {
        Worker *v = s->worker[i];
        const unsigned n = v == w ? 0 : atomic_load_explicit(&v->split_points, memory_order_relaxed);
        for (unsigned k = 0; k < n; k++) {
            const int here = atomic_load_explicit(&v->split_point[k].worth, memory_order_relaxed);
            if (here > max && is_below(&v->split_point[k], outer)) best = &v->split_point[k], max = here;
        }
    }
    return best;
}

/*
 * The owner's stack down to the node. What is above `from` is the worker's own already, and may be read by others. The principal
 * variations stay: those of the plies above belong to the worker's own nodes. The corrections are the owner's: only
 * the owner of a node uses them.
 */
static void copy_stack(Worker *w, Worker *owner, int from, int ply) {
    for (int i = from; i <= ply; i++) {
        StackFrame *f = stack_frame(w, i);
        memcpy(f, stack_frame(owner, i), offsetof(StackFrame, pv));
        f->continuation = f->move ? &w->histories->continuation[f->piece][f->target] : &w->histories->no_continuation;
        if (f->move)
            game_path_leave(&w->path, i, f->visit);
        else
            game_path_leave_by_null_move(&w->path, i);
    }
}

static bool try_join(Worker *w, SplitPoint *p, const SplitPoint *outer, Node *mine) {
    lock(p);
    const bool good = atomic_load_explicit(&p->worth, memory_order_relaxed) && is_below(p, outer);
    if (good) {
        atomic_fetch_add_explicit(&p->helpers, 1, memory_order_relaxed);
        copy_stack(w, p->owner, outer ? outer->node->ply : 0, p->node->ply);
        *mine = *p->node;
        mine->w = w, mine->f = stack_frame(w, mine->ply), mine->split = w->split = p;
        w->iteration = p->iteration, w->null_ply = p->null_ply, w->selective_depth = 0;
        w->cuts_seen = atomic_load_explicit(&w->search->cuts, memory_order_relaxed) - 1; /* look at those around it */
        node_set_hints(mine);
    }
    unlock(p);
    return good;
}

static void leave(Worker *w, SplitPoint *p) {
    lock(p);
    if (p->selective_depth < w->selective_depth) p->selective_depth = w->selective_depth;
    unlock(p);
    atomic_fetch_sub_explicit(&p->helpers, 1, memory_order_release); /* it may be gone from here on */
}

bool split_help(Worker *w, const SplitPoint *outer) {
    SplitPoint *const before = w->split, *p = find_work(w, outer);
    const int null_ply = w->null_ply, selective_depth = w->selective_depth;
    Node mine;
    if (!p || !try_join(w, p, outer, &mine)) return false;
    search_moves(&mine);
    leave(w, p);
    w->split = before, w->null_ply = null_ply, w->selective_depth = selective_depth;
    return true;
}

void split_rest(Node *n) {
    Node mine;
    split_open(n, &mine);
    search_moves(&mine);
    split_close(&mine);
}

void split_work(Worker *w) {
    for (unsigned times = 0; !atomic_load_explicit(&w->search->stop, memory_order_relaxed); times++) {
        if (split_help(w, NULL)) times = 0;
        rest(times);
    }
}
