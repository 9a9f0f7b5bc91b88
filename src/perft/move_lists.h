/* SPDX-License-Identifier: MIT */
/*
 * The legal moves of a position in a list, for the nodes whose time goes into their children. Out of line, one instance for
 * each colour: generators are most of a kernel's text, and of the time that it takes to compile.
 */
#pragma once
#include "rules/movegen.h"

INLINE unsigned list_of(const Position *p, Move list[MOVES_MAX], Colour us) {
    MoveSink k = {.next = list};
    generate(p, &k, us, GEN_LIST);
    return (unsigned)(k.next - list);
}

NOINLINE unsigned list_white(const Position *p, Move list[MOVES_MAX]) {
    return list_of(p, list, WHITE);
}
NOINLINE unsigned list_black(const Position *p, Move list[MOVES_MAX]) {
    return list_of(p, list, BLACK);
}

INLINE unsigned list_moves(const Position *p, Move list[MOVES_MAX]) {
    return p->turn == WHITE ? list_white(p, list) : list_black(p, list);
}
