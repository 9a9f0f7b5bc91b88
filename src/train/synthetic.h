/* SPDX-License-Identifier: MIT */
/*
 * What the sum of terms (terms.h) can teach a network: any position has a value there, at once, while searches and
 * games are dear. A position a few random moves from one of a game looks like those that a search meets, with men that
 * hang and material that games do not show.
 */
#pragma once
#include "batch_positions.h"
#include "eval/evaluate.h"

/* A board a few random moves from *from, which follow from the seed, with the terms' value for its score. False: the
   moves led to a check, or to an end. */
bool lesson_make(Evaluator *terms, const Board *from, uint64_t seed, Board *lesson);
