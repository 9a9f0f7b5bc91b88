/* SPDX-License-Identifier: MIT */
#include "pacing.h"

#include <assert.h>

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
