/* SPDX-License-Identifier: MIT */
/* Iterative deepening with aspiration windows, per thread, for one or several lines. */
#include <stdlib.h>
#include <string.h>

#include "iterate.h"
#include "margins.h"
#include "node.h"
#include "time_management.h"
#include "worker.h"

/* Sorts by score, descending; stable. */
static void sort_root(RootMove *r, unsigned from, unsigned n) {
    assert(from < n && n <= MOVES_MAX);
    for (unsigned i = from + 1; i < n; i++) {
        const RootMove moving = r[i];
        unsigned at = i;
        while (at > from && (moving.score > r[at - 1].score ||
                             (moving.score == r[at - 1].score && moving.previous_score > r[at - 1].previous_score))) {
            r[at] = r[at - 1];
            at--;
        }
        r[at] = moving;
    }
}

static void report_pv(const Worker *w, unsigned number) {
    if (!w->number) worker_report(w, number, w->iteration);
}

/* One line at one depth: the window is widened on the side where the score failed. */
static void aspiration_search(Worker *w) {
    RootMove *r = &w->root[w->pv_index];
    int width = ASPIRATION_WIDTH + abs(r->previous_score) / 100, alpha = -SCORE_INFINITE, beta = SCORE_INFINITE,
        depth = w->iteration;
    if (w->iteration >= 4 && abs(r->previous_score) < SCORE_MATE_MIN - width) { /* the window reaches no mate */
        alpha = r->previous_score - width;
        beta = r->previous_score + width;
    }
    for (;;) {
        assert(alpha < beta && w->pv_index < w->root_n);
        w->selective_depth = 0;
        const int score = node_search(w, stack_frame(w, 0), alpha, beta, depth < 1 ? 1 : depth, false);
        sort_root(w->root, w->pv_index, w->root_n);
        if (worker_stopped(w)) return;
        if (score > alpha && score < beta) return;
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = score - width, depth = w->iteration;
            if (alpha > SCORE_DRAW && game_plies_left(&w->search->root) <= w->iteration + 4)
                alpha = SCORE_DRAW - 1; /* the 50-move rule ends within the depth: open the window at once */
        } else {
            beta = score + width;
            if (depth > w->iteration - 3) depth--;
        }
        if (w->search->limits.multi_pv <= 1 && search_elapsed_ms(w->search) > 3000) report_pv(w, 0);
        width += width / 2;
        if (alpha < -2500 || width > 1500) alpha = -SCORE_INFINITE;
        if (beta > 2500 || width > 1500) beta = SCORE_INFINITE;
    }
}

/* How long the best move of a thread has been stable. */
typedef struct {
    Move best;
    int plies; /* of depth */
    int depth; /* of the last update */
} BestMoveStability;

/* The mate that is asked for. */
static bool is_wanted_mate(const SearchLimits *l, const RootMove *r) {
    return l->mate && r->score >= SCORE_MATE - 2 * l->mate && r->bound == TABIA_BOUND_EXACT;
}

/* Called by each thread after each of its iterations: is a limit reached? */
static bool should_stop(Worker *w, BestMoveStability *stability) {
    Search *s = w->search;
    const RootMove *r = &w->root[0];
    stability->plies = r->move == stability->best ? stability->plies + w->iteration - stability->depth : 0;
    stability->best = r->move, stability->depth = w->iteration;
    if (s->limits.depth && w->iteration >= s->limits.depth) return true;
    if (is_wanted_mate(&s->limits, r)) return true;
    if (s->limits.soft_nodes && search_nodes(s) >= s->limits.soft_nodes) return true;
    if (atomic_load(&s->pondering) || !s->soft_time) return false;
    const uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    const double effort = nodes ? (double)r->nodes / (double)nodes : 1;
    const double stability_factor = 1.6 - 0.11 * (stability->plies > 8 ? 8 : stability->plies);
    const double falling_score_factor = r->previous_score - r->score > 25 ? 1.25 : 1;
    const double factor = stability_factor * (2.1 - 1.5 * effort) * falling_score_factor;
    return (double)search_timed_ms(s) >= (double)s->soft_time * factor || (w->root_n == 1 && w->iteration > 6);
}

/*
 * Threads spread over depths: an iteration that half of the other threads are on is skipped, but not beyond the
 * requested depth. With two threads each takes the depths that the other does not, so that a depth begins before the
 * one below has ended, and moves and bounds pass between them through the table.
 */
static bool is_iteration_covered(const Worker *w) {
    const Search *s = w->search;
    unsigned there = 0;
    if (s->settings.smp_mode != SMP_LAZY || w->iteration <= 2 || (s->limits.depth && w->iteration >= s->limits.depth))
        return false;
    for (unsigned i = 0; i < s->workers; i++)
        there += i != w->number &&
                 atomic_load_explicit(&s->worker[i]->current_iteration, memory_order_relaxed) == w->iteration;
    unsigned all = s->workers;
    const SearchPeers *peers = s->settings.peers;
    if (peers)
        there += peers->remote_threads_on(peers->context, w->iteration), all += peers->remote_threads(peers->context);
    return there && 2 * there >= all;
}

/*
 * May this thread stop the search? The first always; another if no thread has completed a deeper iteration, since its
 * result is then the best. With several lines, or while the search waits for stop or ponderhit, only the first.
 */
static bool may_stop_search(const Worker *w) {
    Search *s = w->search;
    int completed_depth = atomic_load(&s->completed_depth);
    while (completed_depth < w->iteration &&
           !atomic_compare_exchange_weak(&s->completed_depth, &completed_depth, w->iteration)) {
    }
    return !w->number || (completed_depth < w->iteration && s->limits.multi_pv <= 1 && !s->limits.infinite &&
                          !atomic_load(&s->pondering));
}

/* Other processes hear which iteration a thread is on. The last one is never skipped: who is past it has completed it. */
static void announce_iteration(const Worker *w, int iteration) {
    const SearchPeers *peers = w->search->settings.peers;
    if (peers) peers->start_iteration(peers->context, w->number, iteration);
}

/* One iteration: each of the lines. False: the search was stopped within it. */
static bool search_iteration(Worker *w, unsigned multi_pv_count) {
    for (unsigned i = 0; i < w->root_n; i++) {
        w->root[i].previous_score = w->root[i].score;
        w->root[i].score = -SCORE_INFINITE;
    }
    for (w->pv_index = 0; w->pv_index < multi_pv_count; w->pv_index++) {
        aspiration_search(w);
        if (worker_stopped(w)) return false;
        sort_root(w->root, 0, w->pv_index + 1);
    }
    w->completed_depth = w->iteration;
    return true;
}

/* With several lines the result is that of the last completed iteration: of one depth, and each move once. */
static void save_root_moves(Worker *w, unsigned multi_pv_count) {
    if (!w->number && multi_pv_count > 1)
        memcpy(w->search->completed_root_moves, w->root, multi_pv_count * sizeof *w->root);
}
static void restore_root_moves(Worker *w, unsigned multi_pv_count) {
    if (!w->number && multi_pv_count > 1)
        memcpy(w->root, w->search->completed_root_moves, multi_pv_count * sizeof *w->root);
}

void iterate(Worker *w) {
    Search *s = w->search;
    BestMoveStability stability = {0};
    if (w->number && s->settings.smp_mode == SMP_SPLIT) {
        split_work(w);
        return;
    }
    const unsigned multi_pv_count = search_result_count(s);
    assert(multi_pv_count > 0 && multi_pv_count <= w->root_n);
    for (w->iteration = 1; w->iteration < PLY_MAX && !worker_stopped(w); w->iteration++) {
        if (is_iteration_covered(w)) continue;
        atomic_store_explicit(&w->current_iteration, w->iteration, memory_order_relaxed);
        announce_iteration(w, w->iteration);
        if (!search_iteration(w, multi_pv_count)) {
            w->interrupted = true;
            restore_root_moves(w, multi_pv_count);
            break;
        }
        save_root_moves(w, multi_pv_count);
        for (unsigned i = 0; i < multi_pv_count; i++) report_pv(w, i);
        if (w->iteration == s->limits.depth) announce_iteration(w, w->iteration + 1);
        const bool leads = may_stop_search(w), done = should_stop(w, &stability);
        if (done && leads && w->number)
            atomic_store(&s->stop, true); /* the first may have to wait for stop or ponderhit */
        if (done && (leads || w->iteration == s->limits.depth)) break;
    }
    w->pv_index = 0;
}
