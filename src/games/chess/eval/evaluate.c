/* SPDX-License-Identifier: MIT */
#include "evaluate.h"

#include <stddef.h>

#include "evaluate_endings.h"
#include "evaluate_material.h"
#include "network/network_file.h"

void evaluator_init(Evaluator *e, EvaluationType type) {
    *e = (Evaluator){0};
    evaluator_choose(e, type, NULL);
}

void evaluator_choose(Evaluator *e, EvaluationType type, const Network *network) {
    e->type = type;
    e->network = network ? network : &network_built_in;
    accumulator_stack_init(&e->accumulators, e->network);
}

Network *evaluation_network_read(const char *path, int scale, TabiaError *error) {
    (void)scale;
    return network_read(path, error);
}

uint64_t evaluation_identity(EvaluationType type, const Network *network) {
    if (type == EVALUATION_MATERIAL) return MATERIAL_IDENTITY;
    return network ? network->identity : network_built_in.identity;
}

int evaluate(Evaluator *e, const Position *p, unsigned ply) {
    assert(position_is_consistent(p) && !in_check(p));
    int value;
    if (ending_is_special(p) && ending_value(p, &value)) return p->turn == WHITE ? value : -value;
    const bool by_network = e->type == EVALUATION_NETWORK;
    value = by_network ? network_evaluate(&e->accumulators, e->network, p, ply) : material_value(p);
    const int scale = winnability_scale(p, (value > 0) == (p->turn == WHITE) ? WHITE : BLACK);
    return evaluation_clamp(value * scale / SCALE_MAX);
}

bool is_dead_draw(const Position *p) {
    const Bits minors = p->knight | (p->diag & ~p->orth);
    return !(p->pawn | p->orth) && !more_than_one(minors);
}
