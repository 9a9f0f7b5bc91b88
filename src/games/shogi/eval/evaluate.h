/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move, by a sum of terms (terms.h), each a middlegame
 * and an endgame value that the game phase interpolates. A network (network/network.h) says by how much that sum is wrong,
 * and is added to it; a network of YaneuraOu (nn_bin.h) is the evaluation alone.
 */
#pragma once
#include "eval/evaluator.h"
#include "eval/nn_bin.h"
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
    union {
        AccumulatorStack accumulators;
        NnBinStack nn_bin; /* of a foreign network */
    };
};

enum {
    PHASE_MAX = 32,           /* middlegame; 0: endgame */
    EVALUATION_HAS_SCALE = 1, /* can a network be one that FV_SCALE divides? */
    NETWORK_IS_ADDED = 1,     /* is the network's value added to that of the handcrafted evaluation? */
};
