/* SPDX-License-Identifier: MIT */
#include "records/move_counters.h"

#include <stdio.h>

const char *move_counters_text(const Position *p, char out[MOVE_COUNTERS_TEXT_MAX]) {
    snprintf(out, MOVE_COUNTERS_TEXT_MAX, "%u", p->ply);
    return out;
}

bool move_counters_possible(const Position *p, DataFields fields, unsigned ply, TabiaError *error) {
    (void)p, (void)fields, (void)ply, (void)error;
    return true;
}
