/* SPDX-License-Identifier: MIT */
/*
 * A node of the principal variation search, one function for each phase:
 *
 *     begin       draws, mates that cannot be bettered, what the table knows
 *     judge       the evaluation, and whether things improve
 *     prune       so good or so bad that no full search is needed? (prune.c)
 *     try moves   skip, extend, reduce, search
 *     end         what was learnt goes into histories and table
 */
#include "node.h"

#include <stdlib.h>

static bool is_root(const Node *n) {
    return n->ply == 0;
}

/* ---- begin ---- */

/* True: *score is the node's value. */
static bool begin(Node *n, int *score) {
    Worker *w = n->w;
    Frame *f = n->f;
    f->line_n = 0;
    if (n->ply > w->selective_depth) w->selective_depth = n->ply;
    line_check_limits(w);
    if (worker_stopped(w)) return *score = 0, true;
    if (!is_root(n)) {
        if (line_is_draw(w, f)) return *score = SCORE_DRAW, true;
        if (n->ply >= PLY_MAX) return *score = f->checked ? SCORE_DRAW : evaluate(&w->evaluator, &f->at, PLY_MAX), true;
        if (n->alpha < score_mated(n->ply)) n->alpha = score_mated(n->ply);
        if (n->beta > -score_mated(n->ply + 1)) n->beta = -score_mated(n->ply + 1);
        if (n->alpha >= n->beta) return *score = n->alpha, true;
    }
    n->hit = f->excluded ? (TabiaHit){0} : line_probe(w, f);
    n->table_score = line_table_score(w, f, &n->hit);
    if (!n->pv && !f->excluded && line_table_cuts(w, f, &n->hit, n->table_score, n->depth, n->alpha, n->beta))
        return *score = n->table_score, true;
    if (UNLIKELY(w->search->settings.peers != NULL)) n->asked = peers_ask(w, f, &n->hit, n->depth);
    return false;
}

/* ---- judge ---- */

static void judge(Node *n) {
    Frame *f = n->f;
    f[2].killer[0] = f[2].killer[1] = 0;
    if (f->checked) {
        n->estimate = f->evaluation = f->raw_evaluation = SCORE_NONE;
        return;
    }
    if (!f->excluded) line_evaluate(n->w, f, &n->hit);
    n->estimate = f->evaluation;
    const int before = f[-2].evaluation != SCORE_NONE ? f[-2].evaluation : f[-4].evaluation;
    n->improving = before == SCORE_NONE || f->evaluation > before;
    if (n->table_score == SCORE_NONE || f->excluded) return;
    if (score_bounds(n->table_score, n->hit.entry.bound, f->evaluation)) n->estimate = n->table_score;
}

/* ---- moves ---- */

static void hint_order(Node *n) {
    Frame *f = n->f;
    n->hints = (OrderHints){.histories = n->w->histories,
                            .before = {f[-1].continuation, f[-2].continuation, f[-4].continuation},
                            .table = n->hit.entry.move,
                            .killer = {f->killer[0], f->killer[1]},
                            .counter = f[-1].move ? n->w->histories->counter[f[-1].piece][f[-1].target] : 0};
}

/* At the root: not asked for, or the first move of a better line. */
static bool barred(const Node *n, Move m) {
    if (m == n->f->excluded) return true;
    if (!is_root(n)) return false;
    for (unsigned i = n->w->line_number; i < n->w->root_n; i++)
        if (n->w->root[i].move == m) return false;
    return true;
}

/* Late, quiet and hopeless, or losing material: not searched at all. What gives check is not called hopeless: mates and
   forks begin so. A capture that was given before the quiet moves loses next to nothing. */
static bool skip(const Node *n, Move m, bool quiet, int order, int reduced, int history) {
    const Frame *f = n->f;
    if (is_root(n) || n->best <= -SCORE_MATE_LEAST || !game_pieces_left(&f->at) || line_sees_end(f, n->depth))
        return false;
    if (!quiet)
        return order < 0 && n->depth < SEE_DEPTH && n->tried > 0 &&
               !game_see_at_least(&f->at, m, -SEE_CAPTURE * n->depth);
    if (n->tried >= (LATE_BASE + n->depth * n->depth) / (n->improving ? 1 : 2))
        return order_skip_quiets(n->picker), true;
    const bool futile =
        !f->checked && reduced <= FUTILE_DEPTH && f->evaluation + FUTILE_BASE + FUTILE_SLOPE * reduced <= n->alpha;
    if ((futile || (n->depth <= HISTORY_PRUNE_DEPTH && history < -HISTORY_PRUNE * n->depth)) &&
        !game_gives_check(&f->at, m))
        return true;
    return n->depth <= SEE_DEPTH && n->tried > 0 && !game_see_at_least(&f->at, m, -SEE_QUIET * reduced * reduced);
}

/* Plies more (or, when others do as well, fewer) for the table's move: is it the only good one? Sets *cut when all fail
   high. */
static int singular(Node *n, Move m, bool *cut, int *score) {
    Worker *w = n->w;
    Frame *f = n->f;
    if (n->depth < SINGULAR_DEPTH || m != n->hit.entry.move || f->excluded || is_root(n) ||
        n->table_score == SCORE_NONE || score_is_mate(n->table_score) || !(n->hit.entry.bound & TABIA_BOUND_LOWER) ||
        n->hit.entry.draft < n->depth - 3 || n->ply >= 2 * w->iteration)
        return 0;
    const int bound = n->table_score - SINGULAR_MARGIN * n->depth;
    f->excluded = m;
    const int value = node_search(w, f, bound - 1, bound, (n->depth - 1) / 2, n->cut);
    f->excluded = 0;
    if (value < bound) return !n->pv && value < bound - SINGULAR_TWICE ? 2 : 1;
    if (bound >= n->beta) return *cut = true, *score = bound, 0;
    return n->table_score >= n->beta ? -1 : 0;
}

/* Of the move that is tried next, in parts of a PLY; may be below 0. A check, once seen, takes one off. */
static int reduction_of(const Node *n, bool quiet, int order, int history) {
    const Search *s = n->w->search;
    const int depth = n->depth > 63 ? 63 : n->depth, tried = n->tried > 62 ? 63 : n->tried + 1;
    int r = s->reduction[depth][tried];
    r += LMR_NOT_IMPROVING * !n->improving - LMR_PV * n->pv + LMR_CUT * n->cut;
    if (quiet) r -= history * PLY / LMR_HISTORY;
    if (!quiet) r -= LMR_CAPTURE;
    if (order >= ORDER_KILLER) r -= LMR_KILLER;
    return r;
}

static int whole_plies(int reduction) {
    return reduction < 0 ? 0 : reduction / PLY;
}

/* Searches the move that has been played, first with less depth and a null window where it is not the first. */
static int search_move(Node *n, int depth, int reduction) {
    Worker *w = n->w;
    Frame *next = n->f + 1;
    if (n->tried == 1) {
        if (!n->pv) return -node_search(w, next, -n->alpha - 1, -n->alpha, depth, !n->cut);
        return -node_search(w, next, -n->beta, -n->alpha, depth, false);
    }
    int score = SCORE_INFINITE;
    if (reduction > 0) {
        const int reduced = depth - reduction < 1 ? 1 : depth - reduction;
        score = -node_search(w, next, -n->alpha - 1, -n->alpha, reduced, true);
        if (score > n->alpha && reduced < depth) {
            depth += score > n->best + DEEPER_MARGIN; /* surprisingly good */
            score = -node_search(w, next, -n->alpha - 1, -n->alpha, depth, !n->cut);
        }
    } else {
        score = -node_search(w, next, -n->alpha - 1, -n->alpha, depth, !n->cut);
    }
    if (n->pv && score > n->alpha) score = -node_search(w, next, -n->beta, -n->alpha, depth, false);
    return score;
}

static RootMove *root_move(Worker *w, Move m) {
    for (unsigned i = w->line_number; i < w->root_n; i++)
        if (w->root[i].move == m) return &w->root[i];
    return NULL;
}

static void note_root(Node *n, Move m, int score, uint64_t nodes) {
    RootMove *r = root_move(n->w, m);
    r->nodes += nodes;
    if (n->tried > 1 && score <= n->alpha) {
        r->score = -SCORE_INFINITE;
        return;
    }
    r->score = score;
    r->bound = score >= n->beta ? BOUND_IS_LOWER : score <= n->alpha ? BOUND_IS_UPPER : BOUND_IS_EXACT;
    r->selective_depth = n->w->selective_depth;
    r->line[0] = m;
    for (unsigned i = 0; i < n->f[1].line_n; i++) r->line[i + 1] = n->f[1].line[i];
    r->line_n = n->f[1].line_n + 1;
}

/* True: a cutoff, or the search was stopped. */
static bool note_result(Node *n, Move m, int score, bool quiet) {
    if (score > n->best) {
        n->best = score;
        if (score > n->alpha) {
            n->best_move = m;
            if (n->pv) line_update(n->f, m);
            if (score >= n->beta) return true;
            n->alpha = score;
        }
    }
    if (quiet && n->quiets < 64) n->quiet[n->quiets++] = m;
    if (!quiet && n->captures < 32) n->capture[n->captures++] = m;
    return false;
}

/* Another thread is on this move: it can wait, unless it is the first. */
static bool defer(Node *n, Move m, uint64_t *mark) {
    Search *s = n->w->search;
    if (!s->deferral || s->workers == 1 || n->depth < DEFERRAL_DEPTH || n->f->excluded) return *mark = 0, false;
    *mark = deferral_mark(n->f->key, m);
    return n->tried > 0 && deferral_busy(s->deferral, *mark);
}

/* The thread that was on what is deferred, or another process, may have done the whole node: then best is the table's
   score. */
static bool settled_meanwhile(Node *n) {
    if (n->pv) return false;
    const TabiaHit hit = line_probe(n->w, n->f);
    const int score = line_table_score(n->w, n->f, &hit);
    if (!line_table_cuts(n->w, n->f, &hit, score, n->depth, n->alpha, n->beta)) return false;
    n->best = score;
    return true;
}

/* True: the node is done. */
static bool try_move(Node *n, Move m, int order, uint64_t mark) {
    Worker *w = n->w;
    Frame *f = n->f;
    const bool quiet = game_is_quiet(&f->at, m);
    const int history = quiet ? order_quiet_history(&f->at, m, &n->hints) : 0;
    const int reduction = reduction_of(n, quiet, order, history), left = n->depth - whole_plies(reduction);
    const int reduced = left < 1 ? 1 : left;
    if (skip(n, m, quiet, order, reduced, history)) return false;
    bool cut = false;
    int score = 0, extension = singular(n, m, &cut, &score);
    if (worker_stopped(w)) return true;
    if (cut) return n->best = score, n->best_move = m, true;

    const uint64_t before = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    line_play(w, f, m);
    if (!extension && f[1].checked && n->depth < CHECK_DEPTH && game_see_at_least(&f->at, m, 0)) extension = 1;
    n->tried++;
    if (mark) deferral_begin(w->search->deferral, mark);
    const bool late = n->depth >= 2 && n->tried > 1 + is_root(n) + n->pv && (quiet || order < 0);
    const int less = late ? whole_plies(reduction - LMR_CHECK * f[1].checked) : 0;
    const int result = search_move(n, n->depth - 1 + extension, less);
    if (mark) deferral_end(w->search->deferral, mark);
    if (worker_stopped(w)) return true;
    if (is_root(n)) note_root(n, m, result, atomic_load_explicit(&w->nodes, memory_order_relaxed) - before);
    return note_result(n, m, result, quiet);
}

/* A deferred move keeps its place among those tried, on which reductions depend: what the other thread left in the
   table is then deep enough. True: the node was settled meanwhile. */
static bool try_moves(Node *n, Picker *k) {
    Move deferred[64], m;
    int deferred_order[64], deferred_tried[64], order;
    unsigned waiting = 0;
    uint64_t mark;
    while ((m = order_next(k, &order))) {
        if (barred(n, m)) continue;
        if (defer(n, m, &mark) && waiting < 64) {
            deferred_tried[waiting] = n->tried++;
            deferred[waiting] = m, deferred_order[waiting++] = order;
            continue;
        }
        if (UNLIKELY(n->asked) && n->tried && settled_meanwhile(n)) return true;
        if (try_move(n, m, order, mark)) return false;
    }
    for (unsigned i = 0; i < waiting; i++) {
        if (settled_meanwhile(n)) return true;
        n->tried = deferred_tried[i];
        if (try_move(n, deferred[i], deferred_order[i], deferral_mark(n->f->key, deferred[i]))) return false;
    }
    return false;
}

/* ---- end ---- */

static void reward_quiet(Node *n, Move m, int bonus) {
    Frame *f = n->f;
    const int piece = game_piece(&f->at, m), to = game_target(m);
    history_add(&n->w->histories->quiet[f->at.turn][game_way(m)], bonus);
    for (int i = 0; i < 3; i++) history_add(&(*n->hints.before[i])[piece][to], bonus);
}

static void learn_order(Node *n) {
    Frame *f = n->f;
    const int bonus = history_bonus(n->depth);
    if (game_is_quiet(&f->at, n->best_move)) {
        if (f->killer[0] != n->best_move) f->killer[1] = f->killer[0], f->killer[0] = n->best_move;
        if (f[-1].move) n->w->histories->counter[f[-1].piece][f[-1].target] = n->best_move;
        reward_quiet(n, n->best_move, bonus);
        for (unsigned i = 0; i < n->quiets; i++)
            if (n->quiet[i] != n->best_move) reward_quiet(n, n->quiet[i], -bonus);
    } else {
        history_add(order_capture_history(n->w->histories, &f->at, n->best_move), bonus);
    }
    for (unsigned i = 0; i < n->captures; i++)
        if (n->capture[i] != n->best_move)
            history_add(order_capture_history(n->w->histories, &f->at, n->capture[i]), -bonus);
}

static int end(Node *n, int first_alpha) {
    Frame *f = n->f;
    if (n->best_move && n->best >= n->beta) learn_order(n);
    if (f->excluded) return n->best;
    const int bound = n->best >= n->beta      ? TABIA_BOUND_LOWER
                      : n->best > first_alpha ? TABIA_BOUND_EXACT
                                              : TABIA_BOUND_UPPER;
    if (!f->checked && game_clock(&f->at) < HISTORY_THRESHOLD && !score_is_mate(n->best) &&
        (!n->best_move || game_is_quiet(&f->at, n->best_move)) &&
        !(bound == TABIA_BOUND_LOWER && n->best <= f->evaluation) &&
        !(bound == TABIA_BOUND_UPPER && n->best >= f->evaluation))
        correction_learn(&f->corrections, n->best - f->raw_evaluation, n->depth);
    if (!is_root(n) || !n->w->line_number) line_store(n->w, f, n->best_move, n->best, bound, n->depth);
    return n->best;
}

int node_search(Worker *w, Frame *f, int alpha, int beta, int depth, bool cut) {
    if (depth <= 0) return quiescence_search(w, f, alpha, beta);
    Node n = {.w = w,
              .f = f,
              .ply = frame_ply(w, f),
              .alpha = alpha,
              .beta = beta,
              .depth = depth,
              .pv = beta - alpha > 1,
              .cut = cut};
    int score;
    if (n.ply && alpha < SCORE_DRAW && line_can_repeat(w, f)) {
        n.alpha = SCORE_DRAW;
        if (n.alpha >= beta) return n.alpha;
    }
    if (begin(&n, &score)) return score;
    hint_order(&n);
    judge(&n);
    if (node_prune(&n, &score)) return score;
    if (depth >= UNKNOWN_DEPTH && !n.hit.entry.move && (n.pv || cut) && !f->excluded)
        n.depth--; /* an internal reduction */

    const int first_alpha = n.alpha;
    n.best = -SCORE_INFINITE;
    Picker k;
    n.picker = &k;
    order_all(&k, &f->at, &n.hints);
    const bool settled = try_moves(&n, &k);
    if (worker_stopped(w)) return 0;
    if (settled) return n.best;
    if (!k.given) return f->checked ? score_mated(n.ply) : SCORE_DRAW;
    if (n.best == -SCORE_INFINITE) return f->excluded ? alpha : first_alpha; /* all skipped */
    return end(&n, first_alpha);
}
