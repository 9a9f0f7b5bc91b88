/* SPDX-License-Identifier: MIT */
/* From which pieces a static evaluation comes. For people, not for speed. */
#pragma once
#include "evaluate.h"

/* The evaluation, for black, of the position without the piece on that square. False: there is none, it is a king, or the
   side to move would stand in check. */
bool evaluation_without(Evaluator *e, const Position *p, int square, int *value);

/* What the terms make and the network adds, where it evaluates; the board, with what each piece is worth to its side: by
   how much the evaluation falls without it; and so for one piece of each type in hand. The side to move is not in check. */
enum { EXPLANATION_MAX = 16384 };
void evaluation_explain(Evaluator *e, const Position *p, char out[EXPLANATION_MAX]);
