/* SPDX-License-Identifier: MIT */
/* Pruning of whole nodes: reverse futility, null move. */
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

/* None where a mate is asked for: it begins with sacrifices, or ends in zugzwang. */
bool node_prune(Node *n, int *score) {
    StackFrame *f = n->f;
    if (n->is_pv || f->in_check || f->excluded || depth_reaches_draw(f, n->depth) || n->w->search->limits.mate)
        return false;
    if (n->depth <= REVERSE_FUTILITY_DEPTH &&
        n->estimate - REVERSE_FUTILITY_MARGIN * (n->depth - n->improving) >= n->beta && n->estimate < SCORE_MATE_MIN &&
        n->beta > -SCORE_MATE_MIN)
        return *score = (n->estimate + n->beta) / 2, true;
    return null_move_pruning(n, score);
}
