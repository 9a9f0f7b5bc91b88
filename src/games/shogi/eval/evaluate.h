/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move, by a sum of terms: material on the board and
 * in hand, piece-square values, and how well each king is guarded and attacked.
 *
 * Each thread has its own Evaluator.
 */
#pragma once
#include "eval/network.h"
#include "eval/piece_values.h"
#include "rules/position.h"
#include "tabia/record.h"

typedef enum { EVALUATION_NETWORK, EVALUATION_TERMS } EvaluationType;

/* The state of one thread. Made by evaluator_init; nothing to free. */
typedef struct {
    EvaluationType type;
    const Network *network;                       /* NULL: there is none, and terms are summed for either type */
    int16_t piece_square[KING][2][BOARD_SQUARES]; /* [type without promotion][promoted]: for black, with material */
    int16_t king_square[BOARD_SQUARES];
} Evaluator;

enum {
    PAWN_WORDS = 0, /* of a record of the pawn table: there is none */
    EVALUATION_MAX = 20000,
};

/* An evaluation without a network. pawns is ignored. */
void evaluator_init(Evaluator *e, TabiaTable *pawns, EvaluationType type);

INLINE void evaluator_set_pawns(Evaluator *e, TabiaTable *pawns) {
    (void)e, (void)pawns;
}
/* Changes the evaluation, between two values. The network (may be NULL) must outlive *e. */
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
