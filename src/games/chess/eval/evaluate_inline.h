/* SPDX-License-Identifier: MIT */
/*
 * The sum of terms, one source for playing and for tuning: with a trace, every term records its coefficient. From
 * white's side. Terms that depend on pawns and kings alone are cached in the pawn table.
 */
#pragma once
#include "evaluate_endings.h"
#include "evaluate_king.h"
#include "evaluate_passers.h"
#include "evaluate_threats.h"

INLINE int game_phase(const Position *p) {
    const int phase = popcount(p->knight) + popcount(p->diag & ~p->orth) + 2 * popcount(p->orth & ~p->diag) +
                      4 * popcount(p->orth & p->diag);
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

/* The terms that need the attacks of both sides. */
INLINE void side_terms(EvaluationSum *t, const Position *p, Colour us, const SideAttacks *side,
                       const PawnStructure *pawns) {
    king_danger(t, p, us, &side[us], &side[!us]);
    threat_terms(t, p, us, &side[us], &side[!us]);
    passer_terms(t, p, us, pawns->passed, &side[us], &side[!us]);
    space_terms(t, p, us, &side[!us]);
}

INLINE void add_initiative(EvaluationSum *t, int *sum, int weight, int times) {
    *sum += times * score_end(t->e->weight[weight]);
    if (t->trace) t->trace->coefficient[weight] += (int16_t)times;
}

/*
 * The initiative: a correction of the endgame value by how hard an advantage is to convert; at most the whole advantage
 * less, and a part of it more.
 */
INLINE int initiative(EvaluationSum *t, const Position *p, int end, Bits passed) {
    const int white = king_square(p, WHITE), black = king_square(p, BLACK);
    const int files = file_of(white) - file_of(black), ranks = rank_of(white) - rank_of(black);
    int initiative_sum = 0;
    add_initiative(t, &initiative_sum, INITIATIVE_BASE, 1);
    add_initiative(t, &initiative_sum, INITIATIVE_PAWNS, popcount(p->pawn));
    add_initiative(t, &initiative_sum, INITIATIVE_PASSED, popcount(passed));
    if (p->pawn & FILE_A * 0x0f && p->pawn & FILE_A * 0xf0)
        add_initiative(t, &initiative_sum, INITIATIVE_BOTH_FLANKS, 1);
    add_initiative(t, &initiative_sum, INITIATIVE_OUTFLANKING,
                   (files < 0 ? -files : files) - (ranks < 0 ? -ranks : ranks));
    if (white >= 32 || black < 32) add_initiative(t, &initiative_sum, INITIATIVE_INFILTRATION, 1);
    if (!(p->knight | p->diag | p->orth)) add_initiative(t, &initiative_sum, INITIATIVE_PAWN_ENDING, 1);
    const int size = end < 0 ? -end : end, most = size / INITIATIVE_DIVISOR;
    const int change = initiative_sum < -size ? -size : initiative_sum > most ? most : initiative_sum;
    return end > 0 ? change : end < 0 ? -change : 0;
}

INLINE int evaluate_terms_inline(const Evaluator *e, const Position *p, EvaluationTrace *trace) {
    int value;
    if (ending_is_special(p) && ending_value(p, &value)) {
        if (trace) trace->special = true;
        return value;
    }
    EvaluationSum sum = {.e = e, .trace = trace};
    PawnStructure pawns;
    SideAttacks side[2];
    pawn_terms(&sum, e, p, &pawns);
    init_side_attacks(&side[WHITE], p, WHITE, &pawns), init_side_attacks(&side[BLACK], p, BLACK, &pawns);
    piece_terms(&sum, p, WHITE, &side[WHITE], &side[BLACK]);
    piece_terms(&sum, p, BLACK, &side[BLACK], &side[WHITE]);
    side_terms(&sum, p, WHITE, side, &pawns);
    side_terms(&sum, p, BLACK, side, &pawns);
    add_term(&sum, (Colour)p->turn, TEMPO, 1);

    const int middle = score_middle(sum.score) - danger_middle(sum.danger[WHITE]) + danger_middle(sum.danger[BLACK]);
    int end = score_end(sum.score) - danger_end(sum.danger[WHITE]) + danger_end(sum.danger[BLACK]);
    end += initiative(&sum, p, end, pawns.passed);
    const int phase = game_phase(p), scale = endgame_scale(p, end > 0 ? WHITE : BLACK, pawns.passed);
    assert(phase >= 0 && scale >= 0 && scale <= SCALE_MAX);
    if (trace) trace->phase = phase, trace->scale = scale;
    return evaluation_clamp((middle * phase + end * scale / SCALE_MAX * (PHASE_MAX - phase)) / PHASE_MAX);
}
