/* SPDX-License-Identifier: MIT */
/* Quiescence search: captures and queen promotions; in check, all evasions. */
#include "node.h"
#include "time_management.h"
#include "worker.h"

/* The stand-pat score: the evaluation, or the table score if that is the better bound. */
static int stand_pat(const StackFrame *f, const TabiaHit *hit, int table_score) {
    return table_score != SCORE_NONE && !score_is_mate(table_score) &&
                   score_bound_improves(table_score, hit->entry.bound, f->evaluation)
               ? table_score
               : f->evaluation;
}

/* SEE pruning; in check, a quiet evasion where another saves from mate. */
static bool is_futile(const StackFrame *f, Move m, int best) {
    if (f->in_check) return best > -SCORE_MATE_MIN && game_is_quiet(&f->position, m);
    return !game_see_at_least(&f->position, m, 0);
}

int quiescence_search(Worker *w, StackFrame *f, int alpha, int beta) {
    const int ply = frame_ply(w, f);
    assert(alpha >= -SCORE_INFINITE && alpha < beta && beta <= SCORE_INFINITE);
    f->pv_length = 0;
    if (ply > w->selective_depth) w->selective_depth = ply;
    check_limits(w);
    if (worker_stopped(w)) return 0;
    int decided;
    if (stack_is_decided(w, f, &decided)) return decided;
    stack_evaluate_early(w, f);
    const TabiaHit hit = tt_probe(w, f);
    const int table_score = tt_score(w, f, &hit);
    if (ply >= PLY_MAX) return stack_end_value(w, f);
    if (beta - alpha == 1 && tt_cutoff(f, &hit, table_score, 0, (SearchWindow){alpha, beta})) return table_score;
    if (GAME_LOOKS_FOR_MATE_IN_ONE && !hit.move_ok && stack_mates_in_one(w, f, &decided)) return decided;

    int best = score_mated(ply);
    if (f->in_check) {
        f->evaluation = f->raw_evaluation = SCORE_NONE;
    } else {
        stack_evaluate(w, f, &hit);
        best = stand_pat(f, &hit, table_score);
        if (best >= beta) {
            if (!hit.move_ok) tt_store(w, f, 0, best, TABIA_BOUND_LOWER, 0);
            return best;
        }
        if (best > alpha) alpha = best;
    }
    const OrderingHints hints =
        stack_ordering_hints(w, f, hit.entry.move, f->in_check ? game_threats(&f->position) : 0);
    MovePicker k;
    Move best_move = 0, m;
    (f->in_check ? picker_init : picker_init_captures)(&k, &f->position, &hints);
    while ((m = picker_next(&k, NULL))) {
        if (f->in_check && best > -SCORE_MATE_MIN) picker_skip_quiets(&k);
        if (is_futile(f, m, best)) continue;
        stack_make_move(w, f, m);
        const int score = -quiescence_search(w, f + 1, -beta, -alpha);
        if (worker_stopped(w)) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        alpha = score, best_move = m;
        pv_update(f, m, f + 1);
        if (score >= beta) break;
    }
    if (f->in_check && !k.returned) return best; /* mate */
    tt_store(w, f, best_move, best, best >= beta ? TABIA_BOUND_LOWER : TABIA_BOUND_UPPER, 0);
    return best;
}
