/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move: by a network (network/network.h), or, before
 * there is one, by material. Each game has its own Evaluator and EVALUATION_HAS_SCALE (eval/evaluate.h).
 *
 * Each thread has its own Evaluator.
 */
#pragma once
#include "base/error.h"
#include "network/network.h"

typedef enum { EVALUATION_NETWORK, EVALUATION_MATERIAL } EvaluationType;
enum { EVALUATION_MAX = 20000 };

/* The state of one thread. Made by evaluator_init; nothing to free. */
typedef struct Evaluator Evaluator;

/* An evaluation with the network that is built in. */
void evaluator_init(Evaluator *e, EvaluationType type);

/* Changes the evaluation, between two values. The network (NULL: the one that is built in) must outlive *e. */
void evaluator_choose(Evaluator *e, EvaluationType type, const Network *network);

/*
 * Evaluates a position whose side to move is not in check; within +-EVALUATION_MAX. `ply` is its ply on the search
 * stack, which affects the time only.
 */
int evaluate(Evaluator *e, const Position *p, unsigned ply);

/*
 * Reads a network of any kind that the game evaluates by. The caller frees it by free(). NULL with an error that names the
 * file. scale: what the output of a network of YaneuraOu is divided by (FV_SCALE), at least 1; others have their own.
 */
Network *evaluation_network_read(const char *path, int scale, TabiaError *error);
enum { EVALUATION_SCALE = 16, EVALUATION_SCALE_MAX = 128 }; /* the usual FV_SCALE */

/* Identifies an evaluation: values of two programs are comparable if it is equal. network as in evaluator_choose. */
uint64_t evaluation_identity(EvaluationType type, const Network *network);

/* Clamps a sum to the range of evaluations. */
INLINE int evaluation_clamp(int value) {
    return value > EVALUATION_MAX ? EVALUATION_MAX : value < -EVALUATION_MAX ? -EVALUATION_MAX : value;
}
