/* SPDX-License-Identifier: MIT */
#include "evaluate.h"

#include <stddef.h>
#include <string.h>

#include "evaluate_text.h"

void evaluator_init(Evaluator *e, TabiaTable *pawns) {
    *e = (Evaluator){.pawns = pawns};
    for (int i = 0; i < WEIGHTS; i++) e->weight[i] = score_make(weights[i].middle, weights[i].end);
    for (int kind = PAWN; kind <= KING; kind++)
        for (int s = 0; s < 64; s++)
            e->man[kind][s] =
                e->weight[PAWN_ON + 32 * kind + half_board(s)] + (kind == KING ? 0 : e->weight[MATERIAL + kind]);
}

int evaluate(const Evaluator *e, const Position *p) {
    const int white = evaluate_text(e, p, NULL);
    return p->turn == WHITE ? white : -white;
}

void evaluate_trace(const Evaluator *e, const Position *p, EvaluationTrace *trace) {
    memset(trace, 0, sizeof *trace);
    Evaluator alone = *e;
    alone.pawns = NULL; /* the pawns' terms are to be seen too */
    evaluate_text(&alone, p, trace);
}

bool is_dead_draw(const Position *p) {
    const Bits minors = p->knight | (p->diag & ~p->orth);
    return !(p->pawn | p->orth) && !several(minors);
}
