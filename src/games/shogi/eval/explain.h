/* SPDX-License-Identifier: MIT */
/* Where a static evaluation comes from: from which terms, and from which pieces. For people, not for speed. */
#pragma once
#include "evaluate.h"

/* A term's part of the sum of terms, for black, in centipawns. */
typedef struct {
    const char *name; /* as terms.h has it; "KING_DANGER" for what several weights make together */
    int middle, end;  /* of a middlegame, and of an endgame: the phase lies between */
} EvaluationPart;

typedef struct {
    EvaluationPart part[WEIGHTS]; /* those that are not 0, in the order of terms.h */
    unsigned n;
    int phase; /* as in EvaluationTrace */
} EvaluationBreakdown;

/* Any position whose side to move is not in check. */
void evaluation_parts(const Evaluator *e, const Position *p, EvaluationBreakdown *parts);

/* The evaluation, for black, of the position without the piece on that square. False: there is none, it is a king, or the
   side to move would stand in check. */
bool evaluation_without(Evaluator *e, const Position *p, int square, int *value);

/* For people: what each term adds, and the network where it evaluates; the board, with what each piece is worth to its
   side: by how much the evaluation falls without it; and so for one piece of each type in hand. The side to move is not in
   check. */
enum { EXPLANATION_MAX = 16384 };
void evaluation_explain(Evaluator *e, const Position *p, char out[EXPLANATION_MAX]);
