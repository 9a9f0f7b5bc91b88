/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move, by a sum of terms (terms.h), each a middlegame
 * and an endgame value that the game phase interpolates. A network (network/network.h) says by how much that sum is wrong,
 * and is added to it.
 *
 * Each thread has its own Evaluator.
 */
#pragma once
#include "eval/piece_values.h"
#include "eval/terms.h"
#include "network/network.h"
#include "rules/position.h"

typedef enum { EVALUATION_NETWORK, EVALUATION_HANDCRAFTED } EvaluationType;
#define EVALUATION_HANDCRAFTED_NAME "terms" /* alone, without the network */

enum {
    WIDE_SQUARES = 17 * 17, /* the differences of two squares: 17 of files, 17 of ranks */
    WIDE_CENTRE = WIDE_SQUARES / 2,
};

/* The state of one thread. Made by evaluator_init; nothing to free. */
typedef struct {
    EvaluationType type;
    const Network *network;
    Score weight[WEIGHTS];
    Score piece_square[DRAGON + 1][BOARD_SQUARES]; /* [type]: material and square together, as black sees it */
    Score own_king[SQUARE_KINDS][WIDE_SQUARES], foe_king[SQUARE_KINDS][WIDE_SQUARES]; /* by difference of squares */
    AccumulatorStack accumulators;
} Evaluator;

enum {
    EVALUATION_MAX = 20000,
    PHASE_MAX = 32,       /* middlegame; 0: endgame */
    NETWORK_IS_ADDED = 1, /* is the network's value added to that of the handcrafted evaluation? */
};

/* With the network that is built in. */
void evaluator_init(Evaluator *e, EvaluationType type);
/* Changes the evaluation, between two values. network: NULL for the one that is built in; another must outlive *e. */
void evaluator_choose(Evaluator *e, EvaluationType type, const Network *network);

/*
 * Evaluates a position whose side to move is not in check; within +-EVALUATION_MAX. `ply` is its ply on the search
 * stack, which affects the time only.
 */
int evaluate(Evaluator *e, const Position *p, unsigned ply);

/* Identifies an evaluation: values of two programs are comparable if it is equal. network as in evaluator_choose. */
uint64_t evaluation_identity(EvaluationType type, const Network *network);

/* Clamps a sum to the range of evaluations. */
INLINE int evaluation_clamp(int value) {
    return value > EVALUATION_MAX ? EVALUATION_MAX : value < -EVALUATION_MAX ? -EVALUATION_MAX : value;
}
