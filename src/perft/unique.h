/* SPDX-License-Identifier: MIT */
/*
 * How many different positions stand each number of plies below the root, and by how many paths they are reached
 * altogether (which is perft: a check on both). Positions are the same when board, turn, castling rights and legal en
 * passant captures are (OEIS A083276 counts from the start position so).
 *
 * A ply is made from the ply before it, which is kept: its positions and the paths to each. Its children go into a set that
 * holds each once (child_set.h), in passes over parts of the key space if memory is less:
 *
 *     kept ply n-1   o o o o o o o o           every pass walks all parents and keeps its part:
 *                     \|/ \|/ \|/ ...          | part 0 | part 1 | part 2 | ... of the keys
 *
 * Of the last ply only keys are held. With a folder for the work, kept plies are files, and a ledger has what is done: the
 * same job resumes after the last pass of the last ply, or after the last kept ply.
 */
#pragma once
#include "kernel.h"

typedef struct {
    int ply;
    uint64_t positions;  /* different ones */
    uint64_t ready, any; /* by the other definitions (ply_position.h), if the job asks for them */
    U128 paths;          /* the sum of their multiplicities */
} UniquePly;

/* How far a ply is: parents walked, in passes over the same `all`; a pass over a part of the key space counts for that part. */
typedef struct {
    int ply;
    uint64_t done, all;
} UniqueProgress;

typedef struct {
    Position root;
    int depth;
    unsigned threads;          /* 0: one for each core that may be used */
    const PerftKernel *kernel; /* NULL: the fastest */
    uint64_t keys_seed;
    bool all_definitions; /* of en passant, and not only the legal one */
    const char *work_dir; /* a folder for kept plies, or NULL: they are kept in memory */
    uint64_t memory;      /* bytes that all of it may take; 0: half of what is there */
    /* Called after each ply, by the calling thread; true ends the work there. */
    bool (*each)(void *context, const UniquePly *ply);
    /* Called many times a second during a ply, by the calling thread. True ends the work. Both may be NULL. */
    bool (*watch)(void *context, const UniqueProgress *progress);
    void *context;
} UniqueJob;

/* False with an error when memory or the disk is full. A request to stop (base/stop.h) ends it too, sooner than watch. */
bool unique_run(const UniqueJob *job, TabiaError *error);
