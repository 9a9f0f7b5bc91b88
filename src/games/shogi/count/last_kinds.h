/* SPDX-License-Identifier: MIT */
/* The legal moves of a position by kinds (count/kinds.h). Only moves that give check are made. */
#pragma once
#include "count/kinds.h"
#include "rules/checking_moves.h"

/* The number of legal moves of us, whose turn it is; adds those of each kind. */
INLINE uint64_t count_last_kinds(const Position *p, Colour us, uint64_t kinds[KINDS]) {
    Move list[MOVES_MAX];
    MoveSink k = {.next = list};
    generate(p, &k, us, GEN_LIST);
    for (const Move *m = list; m < k.next; m++) {
        kinds[KIND_CAPTURE] += has_square(p->side[!us], move_to(*m));
        kinds[KIND_PROMOTION] += move_promotes(*m);
        kinds[KIND_DROP] += move_is_drop(*m);
    }
    const uint64_t nodes = (uint64_t)(k.next - list);
    const unsigned checks = list_checking_moves(p, us, list);
    kinds[KIND_CHECK] += checks;
    for (unsigned i = 0; i < checks; i++) {
        Position child;
        make_move(&child, p, us, list[i]);
        kinds[KIND_MATE] += !moves_count(&child);
    }
    return nodes;
}
