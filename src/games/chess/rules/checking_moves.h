/* SPDX-License-Identifier: MIT */
/* The legal moves that give check. */
#pragma once
#include "gives_check.h"
#include "movegen.h"

/* Writes to list the legal moves of us, whose turn it is, that give check, and returns their number. */
INLINE unsigned list_checking_moves(const Position *p, Colour us, Move list[MOVES_MAX]) {
    MoveSink k = {.next = list};
    generate(p, &k, us, GEN_LIST);
    unsigned n = 0;
    for (const Move *m = list; m < k.next; m++)
        if (gives_check(p, *m)) list[n++] = *m;
    return n;
}
