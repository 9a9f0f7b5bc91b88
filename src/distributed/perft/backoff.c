/* SPDX-License-Identifier: MIT */
#include "backoff.h"

#include <sched.h>
#include <stddef.h>
#include <time.h>

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
