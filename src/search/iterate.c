/* SPDX-License-Identifier: MIT */
/* Iterative deepening: each thread its own iterations, windows around the last score, several best lines. */
#include <stdlib.h>
#include <string.h>

#include "margins.h"
#include "worker.h"

/* Best first; equal ones stay in order. */
static void sort_root(RootMove *r, unsigned from, unsigned n) {
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

static void report_line(const Worker *w, unsigned number) {
    if (!w->number) worker_report(w, number, w->iteration);
}

/* One best line at one depth: the window widens on the side where the score fell out. */
static void search_line(Worker *w) {
    RootMove *r = &w->root[w->line_number];
    int width = ASPIRATION_WIDTH + abs(r->previous_score) / 100, alpha = -SCORE_INFINITE, beta = SCORE_INFINITE,
        depth = w->iteration;
    if (w->iteration >= 4 && !score_is_mate(r->previous_score)) {
        alpha = r->previous_score - width;
        beta = r->previous_score + width;
    }
    for (;;) {
        w->selective_depth = 0;
        const int score = node_search(w, worker_frame(w, 0), alpha, beta, depth < 1 ? 1 : depth, false);
        sort_root(w->root, w->line_number, w->root_n);
        if (worker_stopped(w)) return;
        if (score > alpha && score < beta) return;
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = score - width, depth = w->iteration;
            if (alpha > SCORE_DRAW && game_plies_left(&w->search->root) <= w->iteration + 4)
                alpha = SCORE_DRAW - 1; /* the clock runs out: all at once */
        } else {
            beta = score + width;
            if (depth > w->iteration - 3) depth--;
        }
        if (w->search->limits.multi_pv <= 1 && limits_elapsed(w->search) > 3000) report_line(w, 0);
        width += width / 2;
        if (alpha < -2500 || width > 1500) alpha = -SCORE_INFINITE;
        if (beta > 2500 || width > 1500) beta = SCORE_INFINITE;
    }
}

/* How long a thread has held to its best move. */
typedef struct {
    Move best;
    int plies; /* of depth */
    int depth; /* when last asked */
} Steady;

/* Enough for now? Asked by each thread after each of its iterations. */
static bool enough(Worker *w, Steady *steady) {
    Search *s = w->search;
    const RootMove *r = &w->root[0];
    steady->plies = r->move == steady->best ? steady->plies + w->iteration - steady->depth : 0;
    steady->best = r->move, steady->depth = w->iteration;
    if (s->limits.depth && w->iteration >= s->limits.depth) return true;
    if (s->limits.mate && r->score >= SCORE_MATE - 2 * s->limits.mate && r->bound == BOUND_IS_EXACT) return true;
    if (s->limits.soft_nodes && search_nodes(s) >= s->limits.soft_nodes) return true;
    if (!s->soft_time || atomic_load(&s->pondering)) return false;
    const uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    const double effort = nodes ? (double)r->nodes / (double)nodes : 1;
    const double settled = 1.35 - 0.07 * (steady->plies > 8 ? 8 : steady->plies);
    const double trouble = r->previous_score - r->score > 25 ? 1.25 : 1;
    const double factor = settled * (1.7 - effort) * trouble;
    return (double)limits_elapsed(s) >= (double)s->soft_time * factor || (w->root_n == 1 && w->iteration > 6);
}

/* Threads spread over depths: an iteration that half of the others are on is left to them, and the next begun, but not
   beyond the depth that was asked for. With two threads each takes what the other does not, so that a depth begins
   before the one below has ended, and the table's moves and bounds go from one to the other. */
static bool is_left_to_others(const Worker *w) {
    const Search *s = w->search;
    unsigned there = 0;
    if (w->iteration <= 2 || (s->limits.depth && w->iteration >= s->limits.depth)) return false;
    for (unsigned i = 0; i < s->workers; i++)
        there += i != w->number && atomic_load_explicit(&s->worker[i]->begun, memory_order_relaxed) == w->iteration;
    unsigned all = s->workers;
    const SearchPeers *peers = s->settings.peers;
    if (peers) there += peers->others_on(peers->context, w->iteration), all += peers->others(peers->context);
    return there && 2 * there >= all;
}

/* May this thread end the search? The first always; another if nobody has been as deep, since then it has the word.
   With several lines the first has it, and while word is waited for nobody else ends the search. */
static bool may_end(const Worker *w) {
    Search *s = w->search;
    int deepest = atomic_load(&s->deepest);
    while (deepest < w->iteration && !atomic_compare_exchange_weak(&s->deepest, &deepest, w->iteration)) {
    }
    return !w->number ||
           (deepest < w->iteration && s->limits.multi_pv <= 1 && !s->limits.infinite && !atomic_load(&s->pondering));
}

/* One iteration: each of the best lines. False: the search was stopped in the middle. */
static bool search_lines(Worker *w, unsigned best_lines) {
    for (unsigned i = 0; i < w->root_n; i++) {
        w->root[i].previous_score = w->root[i].score;
        w->root[i].score = -SCORE_INFINITE;
    }
    for (w->line_number = 0; w->line_number < best_lines; w->line_number++) {
        search_line(w);
        if (worker_stopped(w)) return false;
        sort_root(w->root, 0, w->line_number + 1);
    }
    w->finished_depth = w->iteration;
    return true;
}

/* Several lines are answered as the last whole iteration left them: of one depth, and each move once. */
static void keep_lines(Worker *w, unsigned best_lines) {
    if (!w->number && best_lines > 1) memcpy(w->search->finished, w->root, best_lines * sizeof *w->root);
}
static void restore_lines(Worker *w, unsigned best_lines) {
    if (!w->number && best_lines > 1) memcpy(w->root, w->search->finished, best_lines * sizeof *w->root);
}

void iterate(Worker *w) {
    Search *s = w->search;
    Steady steady = {0};
    const unsigned best_lines = search_answers(s);
    for (w->iteration = 1; w->iteration < PLY_MAX && !worker_stopped(w); w->iteration++) {
        if (is_left_to_others(w)) continue;
        atomic_store_explicit(&w->begun, w->iteration, memory_order_relaxed);
        if (s->settings.peers) s->settings.peers->begin(s->settings.peers->context, w->number, w->iteration);
        if (!search_lines(w, best_lines)) {
            w->interrupted = true;
            restore_lines(w, best_lines);
            break;
        }
        keep_lines(w, best_lines);
        for (unsigned i = 0; i < best_lines; i++) report_line(w, i);
        const bool leads = may_end(w), done = enough(w, &steady);
        if (done && leads && w->number) atomic_store(&s->stop, true); /* the first may have to wait for word */
        if (done && (leads || w->iteration == s->limits.depth)) break;
    }
    w->line_number = 0;
}
