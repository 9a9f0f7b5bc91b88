/* SPDX-License-Identifier: MIT */
/*
 * The static evaluation of a position in centipawns for the side to move: by a network (network/network.h), or by a sum of
 * terms (terms.h), each a middlegame and an endgame value that the game phase interpolates. Endings against a bare king
 * have rules of their own in both.
 *
 * Each thread has its own Evaluator; the pawn table of the terms is shared between threads and needs no lock.
 */
#pragma once
#include "network/network.h"
#include "tabia/record.h"
#include "terms.h"

typedef enum { EVALUATION_NETWORK, EVALUATION_TERMS } EvaluationType;

/* The state of one thread. Made by evaluator_init; nothing to free. */
typedef struct {
    EvaluationType type;
    const Network *network;
    TabiaTable *pawns; /* records of PAWN_WORDS words, shared by all threads; NULL: none */
    Score weight[WEIGHTS];
    Score piece_square[KING + 1][64]; /* material and piece-square value together, from white's side */
    AccumulatorStack accumulators;
} Evaluator;

enum {
    PAWN_WORDS = 3, /* of a record of the pawn table; 0 where a game has no such table */
    EVALUATION_MAX = 20000,
    NETWORK_ADDS_TO_TERMS = 0, /* is the value that of the terms and the network's? */
};

/* An evaluation with the network that is built in. pawns (may be NULL) belongs to the caller and must outlive *e. */
void evaluator_init(Evaluator *e, TabiaTable *pawns, EvaluationType type);

/* Change the pawn table or the evaluation, between two values. The network (NULL: the one that is built in) must outlive
   *e. */
INLINE void evaluator_set_pawns(Evaluator *e, TabiaTable *pawns) {
    e->pawns = pawns;
}
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

/*
 * The sum of terms for a tuner: the value for white is what evaluation_of_trace (train/linear_fit.h) makes of the
 * coefficients, but for rounding. An ending that is judged by rules of its own is `special`, and has none.
 */
typedef struct {
    int16_t coefficient[WEIGHTS]; /* summed terms: white's less black's; initiative: how often; dangers: unused */
    int16_t danger[2][DANGERS];   /* of white's king, of black's */
    int phase;                    /* 0: endgame .. PHASE_MAX: middlegame */
    int scale;                    /* of the endgame value, 0 .. SCALE_MAX */
    bool special;
} EvaluationTrace;
enum { PHASE_MAX = 24, SCALE_MAX = 64 };
void evaluate_trace(const Evaluator *e, const Position *p, EvaluationTrace *trace);

/* Can no sequence of moves win: bare kings, or a single minor? */
bool is_dead_draw(const Position *p);
