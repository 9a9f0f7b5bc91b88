/* SPDX-License-Identifier: MIT */
#include "records/ending.h"

#include <stddef.h>

const char *position_ending(const Position *p, int *result) {
    if (moves_count(p)) return NULL;
    *result = -1;
    return in_check(p) ? "mate" : "no legal move";
}
