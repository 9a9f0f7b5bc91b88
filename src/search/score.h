/* SPDX-License-Identifier: MIT */
/*
 * Scores, in centipawns for the side to move, and mates: SCORE_MATE - n is a mate in n plies from here, so that nearer
 * ones are better. In the table a mate is counted from its own position, in the search from the root.
 */
#pragma once
#include "game.h"
#include "tabia/entry.h"

enum {
    PLY_MAX = 120,
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_MATE_LEAST = SCORE_MATE - 2 * PLY_MAX, /* from here on a score is a mate */
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002, /* no evaluation: the side to move is in check */
};

INLINE int score_mated(int ply) {
    return -SCORE_MATE + ply;
}
INLINE bool score_is_mate(int score) {
    return score >= SCORE_MATE_LEAST || score <= -SCORE_MATE_LEAST;
}
/* Can it be a position's value, seen from itself? Mated at once, to mate with the next ply. */
INLINE bool score_is_sane(int score) {
    return score >= -SCORE_MATE && score < SCORE_MATE;
}
INLINE int score_to_table(int score, int ply) {
    return score >= SCORE_MATE_LEAST ? score + ply : score <= -SCORE_MATE_LEAST ? score - ply : score;
}
/* SCORE_NONE for a mate that the 50-move rule forestalls: it says nothing here. The mate may fall on the last ply. */
INLINE int score_from_table(int score, int ply, int clock) {
    if (score >= SCORE_MATE_LEAST) return SCORE_MATE - score > GAME_CLOCK_END - clock ? SCORE_NONE : score - ply;
    if (score <= -SCORE_MATE_LEAST) return SCORE_MATE + score > GAME_CLOCK_END - clock ? SCORE_NONE : score + ply;
    return score;
}
/* Does a score with this bound say more than an estimate? */
INLINE bool score_bounds(int score, int bound, int estimate) {
    return bound == TABIA_BOUND_EXACT || bound == (score > estimate ? TABIA_BOUND_LOWER : TABIA_BOUND_UPPER);
}
/* A mate that was found, as far as the bound goes, is one on every path and to any depth, if the clock has room. */
INLINE bool score_is_proof(int score, unsigned bound) {
    return (score >= SCORE_MATE_LEAST && bound & TABIA_BOUND_LOWER) ||
           (score <= -SCORE_MATE_LEAST && bound & TABIA_BOUND_UPPER);
}
