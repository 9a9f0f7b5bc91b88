/* SPDX-License-Identifier: MIT */
#include "evaluate.h"

#include <stddef.h>
#include <string.h>

#include "base/checksum.h"
#include "evaluate_inline.h"

void evaluator_init(Evaluator *e, TabiaTable *pawns, EvaluationType type) {
    *e = (Evaluator){.pawns = pawns};
    evaluator_choose(e, type, NULL);
    for (int i = 0; i < WEIGHTS; i++) e->weight[i] = score_make(weights[i].middle, weights[i].end);
    for (int k = PAWN; k <= KING; k++)
        for (int s = 0; s < 64; s++)
            e->piece_square[k][s] =
                e->weight[PAWN_SQUARE + 32 * k + half_board(s)] + (k == KING ? 0 : e->weight[MATERIAL + k]);
}

void evaluator_choose(Evaluator *e, EvaluationType type, const Network *network) {
    e->type = type;
    e->network = network ? network : &network_built_in;
    accumulator_stack_init(&e->accumulators, e->network);
}

uint64_t evaluation_identity(EvaluationType type, const Network *network) {
    if (type == EVALUATION_TERMS) return tabia_checksum(weights, sizeof(Weight) * WEIGHTS);
    return network ? network->identity : network_built_in.identity;
}

static int value_by_network(Evaluator *e, const Position *p, unsigned ply) {
    int value;
    if (ending_is_special(p) && ending_value(p, &value)) return p->turn == WHITE ? value : -value;
    value = network_evaluate(&e->accumulators, e->network, p, ply);
    const int scale = winnability_scale(p, (value > 0) == (p->turn == WHITE) ? WHITE : BLACK);
    return evaluation_clamp(value * scale / SCALE_MAX);
}

static int value_by_terms(const Evaluator *e, const Position *p) {
    const int white = evaluate_terms_inline(e, p, NULL);
    return p->turn == WHITE ? white : -white;
}

int evaluate(Evaluator *e, const Position *p, unsigned ply) {
    assert(position_is_consistent(p) && !in_check(p));
    const int value = e->type == EVALUATION_NETWORK ? value_by_network(e, p, ply) : value_by_terms(e, p);
    assert(value >= -EVALUATION_MAX && value <= EVALUATION_MAX);
    return value;
}

void evaluate_trace(const Evaluator *e, const Position *p, EvaluationTrace *trace) {
    memset(trace, 0, sizeof *trace);
    Evaluator alone = *e;
    alone.pawns = NULL; /* the pawns' terms are to be seen too */
    evaluate_terms_inline(&alone, p, trace);
}

bool is_dead_draw(const Position *p) {
    const Bits minors = p->knight | (p->diag & ~p->orth);
    return !(p->pawn | p->orth) && !more_than_one(minors);
}
