/* SPDX-License-Identifier: MIT */
/* Stress by the library's own text with pauses in it, and, beside it, by the library's calls. */
#include "stress_pauses.h"

#include "stress_rounds.h"

void stress_rounds_paused(const StressWorld *w, StressWorker *me, unsigned rounds) {
    pauses_set(random_next(&me->seed), w->pause);
    const bool calls = w->what.way == STRESS_CALLS;
    switch (w->what.integrity) {
    case TABIA_LOCKED:
        if (calls)
            rounds_by_words(w, me, rounds, TABIA_LOCKED, true);
        else
            rounds_by_words(w, me, rounds, TABIA_LOCKED, false);
        return;
    case TABIA_NONE:
        if (calls)
            rounds_by_words(w, me, rounds, TABIA_NONE, true);
        else
            rounds_by_words(w, me, rounds, TABIA_NONE, false);
        return;
    case TABIA_WIDE:
        if (calls)
            rounds_text(w, me, rounds, 1, TABIA_WIDE, true);
        else
            rounds_text(w, me, rounds, 1, TABIA_WIDE, false);
        return;
    default:
        if (calls)
            rounds_by_words(w, me, rounds, TABIA_XOR, true);
        else
            rounds_by_words(w, me, rounds, TABIA_XOR, false);
        return;
    }
}
