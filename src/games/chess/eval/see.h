/* SPDX-License-Identifier: MIT */
/* Static exchange evaluation: what the captures on one square come to, the cheapest man always taking first. */
#pragma once
#include "rules/position.h"

/* In centipawns, for exchanges only; the king cannot be taken. */
INLINE int exchange_value(Kind kind) {
    static const int value[] = {100, 320, 330, 500, 950, 0, 0};
    return value[kind];
}

/* Does a legal move, and all sensible recaptures after it, gain at least `least`? Pins are not looked at. */
bool see_at_least(const Position *p, Move m, int least);
