/* SPDX-License-Identifier: MIT */
/* The search stack, from the root to the current node: moves, draws, table access, evaluation. */
#include "base/stop.h"
#include "peers_calls.h"
#include "time_management.h"
#include "worker.h"

void stack_make_move(Worker *w, StackFrame *f, Move m) {
    Search *s = w->search;
    StackFrame *next = f + 1;
    const int ply = frame_ply(w, f);
    assert(ply >= 0 && ply < PLY_MAX && game_is_legal(&f->position, m));
    f->move = m;
    f->piece = game_piece(&f->position, m);
    f->target = game_target(m);
    f->continuation = &w->histories->continuation[f->piece][f->target];
    next->key = game_key_after(&s->zobrist, &f->position, f->key, m);
    tabia_table_prefetch(s->table, game_table_key(next->key));
    game_make_move(&next->position, &f->position, m);
    corrections_lookup(&next->corrections, w->histories, &next->position);
    next->excluded = 0;
    next->in_check = game_in_check(&next->position);
    game_path_leave(&w->path, ply, f->visit);
    next->visit = visit_after_move(&s->zobrist, &f->visit, &f->position, &next->position, next->key);
    next->path_key = game_path_key(s->settings.path_key, &next->position);
    assert(frame_is_consistent(w, next));
    worker_count_node(w);
}

void stack_make_null_move(Worker *w, StackFrame *f) {
    StackFrame *next = f + 1;
    const int ply = frame_ply(w, f);
    assert(ply >= 0 && ply < PLY_MAX && !f->in_check);
    f->move = 0;
    f->continuation = &w->histories->no_continuation;
    next->key = game_key_after_null_move(&w->search->zobrist, &f->position, f->key);
    tabia_table_prefetch(w->search->table, game_table_key(next->key));
    game_make_null_move(&next->position, &f->position);
    corrections_lookup(&next->corrections, w->histories, &next->position);
    next->excluded = 0;
    next->in_check = false;
    next->path_key = f->path_key;
    next->visit = visit_after_null_move(&w->search->zobrist, &next->position, next->key);
    game_path_leave_by_null_move(&w->path, ply);
    assert(frame_is_consistent(w, next));
    worker_count_node(w);
}

/* A mate takes precedence over the end of the 50-move rule. */
static bool is_drawn(const StackFrame *f) {
    const Position *p = &f->position;
    if (UNLIKELY(game_plies_to_draw(p) <= 0)) return !f->in_check || game_has_move(p);
    return game_is_dead_draw(p) || game_is_too_late_to_mate(p);
}

/* Not as scores of mates: those hold on every path. */
static int repetition_score(Repetition r, int ply) {
    return r == REPETITION_DRAW       ? SCORE_DRAW
           : r == REPETITION_WIN      ? SCORE_RULE - ply
           : r == REPETITION_LOSS     ? -SCORE_RULE + ply
           : r == REPETITION_SUPERIOR ? SCORE_SUPERIOR
                                      : -SCORE_SUPERIOR;
}

bool stack_is_decided(Worker *w, const StackFrame *f, int *score) {
    *score = SCORE_DRAW;
    if (is_drawn(f)) return true;
    const int ply = frame_ply(w, f);
    if (game_may_declare_win(&f->position)) return *score = -score_mated(ply + 1), true;
    const Repetition r = game_repetition(path_point(w, f));
    if (LIKELY(r == REPETITION_NONE)) return false;
    return *score = repetition_score(r, ply), true;
}

bool stack_has_upcoming_repetition(const Worker *w, const StackFrame *f) {
    return game_has_upcoming_repetition(path_point(w, f), &w->search->upcoming);
}

/* The entry was searched beyond the end of this halfmove clock, with no fewer plies left, and found no mate in time: a draw,
   where nothing but mate wins. Late moves were searched with less depth than the draft, at each ply anew: hence half as
   many plies more are required. */
static bool is_draw_in_time(const StackFrame *f, const TabiaHit *hit) {
    const int left = game_plies_to_draw(&f->position), who = game_must_mate(&f->position);
    const TabiaEntry *e = &hit->entry;
    if (!who || hit->path > f->path_key || e->draft < left + left / 2 + 2) return false;
    return who > 0 ? e->bound & TABIA_BOUND_UPPER && e->score < SCORE_MATE - left
                   : e->bound & TABIA_BOUND_LOWER && e->score > -SCORE_MATE + left;
}

/* ---- the table ---- */

/* Values that no search stores are ignored: a false hit, or memory written by something else. */
static TabiaHit probe(Worker *w, const StackFrame *f) {
    TabiaHit hit = tabia_entry_probe(w->search->table, game_table_key(f->key), f->path_key);
    if (!score_is_valid(hit.entry.score)) hit.score_ok = false, hit.entry.bound = TABIA_BOUND_NONE;
    if (hit.entry.evaluation > EVALUATION_MAX || hit.entry.evaluation < -EVALUATION_MAX)
        hit.entry.evaluation = SCORE_NONE;
    return hit;
}

void tt_transfer_bound(TabiaHit *hit, uint64_t path_key) {
    TabiaEntry *e = &hit->entry;
    const bool had_more = hit->path < path_key; /* plies left, when it was searched */
    unsigned bound = e->bound & (had_more == (e->score >= 0) ? TABIA_BOUND_UPPER : TABIA_BOUND_LOWER);
    if (e->score == SCORE_DRAW) bound = had_more ? e->bound : 0;
    if (score_is_mate(e->score) || !bound) return;
    e->bound = (uint8_t)bound;
    hit->score_ok = true;
}

TabiaHit tt_probe(Worker *w, const StackFrame *f) {
    TabiaHit hit = probe(w, f);
    if (!hit.move_ok || !f->path_key) return hit;
    if (is_draw_in_time(f, &hit))
        hit.entry.score = SCORE_DRAW, hit.entry.bound = TABIA_BOUND_EXACT, hit.score_ok = true;
    else if (!hit.score_ok)
        tt_transfer_bound(&hit, f->path_key);
    return hit;
}

int tt_score(const Worker *w, const StackFrame *f, const TabiaHit *hit) {
    const TabiaEntry *e = &hit->entry;
    if (!hit->score_ok && !score_is_proven_mate(e->score, e->bound)) return SCORE_NONE;
    return score_from_table(e->score, frame_ply(w, f), game_plies_to_draw(&f->position));
}

bool tt_cutoff(const StackFrame *f, const TabiaHit *hit, int score, int depth, SearchWindow window) {
    const TabiaEntry *e = &hit->entry;
    if (score == SCORE_NONE) return false;
    if (!score_is_proven_mate(e->score, e->bound) && e->draft < depth && e->draft < game_plies_left(&f->position))
        return false;
    if (e->bound == TABIA_BOUND_EXACT) return true;
    return e->bound == TABIA_BOUND_LOWER ? score >= window.beta : score <= window.alpha;
}

bool depth_reaches_draw(const StackFrame *f, int depth) {
    return depth >= game_plies_left(&f->position);
}

int stack_end_value(Worker *w, const StackFrame *f) {
    assert(frame_ply(w, f) >= PLY_MAX);
    return f->in_check ? SCORE_DRAW : evaluate(&w->evaluator, &f->position, PLY_MAX);
}

/* Does a line of the table take longer than an evaluation? Not from a core's cache. */
static bool evaluates_early(const Worker *w) {
    return w->search->settings.hash_bytes > 1 << 20;
}

void stack_evaluate_early(Worker *w, StackFrame *f) {
    if (!f->in_check && evaluates_early(w))
        f->raw_evaluation = evaluate(&w->evaluator, &f->position, (unsigned)frame_ply(w, f));
}

void stack_evaluate(Worker *w, StackFrame *f, const TabiaHit *hit) {
    assert(!f->in_check);
    if (!evaluates_early(w))
        f->raw_evaluation = hit->move_ok && hit->entry.evaluation != SCORE_NONE
                                ? hit->entry.evaluation
                                : evaluate(&w->evaluator, &f->position, (unsigned)frame_ply(w, f));
    assert(f->raw_evaluation >= -EVALUATION_MAX && f->raw_evaluation <= EVALUATION_MAX);
    f->evaluation = evaluation_clamp(f->raw_evaluation + correction_value(&f->corrections));
}

void tt_store(Worker *w, const StackFrame *f, Move m, int score, int bound, int depth) {
    assert(bound > TABIA_BOUND_NONE && bound <= TABIA_BOUND_EXACT && depth <= UINT8_MAX);
    assert(score_is_valid(score_to_table(score, frame_ply(w, f))));
    const TabiaEntry e = {.move = m,
                          .score = (int16_t)score_to_table(score, frame_ply(w, f)),
                          .evaluation = (int16_t)(f->in_check ? SCORE_NONE : f->raw_evaluation),
                          .draft = (uint8_t)(depth < 0 ? 0 : depth),
                          .bound = (uint8_t)bound};
    tabia_entry_store(w->search->table, game_table_key(f->key), f->path_key, e);
    if (UNLIKELY(w->search->settings.peers != NULL)) peers_store(w, f, &e, depth);
}

bool stack_mates_in_one(Worker *w, StackFrame *f, int *score) {
    if (f->in_check || f->excluded) return false;
    const Move m = game_mate_in_one(&f->position);
    if (!m) return false;
    f->pv[0] = m, f->pv_length = 1;
    f->raw_evaluation = SCORE_NONE;
    *score = -score_mated(frame_ply(w, f) + 1);
    tt_store(w, f, m, *score, TABIA_BOUND_EXACT, PLY_MAX);
    return true;
}

OrderingHints stack_ordering_hints(const Worker *w, const StackFrame *f, Move table, Threats threats) {
    OrderingHints hints = {.histories = w->histories, .table = table, .threats = threats};
    for (int i = 0; i < CONTINUATIONS; i++) hints.continuation[i] = f[-CONTINUATION_PLIES[i]].continuation;
    return hints;
}

void pv_update(StackFrame *f, Move m, const StackFrame *next) {
    assert(m && next->pv_length <= PLY_MAX);
    f->pv[0] = m;
    for (unsigned i = 0; i < next->pv_length; i++) f->pv[i + 1] = next->pv[i];
    f->pv_length = next->pv_length + 1;
}

/* Has another process completed the last iteration? Its result is then as good as the own one would be. */
static bool peers_are_done(const Search *s) {
    const SearchPeers *peers = s->settings.peers;
    return peers && s->limits.depth && s->limits.multi_pv <= 1 &&
           peers->remote_threads_on(peers->context, s->limits.depth + 1);
}

bool search_is_over(Search *s, uint64_t nodes) {
    const bool is_limited = !s->limits.infinite && !atomic_load(&s->pondering); /* no limit applies before ponderhit */
    const bool out_of_nodes = s->limits.nodes && nodes >= s->limits.nodes;
    if ((!s->limits.infinite && tabia_stop_requested()) ||
        (is_limited && (out_of_nodes || (s->hard_time && search_timed_ms(s) >= s->hard_time) || peers_are_done(s))))
        atomic_store(&s->stop, true);
    return atomic_load(&s->stop);
}

void check_limits(Worker *w) {
    Search *s = w->search;
    if (UNLIKELY(s->settings.peers != NULL)) peers_serve(w);
    if (w->number || s->limits.infinite) return;
    const uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    const bool out_of_nodes =
        s->limits.nodes && (s->workers == 1 || nodes % 64 == 0) && search_nodes(s) >= s->limits.nodes;
    if (out_of_nodes || nodes % 1024 == 0) search_is_over(s, out_of_nodes ? s->limits.nodes : 0);
}
