/* SPDX-License-Identifier: MIT */
#include "movegen.h"

NOINLINE unsigned list_white(const Position *p, Move *list) {
    Sink k = {.next = list};
    generate(p, &k, WHITE, LIST);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned list_black(const Position *p, Move *list) {
    Sink k = {.next = list};
    generate(p, &k, BLACK, LIST);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned count_white(const Position *p) {
    Sink k = {0};
    generate(p, &k, WHITE, COUNT);
    return k.n;
}
NOINLINE unsigned count_black(const Position *p) {
    Sink k = {0};
    generate(p, &k, BLACK, COUNT);
    return k.n;
}

NOINLINE unsigned captures_white(const Position *p, Move *list) {
    Sink k = {.next = list};
    generate_captures(p, &k, WHITE);
    return (unsigned)(k.next - list);
}
NOINLINE unsigned captures_black(const Position *p, Move *list) {
    Sink k = {.next = list};
    generate_captures(p, &k, BLACK);
    return (unsigned)(k.next - list);
}

unsigned moves_list(const Position *p, Move *list) {
    return p->turn == WHITE ? list_white(p, list) : list_black(p, list);
}

unsigned moves_list_captures(const Position *p, Move *list) {
    return p->turn == WHITE ? captures_white(p, list) : captures_black(p, list);
}

unsigned moves_count(const Position *p) {
    return p->turn == WHITE ? count_white(p) : count_black(p);
}

void position_play(Position *n, const Position *p, Move m) {
    const Position before = *p;
    play_move(n, &before, (Colour)before.turn, m);
}

Key position_key_after(const Position *p, Key key, Move m, const Zobrist *z) {
    const int from = move_from(m);
    return key_after(z, p, key, (Colour)p->turn, kind_at(p, from), from, move_to(m), move_flag(m));
}
