/* SPDX-License-Identifier: MIT */
/* Stress by the library's own text with pauses in it, and by the library's calls. */
#include "stress_pauses.h"

#include "stress_rounds.h"

void stress_rounds_paused(const StressFixture *f, StressWorker *me, unsigned rounds) {
    pauses_set(random_next(&me->seed), f->pause);
    rounds_by_words(f, me, rounds, false);
}

void stress_rounds_calls(const StressFixture *f, StressWorker *me, unsigned rounds) {
    rounds_by_words(f, me, rounds, true);
}
