/* SPDX-License-Identifier: MIT */
/* The same stress with the words XORed as they are, without a hash: what Hyatt and Mann did, and what it lets
   through. */
#define TABIA_CHECK CHECK_PLAIN
#include "stress_pauses.h"

#include "stress_rounds.h"

void stress_rounds_plain(const StressFixture *f, StressWorker *me, unsigned rounds) {
    pauses_set(random_next(&me->seed), f->pause);
    rounds_by_words(f, me, rounds, false);
}
