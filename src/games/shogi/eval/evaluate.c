/* SPDX-License-Identifier: MIT */
#include "eval/evaluate.h"

#include "base/checksum.h"
#include "eval/evaluate_terms.h"

static void fill_piece_squares(Evaluator *e, PieceType type) {
    for (int s = 0; s < BOARD_SQUARES; s++)
        e->piece_square[type][s] = e->weight[PAWN_SQUARE + HALF_BOARD * square_kind(type) + half_board(s)] +
                                   e->weight[MATERIAL + material_index(type)];
}

void evaluator_init(Evaluator *e, EvaluationType type) {
    *e = (Evaluator){0};
    evaluator_choose(e, type, NULL);
    for (int i = 0; i < WEIGHTS; i++) e->weight[i] = score_make(weights[i].middle, weights[i].end);
    for (PieceType t = PAWN; t <= DRAGON; t++)
        if (t != KING) fill_piece_squares(e, t);
    for (int kind = 0; kind < SQUARE_KINDS; kind++)
        for (int i = 0; i < WIDE_SQUARES; i++) {
            const int relation = KING_RELATIONS * kind + relation_of_wide(i - WIDE_CENTRE);
            e->own_king[kind][i] = e->weight[PAWN_OWN_KING + relation];
            e->foe_king[kind][i] = e->weight[PAWN_FOE_KING + relation];
        }
}

void evaluator_choose(Evaluator *e, EvaluationType type, const Network *network) {
    e->type = type, e->network = network ? network : &network_built_in;
    if (e->network->foreign)
        nn_bin_stack_init(&e->nn_bin);
    else
        accumulator_stack_init(&e->accumulators, e->network);
}

uint64_t evaluation_identity(EvaluationType type, const Network *network) {
    const uint64_t terms = tabia_checksum(weights, sizeof(Weight) * WEIGHTS);
    if (type == EVALUATION_HANDCRAFTED) return terms;
    return terms ^ (network ? network->identity : network_built_in.identity);
}

int evaluate(Evaluator *e, const Position *p, unsigned ply) {
    assert(position_is_consistent(p) && !in_check(p));
    const ForeignNetwork *foreign = e->network->foreign;
    if (foreign && e->type == EVALUATION_NETWORK)
        return evaluation_clamp(nn_bin_evaluate(&e->nn_bin, (const NnBin *)foreign, p, ply));
    const int white = evaluate_terms(e, p), value = p->turn == WHITE ? white : -white;
    if (e->type == EVALUATION_HANDCRAFTED) return value;
    return evaluation_clamp(value + network_evaluate(&e->accumulators, e->network, p, ply));
}
