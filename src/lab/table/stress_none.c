/* SPDX-License-Identifier: MIT */
/* The same stress without a check: it must let something through, or the stress is none. */
#define TABIA_CHECK CHECK_NONE
#include "stress_pauses.h"

#include "stress_rounds.h"

void stress_rounds_none(const StressFixture *f, StressWorker *me, unsigned rounds) {
    pauses_set(random_next(&me->seed), f->pause);
    rounds_by_words(f, me, rounds, false);
}
