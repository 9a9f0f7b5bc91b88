/* SPDX-License-Identifier: MIT */
/* Which records an evaluation can be fitted to. */
#pragma once
#include <stdlib.h>

#include "data/record.h"
#include "game.h"

/* True if the record is not marked to be skipped, the side to move is not in check, the move neither captures nor
   promotes, and the absolute score is below `limit`. */
INLINE bool record_is_quiet(const DataRecord *r, int limit) {
    return !r->skip && !in_check(&r->position) && (!r->move || game_is_quiet(&r->position, r->move)) &&
           abs(r->score) < limit;
}
