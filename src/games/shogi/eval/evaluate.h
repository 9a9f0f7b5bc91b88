/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move, by a sum of terms (terms.h), each a middlegame
 * and an endgame value that the game phase interpolates. A network (network/network.h) says by how much that sum is wrong,
 * and is added to it.
 */
#pragma once
#include "eval/evaluator.h"
#include "eval/piece_values.h"
#include "eval/terms.h"
#include "rules/position.h"

#define EVALUATION_HANDCRAFTED_NAME "terms" /* alone, without the network */

enum {
    WIDE_SQUARES = 17 * 17, /* the differences of two squares: 17 of files, 17 of ranks */
    WIDE_CENTRE = WIDE_SQUARES / 2,
};

struct Evaluator {
    EvaluationType type;
    const Network *network;
    Score weight[WEIGHTS];
    Score piece_square[DRAGON + 1][BOARD_SQUARES]; /* [type]: material and square together, as black sees it */
    Score own_king[SQUARE_KINDS][WIDE_SQUARES], foe_king[SQUARE_KINDS][WIDE_SQUARES]; /* by difference of squares */
    AccumulatorStack accumulators;
};

enum {
    PHASE_MAX = 32,       /* middlegame; 0: endgame */
    NETWORK_IS_ADDED = 1, /* is the network's value added to that of the handcrafted evaluation? */
};
