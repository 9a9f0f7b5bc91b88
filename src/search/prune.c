/* SPDX-License-Identifier: MIT */
/* Pruning of whole nodes: reverse futility, razoring, null move, ProbCut. */
#include "node.h"

static bool null_move_pruning(Node *n, int *score) {
    Worker *w = n->w;
    StackFrame *f = n->f;
    if (n->depth < NULL_DEPTH || n->estimate < n->beta || f[-1].move == 0 || n->ply < w->null_ply ||
        n->beta <= -SCORE_MATE_MIN || game_non_pawns(&f->position) == 0)
        return false;
    const int margins = (n->estimate - n->beta) / NULL_MARGIN;
    assert(margins >= 0);
    const int reduction =
        NULL_BASE + n->depth / NULL_DEPTH_DIVISOR + (margins > NULL_MARGIN_PLIES_MAX ? NULL_MARGIN_PLIES_MAX : margins);
    stack_make_null_move(w, f);
    int value = -node_search(w, f + 1, -n->beta, -n->beta + 1, n->depth - reduction, !n->cut_node);
    if (worker_stopped(w)) return *score = 0, true;
    if (value < n->beta) return false;
    if (score_is_mate(value)) value = n->beta;
    *score = value;
    if (w->null_ply || (n->depth < NULL_VERIFY_DEPTH && game_non_pawns(&f->position) > 1)) return true;
    /* Possible zugzwang: verify by a search without null moves for some plies. */
    w->null_ply = n->ply + 3 * (n->depth - reduction) / 4 + 1;
    const int verified = node_search(w, f, n->beta - 1, n->beta, n->depth - reduction, false);
    w->null_ply = 0;
    return verified >= n->beta;
}

/* ProbCut: a capture that is far above beta at a reduced depth is likely to be above beta at the full depth. */
static bool probcut(Node *n, int *score) {
    Worker *w = n->w;
    StackFrame *f = n->f;
    const int beta = n->beta + PROBCUT_MARGIN - PROBCUT_IMPROVING * n->improving;
    if (n->depth < PROBCUT_DEPTH || score_is_mate(n->beta) ||
        (n->table_score != SCORE_NONE && n->hit.entry.draft >= n->depth - PROBCUT_REDUCTION + 1 &&
         n->table_score < beta))
        return false;
    MovePicker k;
    Move m;
    const OrderingHints hints = {.histories = w->histories, .table = n->hit.entry.move};
    picker_init_captures(&k, &f->position, &hints);
    while ((m = picker_next(&k, NULL))) {
        if (!game_see_at_least(&f->position, m, beta - f->raw_evaluation)) continue;
        stack_make_move(w, f, m);
        int value = -quiescence_search(w, f + 1, -beta, -beta + 1);
        if (value >= beta) value = -node_search(w, f + 1, -beta, -beta + 1, n->depth - PROBCUT_REDUCTION, !n->cut_node);
        if (worker_stopped(w)) return *score = 0, true;
        if (value < beta) continue;
        tt_store(w, f, m, value, TABIA_BOUND_LOWER, n->depth - PROBCUT_REDUCTION + 1);
        return *score = value, true;
    }
    return false;
}

/* None where a mate is asked for: it begins with sacrifices, or ends in zugzwang. */
bool node_prune(Node *n, int *score) {
    StackFrame *f = n->f;
    if (n->is_pv || f->in_check || f->excluded || depth_reaches_draw(f, n->depth) || n->w->search->limits.mate)
        return false;
    if (n->depth <= REVERSE_FUTILITY_DEPTH &&
        n->estimate - REVERSE_FUTILITY_MARGIN * (n->depth - n->improving) >= n->beta && n->estimate < SCORE_MATE_MIN &&
        n->beta > -SCORE_MATE_MIN)
        return *score = (n->estimate + n->beta) / 2, true;
    if (n->depth <= RAZOR_DEPTH && n->estimate + RAZOR_BASE + RAZOR_SLOPE * n->depth * n->depth <= n->alpha) {
        *score = quiescence_search(n->w, f, n->alpha, n->beta);
        if (*score <= n->alpha) return true;
    }
    return null_move_pruning(n, score) || probcut(n, score);
}
