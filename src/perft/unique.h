/* SPDX-License-Identifier: MIT */
/*
 * How many different positions stand each number of plies below the root, and by how many paths they are reached
 * altogether (which is perft: a check on both). Positions are the same when board, turn, castling rights and legal en
 * passant captures are (OEIS A083276 counts from the start position so).
 *
 * Plies before the last are kept whole, one thread makes them. Of the last, the largest, only keys are kept, in passes: each
 * keeps the children whose key falls into its own part of the key space, so passes share nothing, run on different threads,
 * and need not be in memory together:
 *
 *        parents  o o o o o o o o            every pass walks all parents and keeps its part:
 *                  \|/ \|/ \|/ ...           | part 0 | part 1 | part 2 | ... of the keys
 */
#pragma once
#include "base/error.h"
#include "base/u128.h"
#include "rules/zobrist.h"

typedef struct {
    int ply;
    uint64_t positions; /* different ones */
    U128 paths;         /* the sum of their multiplicities */
} UniquePly;

/* How far a ply is: parents walked, by all passes together. */
typedef struct {
    int ply;
    uint64_t done, all;
} UniqueProgress;

typedef struct {
    Position root;
    int depth;
    unsigned threads; /* 0: one for each core that may be used */
    uint64_t keys_seed;
    /* Called after each ply, by the calling thread; true ends the work there. */
    bool (*each)(void *context, const UniquePly *ply);
    /* Called many times a second during a ply, by the calling thread. True ends the work. Both may be NULL. */
    bool (*watch)(void *context, const UniqueProgress *progress);
    void *context;
} UniqueJob;

/* False with an error when memory is out. A request to stop (base/stop.h) ends it too, sooner than watch. */
bool unique_run(const UniqueJob *job, TabiaError *error);
