/* SPDX-License-Identifier: MIT */
/* Which records are learnt from. */
#pragma once
#include <stdlib.h>

#include "data/record.h"
#include "game.h"

/* Not marked to be skipped, its evaluation not about to change by force, its score below `most`: what an evaluation can
   be asked about. */
INLINE bool record_is_quiet(const DataRecord *r, int most) {
    return !r->skip && !in_check(&r->position) && (!r->move || game_is_quiet(&r->position, r->move)) &&
           abs(r->score) < most;
}
