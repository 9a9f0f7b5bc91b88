/* SPDX-License-Identifier: MIT */
/*
 * A mate by checks, as problems of shogi ask for it: an AND/OR search, exact and without a table, one depth after the other.
 *
 *     attacker   one of the checks has to mate
 *     defender   each of the moves has to be mated; none is mate
 *
 * A depth at which the search ended nowhere for want of plies proves that there is no such mate. A position that comes back
 * is none: the same mate is found without it, and a fourth occurrence ends the game.
 */
#include <string.h>

#include "iterate.h"
#include "time_management.h"
#include "worker.h"

static bool is_repeated(const Worker *w, const StackFrame *f) {
    const Repetition r = game_repetition(path_point(w, f));
    return r == REPETITION_DRAW || r == REPETITION_WIN || r == REPETITION_LOSS;
}

static bool is_defender_mated(Worker *w, StackFrame *f, int depth, bool *cut);

/* Does a check mate, within `depth` plies? Its moves are then f->pv. */
static bool attacker_mates(Worker *w, StackFrame *f, int depth, bool *cut) {
    Move list[MOVES_MAX];
    check_limits(w);
    if (worker_stopped(w)) return *cut = true, false;
    if (is_repeated(w, f)) return false;
    const unsigned n = game_moves(&f->position, list);
    for (unsigned i = 0; i < n; i++) {
        if (!game_gives_check(&f->position, list[i])) continue;
        stack_make_move(w, f, list[i]);
        if (is_defender_mated(w, f + 1, depth - 1, cut)) return pv_update(f, list[i], f + 1), true;
    }
    return false;
}

/* f->pv is then the longest defence. */
static bool is_defender_mated(Worker *w, StackFrame *f, int depth, bool *cut) {
    Move list[MOVES_MAX];
    check_limits(w);
    f->pv_length = 0;
    if (is_repeated(w, f)) return false;
    if (depth == 0) return !game_has_move(&f->position) || (*cut = true, false);
    const unsigned n = game_moves(&f->position, list);
    for (unsigned i = 0; i < n; i++) {
        stack_make_move(w, f, list[i]);
        if (!attacker_mates(w, f + 1, depth - 1, cut)) return false;
        if (f[1].pv_length >= f->pv_length) pv_update(f, list[i], f + 1);
    }
    return true;
}

static bool root_mates(Worker *w, bool *cut) {
    StackFrame *f = stack_frame(w, 0);
    for (unsigned i = 0; i < w->root_n; i++) {
        const Move m = w->root[i].move;
        if (!game_gives_check(&f->position, m)) continue;
        stack_make_move(w, f, m);
        if (!is_defender_mated(w, f + 1, w->iteration - 1, cut)) continue;
        pv_update(f, m, f + 1);
        RootMove *r = &w->root[0];
        *r = (RootMove){.move = m,
                        .score = SCORE_MATE - (int)f->pv_length,
                        .bound = TABIA_BOUND_EXACT,
                        .selective_depth = (int)f->pv_length,
                        .pv_length = f->pv_length};
        memcpy(r->pv, f->pv, f->pv_length * sizeof *f->pv);
        return true;
    }
    return false;
}

void mate_search(Worker *w) {
    Search *s = w->search;
    const int max = s->limits.depth ? s->limits.depth : PLY_MAX - 1;
    bool cut = true;
    for (w->iteration = 1; w->iteration <= max && cut && !worker_stopped(w); w->iteration += 2) {
        cut = false;
        const bool found = root_mates(w, &cut);
        w->completed_depth = w->iteration;
        if (found) {
            s->mate = SEARCH_MATE_FOUND;
            worker_report(w, 0, w->iteration);
            return;
        }
    }
    if (!cut && !s->limits.search_moves_n) s->mate = SEARCH_MATE_NONE;
}
