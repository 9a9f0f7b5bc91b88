/* SPDX-License-Identifier: MIT */
#include "rules/movegen.h"

NOINLINE unsigned list_white(const Position *p, Move *list) {
    MoveSink k = {.next = list};
    generate(p, &k, WHITE, GEN_LIST);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned list_black(const Position *p, Move *list) {
    MoveSink k = {.next = list};
    generate(p, &k, BLACK, GEN_LIST);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned count_white(const Position *p) {
    MoveSink k = {0};
    generate(p, &k, WHITE, GEN_COUNT);
    return k.n;
}
NOINLINE unsigned count_black(const Position *p) {
    MoveSink k = {0};
    generate(p, &k, BLACK, GEN_COUNT);
    return k.n;
}

unsigned moves_list(const Position *p, Move *list) {
    const unsigned n = p->turn == WHITE ? list_white(p, list) : list_black(p, list);
    assert(n <= MOVES_MAX);
    return n;
}

unsigned moves_count(const Position *p) {
    return p->turn == WHITE ? count_white(p) : count_black(p);
}

void position_make_move(Position *n, const Position *p, Move m) {
    const Position before = *p;
    make_move(n, &before, (Colour)before.turn, m);
}
