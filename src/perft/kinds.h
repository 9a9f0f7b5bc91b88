/* SPDX-License-Identifier: MIT */
/*
 * Counting the leaves by the kind of move that leads to them, for kernel.c. The last ply is counted without a list; what
 * transposes is merged in the frontier alone, because no table holds so many counts of a position.
 */
#pragma once
#include "count/last_kinds.h"
#include "kernel.h"
#include "move_lists.h"

NOINLINE uint64_t last_kinds_white(const Position *p, uint64_t kinds[KINDS]) {
    return count_last_kinds(p, WHITE, kinds);
}
NOINLINE uint64_t last_kinds_black(const Position *p, uint64_t kinds[KINDS]) {
    return count_last_kinds(p, BLACK, kinds);
}

/* The leaves one or two plies below p. */
static uint64_t count_kinds_shallow(const Position *p, int depth, uint64_t kinds[KINDS]) {
    if (depth == 1) return p->turn == WHITE ? last_kinds_white(p, kinds) : last_kinds_black(p, kinds);
    Move list[MOVES_MAX];
    const unsigned n = list_moves(p, list);
    uint64_t leaves = 0;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        make_move(&child, p, (Colour)p->turn, list[i]);
        leaves += count_kinds_shallow(&child, 1, kinds);
    }
    return leaves;
}

/* The leaves `depth` plies below p; adds their kinds to those of the context. A leaf that no move leads to has none. */
static U128 count_kinds(KernelContext *c, const Position *p, int depth) {
    if (depth == 0) return 1;
    if (depth <= 2) {
        uint64_t kinds[KINDS] = {0};
        const uint64_t leaves = count_kinds_shallow(p, depth, kinds);
        for (unsigned k = 0; k < KINDS; k++) c->kinds[k] += kinds[k];
        return leaves;
    }
    if (atomic_load_explicit(c->stop, memory_order_relaxed)) return 0;
    Move list[MOVES_MAX];
    const unsigned n = list_moves(p, list);
    U128 sum = 0;
    for (unsigned i = 0; i < n; i++) {
        Position child;
        make_move(&child, p, (Colour)p->turn, list[i]);
        sum += count_kinds(c, &child, depth - 1);
    }
    return sum;
}
