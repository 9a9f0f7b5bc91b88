/* SPDX-License-Identifier: MIT */
/*
 * How a rank rests while it has nothing to do: first it yields the processor, then it sleeps, each time twice as long
 * up to a limit, because to fall asleep, wake up and poll takes 15 us.
 *
 *     idle steps in a row   1 2 3   4      5      6      7 ...
 *     rest                  yield   120us  240us  480us  960us
 *
 * One message does not end a wait: a busy step halves the count of idle steps.
 */
#pragma once
#include <stdbool.h>

/* All zero at the beginning. */
typedef struct {
    unsigned idle_steps;
} Backoff;

enum { BACKOFF_YIELD = 0, BACKOFF_NONE = -1 };

/* After each step. What to do now: BACKOFF_NONE, BACKOFF_YIELD, or nanoseconds to sleep. */
long backoff_next(Backoff *b, bool is_idle);

/* Does so. */
void backoff_rest(long rest);
