/* SPDX-License-Identifier: MIT */
/*
 * An experiment with the fault that generators of training data were known for (YaneuraOu's gensfen, by Motohiro
 * Isozaki). With narrow signatures a probe now and then finds another position's entry. A search that goes on repairs
 * that in its next iteration; one that ends at a fixed depth does not, and may store what it found as the position's
 * own. When all games begin with the same searches and nobody clears the table, one such entry, that of a lost position
 * where there is none, ends every game to come: its first score lies beyond the limit, and nothing is written. As these
 * searches are always the same, nothing comes into the table any more that could displace the entry.
 *
 * Each case plays such games in its own kind of table, and counts what would be written, slice by slice of the run. A
 * run lasts so many seconds of processor time for each thread, so that a busy machine bends no curve, or so many nodes,
 * which with one thread repeats to the last count. The search is the engine's own, but that it counts false hits by a
 * part of the key that the signatures leave out (search.h, `shadow`). docs/gensfen.md tells what came of it.
 */
#pragma once
#include "datagen/selfplay.h"

typedef struct {
    const char *name;
    TabiaSharing sharing;
    TabiaIntegrity integrity;
    bool strict;
    bool narrow; /* signatures, as the settings say; else all bits there are beside the shadow: 32 */
    bool falls;  /* is its rate said to fall? Else to stay */
} CollisionCase;

/* The fault, and two cures: wide signatures, and a partition for each thread with strict generations. */
enum { COLLISION_CASES = 3, COLLISION_SLICES = 20, COLLISION_BITS_MOST = 32 };
extern const CollisionCase collision_cases[COLLISION_CASES];

typedef struct {
    const DatagenSettings *settings; /* of the games; hash_bytes are those of all threads together */
    unsigned threads;
    double seconds;                            /* of processor time for each thread; unless there are: */
    uint64_t nodes;                            /* of all threads together */
    bool (*watch)(void *context, double done); /* 0 to 1; true ends the run; by one thread at a time. NULL: nobody */
    void *context;
} CollisionJob;

/* A part of a run, as long as the others but for the games' lengths. */
typedef struct {
    uint64_t positions;    /* that would be written */
    uint64_t games, empty; /* empty: games without a position */
    uint64_t plies, nodes, false_hits;
    double seconds; /* of processor time, of all threads together */
} CollisionSlice;

typedef struct {
    CollisionSlice slice[COLLISION_SLICES];
    /* What is left of the rate, last quarter over first tenth; 1 if that had none. */
    double left, left_by_nodes;
    /* The quarter with the lowest rate, over the rate of the whole run. */
    double least_by_nodes;
} CollisionResult;

/* What is said: the rate that falls ends below a quarter, by time and by nodes; the one that stays is in every quarter
   at least nine tenths of the mean, by nodes, since how fast processors are depends on who else is there. */
#define COLLISION_FALL 0.25
#define COLLISION_STAY 0.9
bool collision_as_expected(const CollisionCase *c, const CollisionResult *r);

/* The games: as the original's, but for what docs/gensfen.md names. */
void collision_defaults(DatagenSettings *s);

/* The sum of the slices [from, to). */
CollisionSlice collision_sum(const CollisionResult *r, unsigned from, unsigned to);

/* Positions a second of processor time, and a million nodes; 0 of nothing. */
double collision_rate(CollisionSlice s);
double collision_rate_by_nodes(CollisionSlice s);

/* False with an error: no memory, no thread. */
bool collisions_run(const CollisionCase *c, const CollisionJob *job, CollisionResult *result, TabiaError *error);
