/* SPDX-License-Identifier: MIT */
/*
 * How often false hits stop a generator of training data: falls for each game, in the games of collisions.h, which all
 * begin with the same searched positions.
 *
 *     blocked game   ended by its score before the first random move: no game of this opening can be that good
 *     incident       a blocked game after one that was not, in the same table
 *     fall           an incident of HAZARD_FALL_GAMES blocked games in succession. The table is wiped, the run goes on
 *     hazard         falls / games that were not blocked
 *
 * The prediction counts no games. An incident needs the entry of another position, with a score beyond the limit for the side
 * that has just moved, as an upper bound and of enough draft, in the bucket of a position that follows a searched
 * position of the opening. Each such entry has the wanted signature with a probability of 2^-bits. So the prediction is
 * the number of these entries that came into such buckets, times 2^-bits. It has no free parameter.
 *
 * A run plays in one thread, so that it repeats to the last count. Players take games by turns, as threads would: in one
 * table, or each in a partition. Threads play different runs.
 */
#pragma once
#include "datagen/selfplay.h"

enum { HAZARD_FALL_GAMES = 100, HAZARD_PLAYERS_MAX = 64 };

/* What keeps false hits from others. Strict generations bring ages along, since a search without a generation of its
   own has none to be strict about. */
typedef struct {
    const char *name;
    bool partition, generations, strict;
} HazardCure;

enum {
    HAZARD_CURE_NONE,
    HAZARD_CURE_PARTITION,
    HAZARD_CURE_GENERATIONS,
    HAZARD_CURE_STRICT,
    HAZARD_CURE_ALL,
    HAZARD_CURES
};
extern const HazardCure hazard_cures[HAZARD_CURES];

typedef struct {
    const DatagenSettings *settings; /* of the games; hash_bytes are those of all players together */
    HazardCure cure;
    unsigned players;                            /* 1 to HAZARD_PLAYERS_MAX */
    uint64_t nodes;                              /* the run ends with the game that reaches so many */
    bool (*stop)(void *context);                 /* polled between moves; NULL: never */
    void (*show)(void *context, uint64_t nodes); /* after each game, nodes so far; NULL: nobody */
    void *context;
} HazardRun;

typedef struct {
    uint64_t games; /* that were not blocked */
    uint64_t incidents, falls;
    uint64_t nodes, positions, false_hits;
    uint64_t candidates; /* entries that would have been an incident with the wanted signature */
} HazardCounts;

/* Adds `more` to *sum. */
void hazard_add(HazardCounts *sum, const HazardCounts *more);

/* The incidents that the entries seen predict, for signatures of so many bits; 0 where a cure keeps all of them out. */
double hazard_predicted(const HazardCounts *counts, const HazardCure *cure, unsigned bits);

/* Plays one run. False with an error: no memory. A run that was stopped has the counts so far. */
bool hazard_run(const HazardRun *run, HazardCounts *counts, TabiaError *error);

/* The 95 % interval of a mean of which n events were counted: Poisson, exact (Frank Garwood, 1936). Events that come in
   clusters have a variance of `dispersion` times the mean, 1 or more: the interval is wider by its square root. */
void hazard_interval(uint64_t n, double dispersion, double *low, double *high);
