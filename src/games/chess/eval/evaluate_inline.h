/* SPDX-License-Identifier: MIT */
/*
 * The evaluation, one text for playing and for tuning: with a trace, every term notes how often it was used. From
 * white's side. The parts that depend on pawns alone are kept in the pawn table.
 */
#pragma once
#include "evaluate_endings.h"
#include "evaluate_king.h"
#include "evaluate_passers.h"
#include "evaluate_threats.h"

INLINE int game_phase(const Position *p) {
    const int phase =
        count(p->knight) + count(p->diag & ~p->orth) + 2 * count(p->orth & ~p->diag) + 4 * count(p->orth & p->diag);
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

/* What needs the hits of both sides. */
INLINE void side_terms(Tally *t, const Position *p, Colour us, const Side *side, const PawnFacts *pawns) {
    king_danger(t, p, us, &side[us], &side[!us]);
    threat_terms(t, p, us, &side[us], &side[!us]);
    passer_terms(t, p, us, pawns->passed, &side[us], &side[!us]);
    space_terms(t, p, us, &side[!us]);
}

INLINE void add_initiative(Tally *t, int *sum, int weight, int times) {
    *sum += times * score_end(t->e->weight[weight]);
    if (t->trace) t->trace->coefficient[weight] += (int16_t)times;
}

/* How much easier or harder than usual an advantage is to turn into a win: makes nothing of it at worst, and adds a
   part at best. */
INLINE int initiative(Tally *t, const Position *p, int end, Bits passed) {
    const int white = king_square(p, WHITE), black = king_square(p, BLACK);
    const int files = square_file(white) - square_file(black), ranks = square_rank(white) - square_rank(black);
    int sum = 0;
    add_initiative(t, &sum, INITIATIVE_BASE, 1);
    add_initiative(t, &sum, INITIATIVE_PAWNS, count(p->pawn));
    add_initiative(t, &sum, INITIATIVE_PASSED, count(passed));
    if (p->pawn & FILE_A * 0x0f && p->pawn & FILE_A * 0xf0) add_initiative(t, &sum, INITIATIVE_BOTH_FLANKS, 1);
    add_initiative(t, &sum, INITIATIVE_OUTFLANKING, (files < 0 ? -files : files) - (ranks < 0 ? -ranks : ranks));
    if (white >= 32 || black < 32) add_initiative(t, &sum, INITIATIVE_INTRUSION, 1);
    if (!(p->knight | p->diag | p->orth)) add_initiative(t, &sum, INITIATIVE_PAWN_ENDING, 1);
    const int size = end < 0 ? -end : end, most = size / INITIATIVE_MOST;
    const int change = sum < -size ? -size : sum > most ? most : sum;
    return end > 0 ? change : end < 0 ? -change : 0;
}

INLINE int evaluate_text(const Evaluator *e, const Position *p, EvaluationTrace *trace) {
    int value;
    if (ending_is_special(p) && ending_value(p, &value)) {
        if (trace) trace->special = true;
        return value;
    }
    Tally tally = {.e = e, .trace = trace};
    PawnFacts pawns;
    Side side[2];
    pawn_terms(&tally, e, p, &pawns);
    begin_side(&side[WHITE], p, WHITE, &pawns), begin_side(&side[BLACK], p, BLACK, &pawns);
    piece_terms(&tally, p, WHITE, &side[WHITE], &side[BLACK]);
    piece_terms(&tally, p, BLACK, &side[BLACK], &side[WHITE]);
    side_terms(&tally, p, WHITE, side, &pawns);
    side_terms(&tally, p, BLACK, side, &pawns);
    add(&tally, (Colour)p->turn, TEMPO, 1);

    const int middle =
        score_middle(tally.score) - danger_middle(tally.danger[WHITE]) + danger_middle(tally.danger[BLACK]);
    int end = score_end(tally.score) - danger_end(tally.danger[WHITE]) + danger_end(tally.danger[BLACK]);
    end += initiative(&tally, p, end, pawns.passed);
    const int phase = game_phase(p), scale = endgame_scale(p, end > 0 ? WHITE : BLACK, pawns.passed);
    if (trace) trace->phase = phase, trace->scale = scale;
    return evaluation_clamped((middle * phase + end * scale / SCALE_MAX * (PHASE_MAX - phase)) / PHASE_MAX);
}
