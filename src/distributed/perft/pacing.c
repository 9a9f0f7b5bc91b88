/* SPDX-License-Identifier: MIT */
#include "pacing.h"

#include <assert.h>

unsigned pacing_next(Pacing *p, double now) {
    enum { PIECES_MAX = 16 };
    static const double goal = 200e-6; /* seconds */
    const bool is_slow = now - p->stepped_at > goal;
    p->stepped_at = now;
    p->pieces = is_slow ? (p->pieces + 1) / 2 : p->pieces < PIECES_MAX ? p->pieces + 1 : PIECES_MAX;
    if (!p->pieces) p->pieces = 1;
    assert(p->pieces <= PIECES_MAX);
    return p->pieces;
}
