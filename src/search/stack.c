/* SPDX-License-Identifier: MIT */
/* The line of positions from the root to the one that is looked at: playing, draws, table, evaluation. */
#include "base/stop.h"
#include "worker.h"

void line_play(Worker *w, Frame *f, Move m) {
    Search *s = w->search;
    Frame *next = f + 1;
    const int ply = frame_ply(w, f);
    f->move = m;
    f->piece = game_piece(&f->at, m);
    f->target = game_target(m);
    f->continuation = &w->histories->continuation[f->piece][f->target];
    next->key = game_key_after(&s->zobrist, &f->at, f->key, m);
    tabia_table_prefetch(s->table, game_table_key(next->key));
    game_play(&next->at, &f->at, m);
    correction_find(&next->corrections, w->histories, &next->at);
    next->excluded = 0;
    next->checked = game_in_check(&next->at);
    w->past[w->past_n + ply] = f->key[1];
    w->game_move[HISTORY_LAST_MOST + ply] = m;
    next->path =
        history_path(s->settings.history_key, f->path, &w->game_move[HISTORY_LAST_MOST + ply], game_clock(&next->at));
    worker_count_node(w);
}

void line_pass(Worker *w, Frame *f) {
    Frame *next = f + 1;
    const int ply = frame_ply(w, f);
    f->move = 0;
    f->continuation = &w->histories->nothing;
    next->key = game_key_after_pass(&w->search->zobrist, &f->at, f->key);
    tabia_table_prefetch(w->search->table, game_table_key(next->key));
    game_pass(&next->at, &f->at);
    correction_find(&next->corrections, w->histories, &next->at);
    next->excluded = 0;
    next->checked = false;
    next->path = f->path;
    w->past[w->past_n + ply] = 0; /* nothing repeats across a pass */
    w->game_move[HISTORY_LAST_MOST + ply] = 0;
    worker_count_node(w);
}

/* Once below the root, or twice with the game before it. */
static bool repeats(const Worker *w, const Frame *f) {
    const int ply = frame_ply(w, f), clock = game_clock(&f->at);
    const uint64_t *now = &w->past[w->past_n + ply];
    const int known = (int)w->past_n + ply, most = clock < known ? clock : known;
    bool before = false;
    for (int back = 4; back <= most; back += 2) {
        if (now[-back] != f->key[1]) continue;
        if (back < ply || before) return true;
        before = true;
    }
    return false;
}

bool line_is_draw(Worker *w, const Frame *f) {
    if (game_clock(&f->at) >= GAME_CLOCK_END) return !f->checked || game_has_move(&f->at); /* mate goes first */
    return game_is_dead(&f->at) || game_is_too_late(&f->at) || repeats(w, f);
}

bool line_can_repeat(const Worker *w, const Frame *f) {
    const int ply = frame_ply(w, f), clock = game_clock(&f->at);
    const uint64_t *now = &w->past[w->past_n + ply];
    const int known = (int)w->past_n + ply, most = clock < known ? clock : known;
    for (int back = 3; back <= most; back += 2) {
        if (!now[-back] || !now[1 - back]) return false; /* a pass lies between */
        if (back < ply && upcoming_move(&w->search->upcoming, &f->at, f->key[1] ^ now[-back])) return true;
    }
    return false;
}

/*
 * Searched beyond the end of this clock, with no less of it left, and there was no mate in time: a draw, where nothing
 * but mate wins. Late moves were searched with less depth than the draft says, at each ply of a line anew: half as many
 * plies more are asked for.
 */
static bool runs_out(const Frame *f, const TabiaHit *hit) {
    const int left = GAME_CLOCK_END - game_clock(&f->at), who = game_must_mate(&f->at);
    const TabiaEntry *e = &hit->entry;
    if (!who || hit->path > f->path || e->draft < left + left / 2 + 2) return false;
    return who > 0 ? e->bound & TABIA_BOUND_UPPER && e->score < SCORE_MATE - left
                   : e->bound & TABIA_BOUND_LOWER && e->score > -SCORE_MATE + left;
}

/* ---- the table ---- */

enum { SHADOW_SHIFT = 8 }; /* the path is below, a part of the key that signatures of up to 32 bits leave out above */

/* What is stored beside the signature. */
static uint64_t table_path(const Worker *w, const Frame *f) {
    if (!UNLIKELY(w->search->settings.shadow)) return f->path;
    return f->path | (uint32_t)(game_table_key(f->key).check << SHADOW_SHIFT);
}

/* A hit with a shadow becomes one without. */
static void lift_shadow(Worker *w, const Frame *f, TabiaHit *hit) {
    if (!hit->move_ok) return;
    w->false_hits += (hit->path ^ table_path(w, f)) >> SHADOW_SHIFT != 0;
    hit->path &= (1u << SHADOW_SHIFT) - 1;
    hit->score_ok = hit->entry.bound != TABIA_BOUND_NONE && hit->path == f->path;
}

/* Numbers that no search stores are not the search's: a false hit, or a table that something else wrote to. */
static TabiaHit probe(Worker *w, const Frame *f) {
    TabiaHit hit = tabia_entry_probe(w->search->table, game_table_key(f->key), table_path(w, f));
    if (UNLIKELY(w->search->settings.shadow)) lift_shadow(w, f, &hit);
    if (!score_is_sane(hit.entry.score)) hit.score_ok = false, hit.entry.bound = TABIA_BOUND_NONE;
    if (hit.entry.evaluation > EVALUATION_MAX || hit.entry.evaluation < -EVALUATION_MAX)
        hit.entry.evaluation = SCORE_NONE;
    return hit;
}

TabiaHit line_probe(Worker *w, const Frame *f) {
    TabiaHit hit = probe(w, f);
    if (!hit.move_ok || !f->path || w->search->settings.history_key != HISTORY_FIFTY_COUNT) return hit;
    if (runs_out(f, &hit))
        hit.entry.score = SCORE_DRAW, hit.entry.bound = TABIA_BOUND_EXACT, hit.score_ok = true;
    else if (!hit.score_ok)
        history_transfer(&hit, f->path);
    return hit;
}

int line_table_score(const Worker *w, const Frame *f, const TabiaHit *hit) {
    const TabiaEntry *e = &hit->entry;
    if (!hit->score_ok && !score_is_proof(e->score, e->bound)) return SCORE_NONE;
    return score_from_table(e->score, frame_ply(w, f), game_clock(&f->at));
}

bool line_table_cuts(const Worker *w, const Frame *f, const TabiaHit *hit, int score, int depth, int alpha, int beta) {
    const TabiaEntry *e = &hit->entry;
    if (score == SCORE_NONE) return false;
    if (!score_is_proof(e->score, e->bound)) {
        if (e->draft < depth && e->draft < game_plies_left(&f->at)) return false;
        if (!history_reaches(w->search->settings.history_key, game_clock(&f->at))) return false;
    }
    if (e->bound == TABIA_BOUND_EXACT) return true;
    return e->bound == TABIA_BOUND_LOWER ? score >= beta : score <= alpha;
}

bool line_sees_end(const Frame *f, int depth) {
    return depth >= game_plies_left(&f->at);
}

void line_evaluate(Worker *w, Frame *f, const TabiaHit *hit) {
    f->raw_evaluation = hit->move_ok && hit->entry.evaluation != SCORE_NONE
                            ? hit->entry.evaluation
                            : evaluate(&w->evaluator, &f->at, (unsigned)frame_ply(w, f));
    f->evaluation = evaluation_clamped(f->raw_evaluation + correction_of(&f->corrections));
}

void line_store(Worker *w, const Frame *f, Move m, int score, int bound, int depth) {
    const TabiaEntry e = {.move = m,
                          .score = (int16_t)score_to_table(score, frame_ply(w, f)),
                          .evaluation = (int16_t)(f->checked ? SCORE_NONE : f->raw_evaluation),
                          .draft = (uint8_t)(depth < 0 ? 0 : depth),
                          .bound = (uint8_t)bound};
    tabia_entry_store(w->search->table, game_table_key(f->key), table_path(w, f), e);
    if (UNLIKELY(w->search->settings.peers != NULL)) peers_store(w, f, &e, depth);
}

void line_update(Frame *f, Move m) {
    const Frame *next = f + 1;
    f->line[0] = m;
    for (unsigned i = 0; i < next->line_n; i++) f->line[i + 1] = next->line[i];
    f->line_n = next->line_n + 1;
}

uint64_t search_false_hits(const Search *s) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->workers; i++) sum += s->worker[i]->false_hits;
    return sum;
}

void line_check_limits(Worker *w) {
    Search *s = w->search;
    if (UNLIKELY(s->settings.peers != NULL)) peers_serve(w);
    if (w->number || s->limits.infinite) return;
    const uint64_t nodes = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    const bool out_of_nodes =
        s->limits.nodes && (s->workers == 1 || nodes % 64 == 0) && search_nodes(s) >= s->limits.nodes;
    const bool look = nodes % 1024 == 0, look_at_clock = look && s->hard_time;
    if (look && tabia_stop_requested()) atomic_store(&s->stop, true);
    if (!out_of_nodes && !look_at_clock) return;
    if (atomic_load_explicit(&s->pondering, memory_order_relaxed)) return; /* no limit holds before the ponderhit */
    if (out_of_nodes || limits_elapsed(s) >= s->hard_time) atomic_store(&s->stop, true);
}
