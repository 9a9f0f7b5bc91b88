/* SPDX-License-Identifier: MIT */
/*
 * A node of the principal variation search, one function for each phase:
 *
 *     start       draws, mate distance pruning, table probe
 *     evaluate    the static evaluation, and whether it improves
 *     prune       reverse futility, null move (prune.c)
 *     moves       prune, extend, reduce, search
 *     store       update the histories, store the table entry
 */
#include <stdlib.h>

#include "node.h"
#include "peers_calls.h"
#include "time_management.h"

static bool is_root(const Node *n) {
    return n->ply == 0;
}

/* ---- start ---- */

/* True: *score is the value of the node. */
static bool check_node_start(Node *n, int *score) {
    Worker *w = n->w;
    StackFrame *f = n->f;
    f->pv_length = 0;
    if (n->ply > w->selective_depth) w->selective_depth = n->ply;
    check_limits(w);
    if (worker_stopped(w)) return *score = 0, true;
    if (!is_root(n)) {
        if (stack_is_decided(w, f, score)) return true;
        if (n->ply >= PLY_MAX) return *score = stack_end_value(w, f), true;
        if (n->alpha < score_mated(n->ply)) n->alpha = score_mated(n->ply);
        if (n->beta > -score_mated(n->ply + 1)) n->beta = -score_mated(n->ply + 1);
        if (n->alpha >= n->beta) return *score = n->alpha, true;
    }
    if (!f->excluded) stack_evaluate_early(w, f), n->hit = tt_probe(w, f);
    n->table_score = tt_score(w, f, &n->hit);
    if (!n->is_pv && !f->excluded && tt_cutoff(f, &n->hit, n->table_score, n->depth, (SearchWindow){n->alpha, n->beta}))
        return *score = n->table_score, true;
    if (GAME_LOOKS_FOR_MATE_IN_ONE && !is_root(n) && !n->hit.move_ok && stack_mates_in_one(w, f, score)) return true;
    if (UNLIKELY(w->search->settings.peers != NULL)) n->peers_requested = peers_request(w, f, &n->hit, n->depth);
    return false;
}

/* ---- evaluation ---- */

static void evaluate_node(Node *n) {
    StackFrame *f = n->f;
    if (f->in_check) {
        n->estimate = f->evaluation = f->raw_evaluation = SCORE_NONE;
        return;
    }
    if (!f->excluded) stack_evaluate(n->w, f, &n->hit);
    n->estimate = f->evaluation;
    node_update_by_evaluation(n);
    const int before = f[-2].evaluation != SCORE_NONE ? f[-2].evaluation : f[-4].evaluation;
    n->improving = before == SCORE_NONE || f->evaluation > before;
    if (n->table_score == SCORE_NONE || f->excluded) return;
    if (score_bound_improves(n->table_score, n->hit.entry.bound, f->evaluation)) n->estimate = n->table_score;
}

/* ---- moves ---- */

static RootMove *find_root_move(Worker *w, Move m) {
    for (unsigned i = w->pv_index; i < w->root_n; i++)
        if (w->root[i].move == m) return &w->root[i];
    return NULL;
}

void node_set_hints(Node *n) {
    StackFrame *f = n->f;
    f->threats = game_threats(&f->position);
    n->hints = stack_ordering_hints(n->w, f, n->hit.entry.move, f->threats);
}

/* The worker with the list of root moves that the results go to. */
static Worker *root_worker(const Node *n) {
    return n->split ? n->split->owner : n->w;
}

bool node_excludes_move(const Node *n, Move m) {
    if (m == n->f->excluded) return true;
    return is_root(n) && !find_root_move(root_worker(n), m);
}

/*
 * Pruning of late quiet moves and of moves that lose material. Moves that give check are exempt from futility pruning.
 */
static bool should_prune_move(const Node *n, Move m, bool quiet, int ordering_score, int reduced, int history) {
    const StackFrame *f = n->f;
    if (is_root(n) || n->best <= -SCORE_MATE_MIN || !game_non_pawns(&f->position) || depth_reaches_draw(f, n->depth))
        return false;
    if (!quiet)
        return ordering_score < 0 && n->depth < SEE_DEPTH && n->move_count > 0 &&
               !game_see_at_least(&f->position, m, -SEE_CAPTURE * n->depth);
    if (n->move_count >= (LMP_BASE + n->depth * n->depth) / (n->improving ? 1 : 2))
        return picker_skip_quiets(n->picker), true;
    const bool futile = !f->in_check && reduced <= FUTILITY_DEPTH &&
                        f->evaluation + FUTILITY_BASE + FUTILITY_SLOPE * reduced <= n->alpha;
    if ((futile || (n->depth <= HISTORY_PRUNING_DEPTH && history < -HISTORY_PRUNING_MARGIN * n->depth)) &&
        !game_gives_check(&f->position, m))
        return true;
    return n->depth <= SEE_DEPTH && n->move_count > 0 &&
           !game_see_at_least(&f->position, m, -SEE_QUIET * reduced * reduced);
}

/*
 * The singular extension of the table move: 1 to 3 plies if all other moves fail low, -1 if they do not; sets *cut
 * (multi-cut) if they fail high.
 */
static int singular_extension(Node *n, Move m, bool *cut, int *score) {
    Worker *w = n->w;
    StackFrame *f = n->f;
    if (n->depth < SINGULAR_DEPTH || m != n->hit.entry.move || f->excluded || is_root(n) ||
        n->table_score == SCORE_NONE || score_is_mate(n->table_score) || !(n->hit.entry.bound & TABIA_BOUND_LOWER) ||
        n->hit.entry.draft < n->depth - 3 || n->ply >= 2 * w->iteration)
        return 0;
    const int bound = n->table_score - SINGULAR_MARGIN * n->depth;
    f->excluded = m;
    const int value = node_search(w, f, bound - 1, bound, (n->depth - 1) / 2, n->cut_node);
    f->excluded = 0;
    if (value < bound)
        return n->is_pv ? 1 : 1 + (value < bound - SINGULAR_DOUBLE_MARGIN) + (value < bound - SINGULAR_TRIPLE_MARGIN);
    if (bound >= n->beta) return *cut = true, *score = bound, 0;
    return n->table_score >= n->beta ? -1 : 0;
}

/*
 * The late move reduction of the next move in units of 1/PLY plies; may be negative. A move that gives check is
 * reduced less.
 */
static int lmr_reduction(const Node *n, bool quiet, int ordering_score, int history) {
    const Search *s = n->w->search;
    assert(n->depth > 0 && n->move_count >= 0);
    const int depth = n->depth > 63 ? 63 : n->depth, move_count = n->move_count > 62 ? 63 : n->move_count + 1;
    int r = s->reduction[depth][move_count];
    r += LMR_NOT_IMPROVING * !n->improving - LMR_PV * n->is_pv + LMR_CUT * n->cut_node;
    if (quiet) r -= history * PLY / LMR_HISTORY;
    if (!quiet) r -= LMR_CAPTURE;
    if (ordering_score == ORDER_TABLE) r -= LMR_TABLE_MOVE;
    return r;
}

static int whole_plies(int reduction) {
    return reduction < 0 ? 0 : reduction / PLY;
}

/* Searches the move that has been made: later moves with a null window and reduced depth first. */
static int principal_variation_search(Node *n, int depth, int reduction) {
    Worker *w = n->w;
    StackFrame *next = n->f + 1;
    if (n->move_count == 1) {
        if (!n->is_pv) return -node_search(w, next, -n->alpha - 1, -n->alpha, depth, !n->cut_node);
        return -node_search(w, next, -n->beta, -n->alpha, depth, false);
    }
    int score = SCORE_INFINITE;
    if (reduction > 0) {
        const int reduced = depth - reduction < 1 ? 1 : depth - reduction;
        score = -node_search(w, next, -n->alpha - 1, -n->alpha, reduced, true);
        if (score > n->alpha && reduced < depth) {
            depth += score > n->best + LMR_DEEPER_MARGIN; /* surprisingly good */
            score = -node_search(w, next, -n->alpha - 1, -n->alpha, depth, !n->cut_node);
        }
    } else {
        score = -node_search(w, next, -n->alpha - 1, -n->alpha, depth, !n->cut_node);
    }
    if (n->is_pv && n->split) split_refresh_alpha(n);
    if (n->is_pv && score > n->alpha) score = -node_search(w, next, -n->beta, -n->alpha, depth, false);
    return score;
}

static void update_root_move(Node *n, Move m, int score, uint64_t nodes) {
    RootMove *r = find_root_move(root_worker(n), m);
    assert(r && n->f[1].pv_length <= PLY_MAX);
    r->nodes += nodes;
    if (n->move_count > 1 && score <= n->alpha) {
        r->score = -SCORE_INFINITE;
        return;
    }
    r->score = score;
    r->bound = score >= n->beta ? TABIA_BOUND_LOWER : score <= n->alpha ? TABIA_BOUND_UPPER : TABIA_BOUND_EXACT;
    r->selective_depth = n->w->selective_depth;
    r->pv[0] = m;
    for (unsigned i = 0; i < n->f[1].pv_length; i++) r->pv[i + 1] = n->f[1].pv[i];
    r->pv_length = n->f[1].pv_length + 1;
}

/* The move was searched into the next frame. True: a cutoff. */
static bool update_best(Node *n, const StackFrame *next, Move m, int score, bool quiet) {
    if (score > n->best) {
        n->best = score;
        if (score > n->alpha) {
            n->best_move = m;
            if (n->is_pv) pv_update(n->f, m, next);
            if (score >= n->beta) return true;
            n->alpha = score;
        }
    }
    TriedMoves *t = &n->tried;
    if (quiet && t->quiets < 64) t->quiet[t->quiets++] = m;
    if (!quiet && t->captures < 32) t->capture[t->captures++] = m;
    return false;
}

/*
 * Probes the table again: has another process stored an entry that cuts this node off since? Then best is its
 * score.
 */
static bool table_cutoff_since(Node *n) {
    if (n->is_pv) return false;
    const TabiaHit hit = tt_probe(n->w, n->f);
    const int score = tt_score(n->w, n->f, &hit);
    if (!tt_cutoff(n->f, &hit, score, n->depth, (SearchWindow){n->alpha, n->beta})) return false;
    n->best = score;
    return true;
}

/* As the list of quiet moves has it: to look it up again takes time. */
static int history_of_quiet(const Node *n, Move m, int ordering_score) {
    assert(ordering_score == ORDER_TABLE || abs(ordering_score) <= (CONTINUATIONS + 1) * HISTORY_MAX);
    return ordering_score == ORDER_TABLE ? quiet_history_score(&n->f->position, m, &n->hints) : ordering_score;
}

bool node_search_move(Node *n, Move m, int ordering_score) {
    Worker *w = n->w;
    StackFrame *f = n->f;
    const bool quiet = game_is_quiet(&f->position, m);
    const int history = quiet ? history_of_quiet(n, m, ordering_score) : 0;
    const int reduction = lmr_reduction(n, quiet, ordering_score, history), left = n->depth - whole_plies(reduction);
    const int reduced = left < 1 ? 1 : left;
    if (should_prune_move(n, m, quiet, ordering_score, reduced, history)) return false;
    bool cut = false;
    int score = 0, extension = singular_extension(n, m, &cut, &score);
    if (worker_stopped(w)) return true;
    if (cut) return n->best = score, n->best_move = m, true;

    if (UNLIKELY(is_root(n))) worker_report_move(w, m, n->move_count);
    const uint64_t before = atomic_load_explicit(&w->nodes, memory_order_relaxed);
    stack_make_move(w, f, m);
    if (!extension && f[1].in_check && n->depth < CHECK_EXTENSION_DEPTH && game_see_at_least(&f->position, m, 0))
        extension = 1;
    n->move_count++;
    const bool late = n->depth >= 2 && n->move_count > 1 + is_root(n) + n->is_pv && (quiet || ordering_score < 0);
    const int late_reduction = late ? whole_plies(reduction - LMR_CHECK * f[1].in_check) : 0;
    if (n->split) split_begin_move(n);
    const int result = principal_variation_search(n, n->depth - 1 + extension, late_reduction);
    if (n->split) split_end_move(n);
    if (worker_stopped(w)) return true;
    if (is_root(n)) update_root_move(n, m, result, atomic_load_explicit(&w->nodes, memory_order_relaxed) - before);
    return update_best(n->split ? n->split->node : n, f + 1, m, result, quiet);
}

/* True: the table cut the node off since. */
static bool search_all_moves(Node *n, MovePicker *k) {
    Move m;
    int ordering_score;
    while (!split_is_due(n) && (m = picker_next(k, &ordering_score))) {
        if (node_excludes_move(n, m)) continue;
        if (UNLIKELY(n->peers_requested) && n->move_count && table_cutoff_since(n)) return true;
        if (node_search_move(n, m, ordering_score)) return false;
    }
    if (split_is_due(n)) split_rest(n);
    return false;
}

/* ---- end ---- */

static int store_node(Node *n, int first_alpha) {
    StackFrame *f = n->f;
    node_update_histories(n);
    if (n->best >= n->beta && !n->is_pv && n->best <= EVALUATION_MAX && n->beta >= -EVALUATION_MAX)
        n->best = (n->best * n->depth + n->beta) / (n->depth + 1); /* Stockfish, Michael Chaly, 2024 */
    if (f->excluded) return n->best;
    const int bound = n->best >= n->beta      ? TABIA_BOUND_LOWER
                      : n->best > first_alpha ? TABIA_BOUND_EXACT
                                              : TABIA_BOUND_UPPER;
    if (!f->in_check && !game_is_near_draw(&f->position) && !score_is_mate(n->best) &&
        (!n->best_move || game_is_quiet(&f->position, n->best_move)) &&
        !(bound == TABIA_BOUND_LOWER && n->best <= f->evaluation) &&
        !(bound == TABIA_BOUND_UPPER && n->best >= f->evaluation))
        correction_update(&f->corrections, n->best - f->raw_evaluation, n->depth);
    if (!is_root(n) || !n->w->pv_index) tt_store(n->w, f, n->best_move, n->best, bound, n->depth);
    return n->best;
}

int node_search(Worker *w, StackFrame *f, int alpha, int beta, int depth, bool cut_node) {
    assert(alpha >= -SCORE_INFINITE && alpha < beta && beta <= SCORE_INFINITE);
    assert(!cut_node || beta - alpha == 1); /* nodes of the principal variation are no cut nodes */
    if (depth <= 0) return quiescence_search(w, f, alpha, beta);
    Node n = {.w = w,
              .f = f,
              .ply = frame_ply(w, f),
              .alpha = alpha,
              .beta = beta,
              .depth = depth,
              .is_pv = beta - alpha > 1,
              .cut_node = cut_node};
    int score;
    if (n.ply && alpha < SCORE_DRAW && stack_has_upcoming_repetition(w, f)) {
        n.alpha = SCORE_DRAW;
        if (n.alpha >= beta) return n.alpha;
    }
    if (check_node_start(&n, &score)) return score;
    evaluate_node(&n);
    if (node_prune(&n, &score)) return score;
    node_set_hints(&n);
    if (depth >= IIR_DEPTH && !n.hit.entry.move && (n.is_pv || cut_node) && !f->excluded)
        n.depth--; /* internal iterative reduction */

    const int first_alpha = n.alpha;
    n.best = -SCORE_INFINITE;
    MovePicker k;
    n.picker = &k;
    picker_init(&k, &f->position, &n.hints);
    const bool cutoff_since = search_all_moves(&n, &k);
    if (worker_stopped(w)) return 0;
    if (cutoff_since) return n.best;
    if (!k.returned) return score_without_move(&f->position, n.ply);
    if (n.best == -SCORE_INFINITE) return f->excluded ? alpha : first_alpha; /* all moves pruned */
    return store_node(&n, first_alpha);
}
