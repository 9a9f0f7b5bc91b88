/* SPDX-License-Identifier: MIT */
/*
 * How false hits stop a generator of training data, and what fixes it (YaneuraOu's gensfen, by Motohiro Isozaki). All games
 * begin with the same searches of a fixed depth, in a small table with narrow signatures that is never cleared. One entry of
 * a lost position, found under the key of a position near the start, then ends each game by its score, and nothing
 * comes into the table any more that displaces it.
 *
 *     blocked game   ended by its score before the first random move: no game of this opening can be that good
 *     incident       a blocked game after one that was not, in the same table
 *     fall           an incident of HAZARD_FALL_GAMES blocked games in succession. The table is wiped, the run continues
 *
 * A run is one row with one seed, in one thread, so that it repeats to the last count: HAZARD_PLAYERS players take games
 * by turns, as the threads of a generator would. Threads play different runs. docs/gensfen.md has what came of it.
 */
#pragma once
#include "datagen/selfplay.h"

enum { HAZARD_FALL_GAMES = 100, HAZARD_PLAYERS = 4, HAZARD_BITS_MAX = 48 };

/* The rows: without a fix, with each alone, with all. Strict generations are generations, too. */
enum { HAZARD_NONE, HAZARD_PARTITION, HAZARD_GENERATIONS, HAZARD_STRICT, HAZARD_ALL, HAZARD_ROWS };

typedef struct {
    unsigned depth;          /* of the search of each move */
    unsigned signature_bits; /* 8 to HAZARD_BITS_MAX */
    unsigned score_limit;    /* in centipawns; a score of so many ends a game */
    uint64_t bytes;          /* of the tables of all players together */
    uint64_t nodes;          /* of a run; it ends with the game that reaches so many */
    uint64_t seed;           /* of the first run of a row; the others count up */
    unsigned seeds, threads;
    /* After each game, by one thread at a time: nodes so far, and the share of all. May be NULL. */
    void (*show)(void *context, double nodes, double share);
    void *context;
} HazardRequest;

/* Sums of the runs that are complete. */
typedef struct {
    const char *fix;
    unsigned seeds, seeds_fallen;
    uint64_t games, blocked; /* not blocked; blocked */
    uint64_t incidents, falls, nodes;
    /* Falls for a million games that were not blocked, and the 95 % limits. */
    double rate, low, high;
} HazardRow;

/* Plays the runs of all rows, until a stop is requested (base/stop.h). False with an error: no memory, no thread. */
bool hazard_measure(const HazardRequest *request, HazardRow rows[HAZARD_ROWS], TabiaError *error);

/* Does the table fail without a fix, and never with strict generations? */
bool hazard_holds(const HazardRow rows[HAZARD_ROWS]);

/* The 95 % limits of a mean of which n events were counted: Poisson, exact (Frank Garwood, 1936). */
void hazard_interval(uint64_t n, double *low, double *high);
