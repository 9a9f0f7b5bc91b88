/* SPDX-License-Identifier: MIT */
#include "which_moves.h"

#include <stdio.h>

#include "bridge.h"
#include "count/delta/delta.h"

/* The moves from one square to another together: a promotion is four. */
static uint64_t by_delta(const Position *p, Move m) {
    const MoveFilter filter = {bit(move_from(m)), bit(move_to(m))};
    return delta_sum(p, (Colour)p->turn, filter);
}

static uint64_t by_making(const Position *p, const Move *moves, unsigned n, Move m) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++) {
        if (move_from(moves[i]) != move_from(m) || move_to(moves[i]) != move_to(m)) continue;
        Position child;
        position_make_move(&child, p, moves[i]);
        sum += moves_count(&child);
    }
    return sum;
}

void print_wrong_moves(const Position *p, const Move *moves, unsigned move_count) {
    if (in_check(p)) return;
    for (unsigned i = 0; i < move_count; i++) {
        const uint64_t got = by_delta(p, moves[i]), expected = by_making(p, moves, move_count, moves[i]);
        if (got != expected)
            printf("  %s alone: got %ju, expected %ju\n", bridge_move_text(moves[i]).text, (uintmax_t)got,
                   (uintmax_t)expected);
    }
}
