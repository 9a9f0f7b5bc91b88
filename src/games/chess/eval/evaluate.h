/* SPDX-License-Identifier: MIT */
/*
 * What a position is worth to the side to move, in centipawns, without looking ahead. One of two says it: a network
 * (network.h), or a sum of terms (terms.h), each a middlegame and an endgame value between which the men left on the
 * board choose. Endings against a bare king have rules of their own in both.
 *
 * A thread evaluates with an Evaluator of its own; what threads share of it, the terms' pawn table, needs no lock.
 */
#pragma once
#include "network.h"
#include "tabia/record.h"
#include "terms.h"

typedef enum { EVALUATE_BY_NETWORK, EVALUATE_BY_TERMS } EvaluationKind;

/* One thread's state. Make it with evaluator_init; nothing to free. */
typedef struct {
    EvaluationKind kind; /* may be set between two evaluations */
    TabiaTable *pawns;   /* records of PAWN_WORDS words, shared by all threads; NULL: none */
    Score weight[WEIGHTS];
    Score man[KING + 1][64]; /* material and square together, as white sees them */
    NetworkMemory memory;
} Evaluator;

enum { PAWN_WORDS = 3, EVALUATION_MAX = 20000 };

/* pawns (may be NULL) stays the caller's and must outlive *e. */
void evaluator_init(Evaluator *e, TabiaTable *pawns, EvaluationKind kind);

/* Of a position whose side to move is not in check; within +-EVALUATION_MAX. `ply` says where it stands in the line
   that is looked at, which changes the time taken and nothing else. */
int evaluate(Evaluator *e, const Position *p, unsigned ply);

/* Of what evaluations mean: those of two programs compare if it is the same. */
uint64_t evaluation_identity(void);

/* A sum that is one of evaluation, within the bounds. */
INLINE int evaluation_clamped(int value) {
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
