/* SPDX-License-Identifier: MIT */
/* The result of a search: the choice of the best thread, reports, queries. */
#include <string.h>

#include "time_management.h"
#include "worker.h"

/* The thread with the deepest completed iteration, and among equals the one with the best score. */
static const Worker *best_thread(const Search *s) {
    const Worker *best = s->worker[0];
    for (unsigned i = 1; i < s->workers && s->limits.multi_pv <= 1; i++) {
        const Worker *w = s->worker[i];
        const RootMove *a = &best->root[0], *b = &w->root[0];
        if (b->score == -SCORE_INFINITE || b->bound != TABIA_BOUND_EXACT) continue;
        if (w->completed_depth > best->completed_depth ||
            (w->completed_depth == best->completed_depth && b->score > a->score))
            best = w;
    }
    return best;
}

/* The score of a root move, which the last iteration may not have reached. */
static int root_move_score(const RootMove *r) {
    return r->score != -SCORE_INFINITE            ? r->score
           : r->previous_score != -SCORE_INFINITE ? r->previous_score
                                                  : SCORE_DRAW;
}

static TabiaBound root_move_bound(const RootMove *r) {
    return r->score != -SCORE_INFINITE ? r->bound : TABIA_BOUND_EXACT;
}

static SearchOutcome root_move_outcome(const Worker *w, unsigned number, int depth) {
    const RootMove *r = &w->root[number];
    assert(number < w->root_n && r->pv_length > 0 && r->pv_length <= PLY_MAX + 1);
    SearchOutcome o = {.depth = depth,
                       .selective_depth = r->selective_depth,
                       .score = root_move_score(r),
                       .bound = root_move_bound(r),
                       .pv_length = r->pv_length};
    memcpy(o.pv, r->pv, r->pv_length * sizeof *r->pv);
    return o;
}

static void report(Search *s, const SearchOutcome *o, unsigned number) {
    const SearchReport report = {.depth = o->depth,
                                 .selective_depth = o->selective_depth,
                                 .score = o->score,
                                 .bound = o->bound,
                                 .number = number + 1,
                                 .nodes = search_nodes(s),
                                 .milliseconds = search_elapsed_ms(s),
                                 .hashfull = tabia_table_hashfull(s->table),
                                 .pv = o->pv,
                                 .pv_length = o->pv_length};
    s->listener.report(s->listener.context, &report);
}

void worker_report(const Worker *w, unsigned number, int depth) {
    if (!w->search->listener.report) return;
    const SearchOutcome o = root_move_outcome(w, number, depth);
    report(w->search, &o, number);
}

void worker_report_move(const Worker *w, Move m, int searched) {
    const SearchListener *l = &w->search->listener;
    if (w->number || !l->move || search_elapsed_ms(w->search) < l->move_after) return;
    const SearchMoveReport report = {w->iteration, m, w->pv_index + (unsigned)searched + 1};
    assert(report.number <= w->root_n);
    l->move(l->context, &report);
}

/* The second move of the principal variation, or the table move of the position after the first. */
static Move ponder_move(const Search *s, const SearchOutcome *o) {
    if (o->pv_length > 1) return o->pv[1];
    Position next;
    game_make_move(&next, &s->root, o->pv[0]);
    const Key key = game_key_after(&s->zobrist, &s->root, zobrist_key(&s->zobrist, &s->root), o->pv[0]);
    const Move m = tabia_entry_probe(s->table, game_table_key(key), 0).entry.move;
    return game_is_legal(&next, m) ? m : 0;
}

/* A line from another process is used as far as it is legal. */
static void truncate_pv(const Search *s, SearchOutcome *o) {
    Position p = s->root;
    for (unsigned i = 0; i < o->pv_length; i++) {
        if (!game_is_legal(&p, o->pv[i])) {
            o->pv_length = i;
            return;
        }
        const Position before = p;
        game_make_move(&p, &before, o->pv[i]);
    }
}

static void merge_peer_outcome(Search *s, SearchOutcome *o) {
    const SearchPeers *peers = s->settings.peers;
    SearchOutcome best = *o;
    peers->finish(peers->context, s, s->hard_time != 0, &best);
    truncate_pv(s, &best);
    if (best.pv_length && s->limits.multi_pv <= 1) *o = best;
}

static bool outcomes_equal(const SearchOutcome *a, const SearchOutcome *b) {
    return a->depth == b->depth && a->score == b->score && a->bound == b->bound && a->pv_length == b->pv_length &&
           memcmp(a->pv, b->pv, a->pv_length * sizeof *a->pv) == 0;
}

/* The first thread reports after each of its iterations: report the result if it differs from its last report. */
static void report_remaining(Search *s, const SearchOutcome *o) {
    const Worker *first = s->worker[0];
    const SearchOutcome reported = root_move_outcome(first, 0, first->completed_depth);
    if (!s->listener.report || (!first->interrupted && outcomes_equal(o, &reported))) return;
    report(s, o, 0);
    for (unsigned i = 1; i < search_result_count(s); i++) worker_report(first, i, first->completed_depth);
}

void result_announce(Search *s) {
    const Worker *w = best_thread(s);
    SearchOutcome o = root_move_outcome(w, 0, w->completed_depth);
    if (UNLIKELY(s->settings.peers != NULL)) merge_peer_outcome(s, &o);
    report_remaining(s, &o);
    if (s->listener.best) s->listener.best(s->listener.context, o.pv[0], ponder_move(s, &o));
}

SearchResult search_result(const Search *s, unsigned number) {
    const Worker *w = number ? s->worker[0] : best_thread(s);
    const RootMove *r = &w->root[number];
    assert(number == 0 || number < w->root_n);
    if (!w->root_n) return (SearchResult){.score = score_without_move(&s->root, 0), .bound = TABIA_BOUND_EXACT};
    return (SearchResult){
        .move = r->move, .score = root_move_score(r), .bound = root_move_bound(r), .depth = w->completed_depth};
}

unsigned search_result_count(const Search *s) {
    const unsigned n = s->worker[0]->root_n;
    return s->limits.multi_pv < n ? s->limits.multi_pv : n;
}
