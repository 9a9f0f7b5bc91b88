/* SPDX-License-Identifier: MIT */
/* Static exchange evaluation: the result of the captures on one square, each by the least valuable attacker. */
#pragma once
#include "rules/position.h"

/* In centipawns, for exchanges only; the king cannot be taken. */
INLINE int exchange_value(PieceType type) {
    static const int value[] = {100, 320, 330, 500, 950, 0, 0};
    assert(type <= NO_PIECE_TYPE);
    return value[type];
}

/* Does a legal move, with all sensible recaptures after it, gain at least `least` centipawns? Pins are ignored. */
bool see_at_least(const Position *p, Move m, int threshold);
