/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move: by a network (network/network.h), by one of
 * YaneuraOu (nn_bin.h), or, before there is one, by material (piece_values.h).
 */
#pragma once
#include "eval/evaluator.h"
#include "eval/nn_bin.h"

struct Evaluator {
    EvaluationType type;
    const Network *network;
    union {
        AccumulatorStack accumulators;
        NnBinStack nn_bin; /* of a foreign network */
    };
};

enum { EVALUATION_HAS_SCALE = 1 }; /* can a network be one that FV_SCALE divides? */
