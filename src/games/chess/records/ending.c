/* SPDX-License-Identifier: MIT */
#include "records/ending.h"

#include <stddef.h>

const char *position_ending(const Position *p, int *result) {
    if (moves_count(p)) return NULL;
    *result = in_check(p) ? -1 : 0;
    return *result ? "mate" : "stalemate";
}
