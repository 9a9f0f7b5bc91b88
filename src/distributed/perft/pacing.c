/* SPDX-License-Identifier: MIT */
#include "pacing.h"

#include <assert.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

unsigned pacing_next(Pacing *p, double now) {
    enum { ROUNDS_MAX = 16 };
    static const double goal = 200e-6; /* seconds */
    const bool is_slow = now - p->stepped_at > goal;
    p->stepped_at = now;
    p->rounds = is_slow ? (p->rounds + 1) / 2 : p->rounds < ROUNDS_MAX ? p->rounds + 1 : ROUNDS_MAX;
    if (!p->rounds) p->rounds = 1;
    assert(p->rounds <= ROUNDS_MAX);
    return p->rounds;
}

long backoff_next(Backoff *b, bool is_idle) {
    enum { YIELDS = 4, DOUBLINGS = 3, SLEEP_NS = 120 * 1000 };
    b->idle_steps = is_idle ? b->idle_steps + 1 : b->idle_steps / 2;
    if (!is_idle) return BACKOFF_NONE;
    if (b->idle_steps < YIELDS) return BACKOFF_YIELD;
    const unsigned doublings = b->idle_steps - YIELDS;
    return (long)SLEEP_NS << (doublings < DOUBLINGS ? doublings : DOUBLINGS);
}

void backoff_rest(long rest) {
    if (rest == BACKOFF_YIELD) sched_yield();
    if (rest > 0) nanosleep(&(struct timespec){.tv_nsec = rest}, NULL);
}
