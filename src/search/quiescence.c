/* SPDX-License-Identifier: MIT */
/* Captures and queening until the position is quiet; in check, every way out. */
#include "margins.h"
#include "worker.h"

/* The value at once, where it can be told: the end of the frames, or a table entry. */
static bool ends_here(Worker *w, Frame *f, const TabiaHit *hit, int stored, int alpha, int beta, int *score) {
    const int ply = frame_ply(w, f);
    if (ply >= PLY_MAX) return *score = f->checked ? SCORE_DRAW : evaluate(&w->evaluator, &f->at, PLY_MAX), true;
    *score = stored;
    return beta - alpha == 1 && line_table_cuts(w, f, hit, stored, 0, alpha, beta);
}

/* The value of doing nothing: the evaluation, or the table's score where it says more. */
static int stand_pat(const Frame *f, const TabiaHit *hit, int stored) {
    return stored != SCORE_NONE && !score_is_mate(stored) && score_bounds(stored, hit->entry.bound, f->evaluation)
               ? stored
               : f->evaluation;
}

/* Cannot raise alpha, which a check may by what it leads to, or loses men: not worth a look. */
static bool hopeless(const Frame *f, Move m, int alpha, int best) {
    if (f->checked) return best > -SCORE_MATE_LEAST && game_is_quiet(&f->at, m);
    if (f->evaluation + game_gain(&f->at, m) + DELTA_MARGIN <= alpha && !game_gives_check(&f->at, m)) return true;
    return !game_see_at_least(&f->at, m, 0);
}

int quiescence_search(Worker *w, Frame *f, int alpha, int beta) {
    const int ply = frame_ply(w, f);
    f->line_n = 0;
    if (ply > w->selective_depth) w->selective_depth = ply;
    line_check_limits(w);
    if (worker_stopped(w)) return 0;
    if (line_is_draw(w, f)) return SCORE_DRAW;
    const TabiaHit hit = line_probe(w, f);
    int best;
    const int stored = line_table_score(w, f, &hit);
    if (ends_here(w, f, &hit, stored, alpha, beta, &best)) return best;

    best = score_mated(ply);
    if (f->checked) {
        f->evaluation = f->raw_evaluation = SCORE_NONE;
    } else {
        line_evaluate(w, f, &hit);
        best = stand_pat(f, &hit, stored);
        if (best >= beta) {
            if (!hit.move_ok) line_store(w, f, 0, best, TABIA_BOUND_LOWER, 0);
            return best;
        }
        if (best > alpha) alpha = best;
    }
    const OrderHints hints = {.histories = w->histories,
                              .before = {f[-1].continuation, f[-2].continuation, f[-4].continuation},
                              .table = hit.entry.move};
    Picker k;
    Move best_move = 0, m;
    (f->checked ? order_all : order_captures)(&k, &f->at, &hints);
    while ((m = order_next(&k, NULL))) {
        if (f->checked && best > -SCORE_MATE_LEAST) order_skip_quiets(&k);
        if (hopeless(f, m, alpha, best)) continue;
        line_play(w, f, m);
        const int score = -quiescence_search(w, f + 1, -beta, -alpha);
        if (worker_stopped(w)) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        alpha = score, best_move = m;
        line_update(f, m);
        if (score >= beta) break;
    }
    if (f->checked && !k.given) return best; /* mate */
    line_store(w, f, best_move, best, best >= beta ? TABIA_BOUND_LOWER : TABIA_BOUND_UPPER, 0);
    return best;
}
