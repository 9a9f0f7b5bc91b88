/* SPDX-License-Identifier: MIT */
/*
 * How much work a rank does between two looks at the clock and at its messages, in rounds (rank_worker.h). A round of a
 * shallow count is done in microseconds, of which a poll would be a twentieth; of a deep one a single round lasts longer
 * than other ranks should wait. All work items of a step are submitted first and then counted: what submits and what
 * counts would drive each other from the caches.
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
