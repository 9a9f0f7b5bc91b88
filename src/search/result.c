/* SPDX-License-Identifier: MIT */
/* What a search came to: who has the word, what is reported, what is asked afterwards. */
#include <string.h>

#include "worker.h"

/* The thread that went deepest, and of these the one with the best score, has the word. */
static const Worker *spokesman(const Search *s) {
    const Worker *best = s->worker[0];
    for (unsigned i = 1; i < s->workers && s->limits.multi_pv <= 1; i++) {
        const Worker *w = s->worker[i];
        const RootMove *a = &best->root[0], *b = &w->root[0];
        if (b->score == -SCORE_INFINITE || b->bound != BOUND_IS_EXACT) continue;
        if (w->finished_depth > best->finished_depth ||
            (w->finished_depth == best->finished_depth && b->score > a->score))
            best = w;
    }
    return best;
}

/* The score of a move that the last iteration may not have come to. */
static int known_score(const RootMove *r) {
    return r->score != -SCORE_INFINITE            ? r->score
           : r->previous_score != -SCORE_INFINITE ? r->previous_score
                                                  : SCORE_DRAW;
}

static LineBound known_bound(const RootMove *r) {
    return r->score != -SCORE_INFINITE ? r->bound : BOUND_IS_EXACT;
}

static SearchOutcome outcome_of(const Worker *w, unsigned number, int depth) {
    const RootMove *r = &w->root[number];
    SearchOutcome o = {.depth = depth,
                       .selective_depth = r->selective_depth,
                       .score = known_score(r),
                       .bound = known_bound(r),
                       .line_n = r->line_n};
    memcpy(o.line, r->line, r->line_n * sizeof *r->line);
    return o;
}

static void report(Search *s, const SearchOutcome *o, unsigned number) {
    const SearchReport report = {.depth = o->depth,
                                 .selective_depth = o->selective_depth,
                                 .score = o->score,
                                 .bound = o->bound,
                                 .number = number + 1,
                                 .nodes = search_nodes(s),
                                 .milliseconds = limits_elapsed(s),
                                 .hashfull = tabia_table_hashfull(s->table),
                                 .line = o->line,
                                 .line_n = o->line_n};
    s->listener.report(s->listener.context, &report);
}

void worker_report(const Worker *w, unsigned number, int depth) {
    if (!w->search->listener.report) return;
    const SearchOutcome o = outcome_of(w, number, depth);
    report(w->search, &o, number);
}

/* The second move of the line, or what the table thinks of the position after the first. */
static Move ponder_move(const Search *s, const SearchOutcome *o) {
    if (o->line_n > 1) return o->line[1];
    Position next;
    game_play(&next, &s->root, o->line[0]);
    const Key key = game_key_after(&s->zobrist, &s->root, zobrist_key(&s->zobrist, &s->root), o->line[0]);
    const Move m = tabia_entry_probe(s->table, game_table_key(key), 0).entry.move;
    return game_is_legal(&next, m) ? m : 0;
}

/* A line from another process is believed as far as it can be played. */
static void cut_line(const Search *s, SearchOutcome *o) {
    Position p = s->root;
    for (unsigned i = 0; i < o->line_n; i++) {
        if (!game_is_legal(&p, o->line[i])) {
            o->line_n = i;
            return;
        }
        const Position before = p;
        game_play(&p, &before, o->line[i]);
    }
}

static void hear_peers(Search *s, SearchOutcome *o) {
    const SearchPeers *peers = s->settings.peers;
    SearchOutcome best = *o;
    peers->conclude(peers->context, s, s->hard_time != 0, &best);
    cut_line(s, &best);
    if (best.line_n && s->limits.multi_pv <= 1) *o = best;
}

static bool same_outcome(const SearchOutcome *a, const SearchOutcome *b) {
    return a->depth == b->depth && a->score == b->score && a->bound == b->bound && a->line_n == b->line_n &&
           memcmp(a->line, b->line, a->line_n * sizeof *a->line) == 0;
}

/* The first thread has told what it knows after each of its iterations: what came to it, or to others, since then is
   told now. */
static void report_rest(Search *s, const SearchOutcome *o) {
    const Worker *first = s->worker[0];
    const SearchOutcome told = outcome_of(first, 0, first->finished_depth);
    if (!s->listener.report || (!first->interrupted && same_outcome(o, &told))) return;
    report(s, o, 0);
    for (unsigned i = 1; i < search_answers(s); i++) worker_report(first, i, first->finished_depth);
}

void answer_say(Search *s) {
    const Worker *w = spokesman(s);
    SearchOutcome o = outcome_of(w, 0, w->finished_depth);
    if (UNLIKELY(s->settings.peers != NULL)) hear_peers(s, &o);
    report_rest(s, &o);
    if (s->listener.best) s->listener.best(s->listener.context, o.line[0], ponder_move(s, &o));
}

SearchAnswer search_answer(const Search *s, unsigned number) {
    const Worker *w = number ? s->worker[0] : spokesman(s);
    const RootMove *r = &w->root[number];
    if (!w->root_n) return (SearchAnswer){.score = game_in_check(&s->root) ? score_mated(0) : SCORE_DRAW};
    return (SearchAnswer){
        .move = r->move, .score = known_score(r), .bound = known_bound(r), .depth = w->finished_depth};
}

unsigned search_answers(const Search *s) {
    const unsigned n = s->worker[0]->root_n;
    return s->limits.multi_pv < n ? s->limits.multi_pv : n;
}
