/* SPDX-License-Identifier: MIT */
/*
 * The last plies of a count: the number of legal moves (last one), and of the replies to all of them (last two).
 */
#pragma once
#include "rules/movegen.h"

INLINE uint64_t count_last_one(const Position *p, Colour us) {
    MoveSink k = {0};
    generate(p, &k, us, GEN_COUNT);
    return k.n;
}

INLINE uint64_t count_last_two(const Position *p, Colour us) {
    Move list[MOVES_MAX];
    MoveSink k = {.next = list};
    uint64_t sum = 0;
    generate(p, &k, us, GEN_LIST);
    for (const Move *m = list; m < k.next; m++) {
        Position child;
        make_move(&child, p, us, *m);
        sum += count_last_one(&child, (Colour)!us);
    }
    return sum;
}
