/* SPDX-License-Identifier: MIT */
/*
 * Path keys: the part of the game's history that an entry's score depends on (Wegner, "semi-path-dependent hashing").
 * Bucket and signature depend on the position alone, so that the move is found whatever the path; the score is used
 * only if the path key is equal. What it is, each game says (path.h).
 */
#pragma once
#include "game.h"
#include "score.h"

/*
 * The bound that an entry implies at another path key, where path keys count plies. With fewer plies left a score is
 * no further from the draw score, on the same side of it: an upper bound from a lower count holds if it is not below
 * the draw, a lower bound from a higher one if it is above, and so for the other side. Sets score_ok if a bound
 * remains. Mates are left out: their distance tells whether they hold.
 */
INLINE void path_key_transfer_bound(TabiaHit *hit, uint64_t path_key) {
    TabiaEntry *e = &hit->entry;
    const bool had_more = hit->path < path_key; /* plies left, when it was searched */
    unsigned bound = e->bound & (had_more == (e->score >= 0) ? TABIA_BOUND_UPPER : TABIA_BOUND_LOWER);
    if (e->score == SCORE_DRAW) bound = had_more ? e->bound : 0;
    if (score_is_mate(e->score) || !bound) return;
    e->bound = (uint8_t)bound;
    hit->score_ok = true;
}
