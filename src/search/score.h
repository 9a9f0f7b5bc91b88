/* SPDX-License-Identifier: MIT */
/*
 * Scores in centipawns for the side to move, and mates: SCORE_MATE - n is a mate in n plies. In the table a mate is
 * counted from its own position, in the search from the root.
 */
#pragma once
#include <assert.h>

#include "base/bits.h"
#include "tabia/entry.h"

enum {
    PLY_MAX = 120,
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_MATE_MIN = SCORE_MATE - 2 * PLY_MAX, /* the least score that is a mate */
    SCORE_RULE = SCORE_MATE_MIN - 1,           /* a repetition wins or loses (RULE - n: in n plies) */
    SCORE_SUPERIOR = 30000,                    /* a repetition as good as wins or loses */
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002, /* no evaluation: the side to move is in check */
};

INLINE int score_mated(int ply) {
    return -SCORE_MATE + ply;
}
INLINE bool score_is_mate(int score) {
    return score >= SCORE_MATE_MIN || score <= -SCORE_MATE_MIN;
}
/* Is it in range for a position's value relative to itself? From mated at once to mate in one ply. */
INLINE bool score_is_valid(int score) {
    return score >= -SCORE_MATE && score < SCORE_MATE;
}
INLINE int score_to_table(int score, int ply) {
    assert(ply >= 0 && ply <= PLY_MAX);
    return score >= SCORE_MATE_MIN ? score + ply : score <= -SCORE_MATE_MIN ? score - ply : score;
}
/* SCORE_NONE for a mate later than the draw that comes after so many plies. The mate may fall on the last ply. */
INLINE int score_from_table(int score, int ply, int plies_to_draw) {
    assert(ply >= 0 && ply <= PLY_MAX);
    if (score >= SCORE_MATE_MIN) return SCORE_MATE - score > plies_to_draw ? SCORE_NONE : score - ply;
    if (score <= -SCORE_MATE_MIN) return SCORE_MATE + score > plies_to_draw ? SCORE_NONE : score + ply;
    return score;
}
/* Does a score with this bound improve an estimate? */
INLINE bool score_bound_improves(int score, int bound, int estimate) {
    return bound == TABIA_BOUND_EXACT || bound == (score > estimate ? TABIA_BOUND_LOWER : TABIA_BOUND_UPPER);
}
/*
 * A mate score with a fitting bound is proven: it holds on every path and for every depth, if no draw comes before.
 */
INLINE bool score_is_proven_mate(int score, unsigned bound) {
    return (score >= SCORE_MATE_MIN && bound & TABIA_BOUND_LOWER) ||
           (score <= -SCORE_MATE_MIN && bound & TABIA_BOUND_UPPER);
}
