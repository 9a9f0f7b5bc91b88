/* SPDX-License-Identifier: MIT */
/*
 * An experiment with the fault that generators of training data were known for. With narrow signatures a probe now and
 * then finds another position's entry. A search that goes on repairs that in its next iteration; one that ends at a
 * fixed depth does not, and stores what it made of it under its own key. When every game begins in the same position
 * and nobody clears the table, what went wrong near there is met by all games to come, and in YaneuraOu's gensfen their
 * first scores came to lie beyond the limit, so that they ended before a position was written.
 *
 * Each case plays such games for some seconds in its own kind of table, and counts what would be written, slice by
 * slice. Time is that of the processors, so that a busy machine bends no curve. What this search makes of it is told in
 * docs/gensfen.md.
 */
#pragma once
#include "generate/selfplay.h"

typedef struct {
    const char *name;
    TabiaSharing sharing;
    bool strict;
    bool narrow; /* signatures, as the job says; else all bits there are */
} CollisionCase;

/* The fault, and two cures: wide signatures, and a partition for each thread with strict generations. */
enum { COLLISION_CASES = 3, COLLISION_SLICES = 20 };
extern const CollisionCase collision_cases[COLLISION_CASES];

typedef struct {
    unsigned threads;
    unsigned depth, eval_limit, narrow_bits;
    uint64_t hash_bytes; /* of all threads together */
    double seconds;      /* of processor time for each thread */
    uint64_t seed;
    bool (*watch)(void *context, double done); /* 0 to 1; true ends the run; by one thread at a time */
    void *context;
} CollisionJob;

typedef struct {
    double at[COLLISION_SLICES];      /* the end of a slice, seconds of each thread */
    double rate[COLLISION_SLICES];    /* positions to be written a second of processor time */
    double plies[COLLISION_SLICES];   /* of a game, the mean; 0 without one */
    uint64_t positions, games, empty; /* empty: games without a position */
    double share_left;                /* the rate of the last quarter over that of the first two slices */
    bool whole;
} CollisionResult;

/* False with a fault: no memory, no thread. */
bool collisions_run(const CollisionCase *c, const CollisionJob *job, CollisionResult *result, Fault *fault);
