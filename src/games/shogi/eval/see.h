/* SPDX-License-Identifier: MIT */
/* Static exchange evaluation: the result of the captures on one square, each by the least valuable attacker. */
#pragma once
#include "eval/piece_values.h"
#include "rules/position.h"

/*
 * Does a legal move, with all sensible recaptures after it, gain at least `least` centipawns? Pins, and promotions of
 * what recaptures, are ignored.
 */
bool see_at_least(const Position *p, Move m, int threshold);
