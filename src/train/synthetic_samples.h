/* SPDX-License-Identifier: MIT */
/*
 * Synthetic samples: positions a few random moves from a position of a game, labelled with the value of a
 * static evaluation. Such labels are cheap, while searches and games are expensive. The positions resemble those that
 * a search visits, with hanging pieces and material imbalances that games do not show.
 */
#pragma once
#include "eval/evaluate.h"
#include "sample.h"

/* Makes a position 0 to 5 random moves from *from, determined by the seed, with its value as its score.
   False: the moves lead to a check, or to the end of the game. */
bool synthetic_sample(Evaluator *e, const TrainSample *from, uint64_t seed, TrainSample *sample);
