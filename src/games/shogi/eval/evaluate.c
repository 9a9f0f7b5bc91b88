/* SPDX-License-Identifier: MIT */
#include "eval/evaluate.h"

#include "eval/piece_values.h"

void evaluator_init(Evaluator *e, EvaluationType type) {
    *e = (Evaluator){0};
    evaluator_choose(e, type, NULL);
}

void evaluator_choose(Evaluator *e, EvaluationType type, const Network *network) {
    e->type = type, e->network = network ? network : &network_built_in;
    if (e->network->foreign)
        nn_bin_stack_init(&e->nn_bin);
    else
        accumulator_stack_init(&e->accumulators, e->network);
}

uint64_t evaluation_identity(EvaluationType type, const Network *network) {
    if (type == EVALUATION_MATERIAL) return MATERIAL_IDENTITY;
    return network ? network->identity : network_built_in.identity;
}

static int side_value(const Position *p, Colour us) {
    int value = 0;
    for (PieceType type = PAWN; type <= GOLD; type++) {
        const Squares own = p->side[us] & p->type[type];
        value += piece_value(type) * (squares_count(own & ~p->promoted) + (int)hand_count(p->hand[us], type)) +
                 piece_value((PieceType)(type | PROMOTED)) * squares_count(own & p->promoted);
    }
    return value;
}

int evaluate(Evaluator *e, const Position *p, unsigned ply) {
    assert(position_is_consistent(p) && !in_check(p));
    if (e->type == EVALUATION_MATERIAL) return side_value(p, (Colour)p->turn) - side_value(p, (Colour)!p->turn);
    const ForeignNetwork *foreign = e->network->foreign;
    return evaluation_clamp(foreign ? nn_bin_evaluate(&e->nn_bin, (const NnBin *)foreign, p, ply)
                                    : network_evaluate(&e->accumulators, e->network, p, ply));
}
