/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move: by a network (network/network.h), or, before there
 * is one, by material (evaluate_material.h). Endings against a bare king have rules of their own in both.
 */
#pragma once
#include "eval/evaluator.h"

struct Evaluator {
    EvaluationType type;
    const Network *network;
    AccumulatorStack accumulators;
};

enum { EVALUATION_HAS_SCALE = 0 }; /* can a network be one that FV_SCALE divides? */

/* Can no sequence of moves win: bare kings, or a single minor? */
bool is_dead_draw(const Position *p);
