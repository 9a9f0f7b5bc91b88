/* SPDX-License-Identifier: MIT */
/*
 * The last plies of a count the plain way: the moves are counted, or each is made and its replies counted. This is what
 * the faster ways mean, what they fall back on, and what they are tested against.
 */
#pragma once
#include "movegen.h"

INLINE uint64_t plain_last_one(const Position *p, Colour us) {
    Sink k = {0};
    generate(p, &k, us, COUNT);
    return k.n;
}

typedef struct {
    const Position *p;
    Colour us;
    uint64_t sum;
} PlainCount;

INLINE void plain_visit(void *context, Kind kind, int from, int to, int flag) {
    PlainCount *c = context;
    Position child;
    play(&child, c->p, c->us, kind, from, to, flag);
    c->sum += plain_last_one(&child, (Colour)!c->us);
}

INLINE uint64_t plain_last_two(const Position *p, Colour us) {
    PlainCount c = {p, us, 0};
    Sink k = {.visit = plain_visit, .context = &c};
    generate(p, &k, us, WALK);
    return c.sum;
}
