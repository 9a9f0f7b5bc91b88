/* SPDX-License-Identifier: MIT */
/*
 * The last plies of a count: how many legal moves (last one), and how many replies to all of them (last two), without
 * playing them. Which of the ways is used is fixed when the file is compiled, by the instructions it may use:
 *
 *   plain   every move is made and its replies counted: the meaning of the others, and what they are tested against
 *   lanes   children are counted eight at a time in 512-bit registers (lanes/lanes.h)
 */
#pragma once
#include "movegen.h"
#if defined(__AVX512VBMI2__) && defined(__AVX512BITALG__) && defined(__AVX512VPOPCNTDQ__) && defined(__GFNI__)
#define LAST_TWO_IN_LANES
#include "lanes/lanes.h"
#endif

INLINE uint64_t count_last_one(const Position *p, Colour us) {
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
    c->sum += count_last_one(&child, (Colour)!c->us);
}

INLINE uint64_t plain_last_two(const Position *p, Colour us) {
    PlainCount c = {p, us, 0};
    Sink k = {.visit = plain_visit, .context = &c};
    generate(p, &k, us, WALK);
    return c.sum;
}

INLINE uint64_t count_last_two(const Position *p, Colour us) {
#ifdef LAST_TWO_IN_LANES
    return lanes_last_two(p, us);
#endif
    return plain_last_two(p, us);
}
