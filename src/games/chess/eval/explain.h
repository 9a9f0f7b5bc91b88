/* SPDX-License-Identifier: MIT */
/* From which pieces a static evaluation comes. For people, not for speed. */
#pragma once
#include "evaluate.h"

/* The evaluation, for white, of the position without the piece on that square. False: there is none, it is a king, or a
   king would stand in check. */
bool evaluation_without(Evaluator *e, const Position *p, int square, int *value);

/* The board, with what each piece is worth to its side: by how much the evaluation falls without it. */
enum { EXPLANATION_MAX = 4096 };
void evaluation_explain(Evaluator *e, const Position *p, char out[EXPLANATION_MAX]);
