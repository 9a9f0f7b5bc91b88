/* SPDX-License-Identifier: MIT */
/* A PerftCount that plays every move: slow, and free of every shortcut. */
#pragma once
#include "compare/suite.h"
#include "rules/movegen.h"

static uint64_t leaves_plainly(const Position *p, int depth) {
    Move list[MOVES_MAX];
    uint64_t sum = 0;
    const unsigned n = moves_list(p, list);
    if (depth == 1) return n;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        position_make_move(&child, p, list[i]);
        sum += leaves_plainly(&child, depth - 1);
    }
    return sum;
}

static bool count_plainly(void *context, const Position *p, int depth, U128 *nodes, TabiaError *error) {
    (void)context, (void)error;
    *nodes = leaves_plainly(p, depth);
    return true;
}
