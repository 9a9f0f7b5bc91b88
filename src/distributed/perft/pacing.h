/* SPDX-License-Identifier: MIT */
/*
 * How much work a rank does between two looks at the clock and at its messages, in rounds (rank_worker.h). A round of a
 * shallow count is done in microseconds, of which a poll would be a twentieth; of a deep one a single round lasts longer
 * than other ranks should wait. All work items of a step are submitted first and then counted: what submits and what
 * counts would drive each other from the caches.
 *
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
    double stepped_at; /* seconds: when the last step began */
    unsigned rounds;   /* of the last step */
} Pacing;

/* At the start of a step, at `now` seconds: how many rounds of work it does, 1 to 16. One more than the last, or half of
   them where the last step took more than 200 us. */
unsigned pacing_next(Pacing *p, double now);

/* All zero at the beginning. */
typedef struct {
    unsigned idle_steps;
} Backoff;

enum { BACKOFF_YIELD = 0, BACKOFF_NONE = -1 };

/* After each step. What to do now: BACKOFF_NONE, BACKOFF_YIELD, or nanoseconds to sleep. */
long backoff_next(Backoff *b, bool is_idle);

/* Does so. */
void backoff_rest(long rest);
