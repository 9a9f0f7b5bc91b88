/* SPDX-License-Identifier: MIT */
/* Nodes that need no full search: razoring, futility, null move, probcut. */
#include "node.h"

static bool null_move(Node *n, int *score) {
    Worker *w = n->w;
    Frame *f = n->f;
    if (n->depth < NULL_DEPTH || n->estimate < n->beta || f[-1].move == 0 || n->ply < w->null_ply ||
        n->beta <= -SCORE_MATE_LEAST || game_pieces_left(&f->at) == 0)
        return false;
    const int margins = (n->estimate - n->beta) / NULL_MARGIN;
    const int reduction =
        NULL_BASE + n->depth / NULL_SHARE + (margins > NULL_MARGIN_PLIES ? NULL_MARGIN_PLIES : margins);
    line_pass(w, f);
    int value = -node_search(w, f + 1, -n->beta, -n->beta + 1, n->depth - reduction, !n->cut);
    if (worker_stopped(w)) return *score = 0, true;
    if (value < n->beta) return false;
    if (score_is_mate(value)) value = n->beta;
    *score = value;
    if (w->null_ply || (n->depth < NULL_VERIFY_DEPTH && game_pieces_left(&f->at) > 1)) return true;
    /* Zugzwang looms: the same without a pass for some plies must fail high too. */
    w->null_ply = n->ply + 3 * (n->depth - reduction) / 4 + 1;
    const int verified = node_search(w, f, n->beta - 1, n->beta, n->depth - reduction, false);
    w->null_ply = 0;
    return verified >= n->beta;
}

/* A capture that is far above beta at a shallow depth will hold at the full one. */
static bool probcut(Node *n, int *score) {
    Worker *w = n->w;
    Frame *f = n->f;
    const int beta = n->beta + PROBCUT_MARGIN - PROBCUT_IMPROVING * n->improving;
    if (n->depth < PROBCUT_DEPTH || score_is_mate(n->beta) ||
        (n->table_score != SCORE_NONE && n->hit.entry.draft >= n->depth - PROBCUT_PLIES + 1 && n->table_score < beta))
        return false;
    Picker k;
    Move m;
    order_captures(&k, &f->at, &n->hints);
    while ((m = order_next(&k, NULL))) {
        if (!game_see_at_least(&f->at, m, beta - f->raw_evaluation)) continue;
        line_play(w, f, m);
        int value = -quiescence_search(w, f + 1, -beta, -beta + 1);
        if (value >= beta) value = -node_search(w, f + 1, -beta, -beta + 1, n->depth - PROBCUT_PLIES, !n->cut);
        if (worker_stopped(w)) return *score = 0, true;
        if (value < beta) continue;
        line_store(w, f, m, value, TABIA_BOUND_LOWER, n->depth - PROBCUT_PLIES + 1);
        return *score = value, true;
    }
    return false;
}

bool node_prune(Node *n, int *score) {
    Frame *f = n->f;
    if (n->pv || f->checked || f->excluded || line_sees_end(f, n->depth)) return false;
    if (n->depth <= BEYOND_DEPTH && n->estimate - BEYOND_MARGIN * (n->depth - n->improving) >= n->beta &&
        n->estimate < SCORE_MATE_LEAST && n->beta > -SCORE_MATE_LEAST)
        return *score = (n->estimate + n->beta) / 2, true;
    if (n->depth <= RAZOR_DEPTH && n->estimate + RAZOR_BASE + RAZOR_SLOPE * n->depth * n->depth <= n->alpha) {
        *score = quiescence_search(n->w, f, n->alpha, n->beta);
        if (*score <= n->alpha) return true;
    }
    return null_move(n, score) || probcut(n, score);
}
