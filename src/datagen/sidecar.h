/* SPDX-License-Identifier: MIT */
/*
 * FILE.json, beside a file of generated data: what it takes to make it again, and what came of it.
 *
 *     { "generator": "tabia", "version": ..., "options": { every setting }, "state": "running" | "finished",
 *       "counts": [ { "next_game": ..., "positions": ..., "games": ..., ... } ] }
 *
 * It is written whole or not at all, before each block of data and at the end. `counts` has two members then: as after
 * the block before and as after this one. Whichever way a run is killed, one of them fits the blocks that are there, by
 * the number of the game that comes next, and a run that goes on counts on from that.
 */
#pragma once
#include "selfplay.h"

typedef struct {
    uint64_t next_game; /* the mark of the block before it */
    uint64_t positions, bytes;
    Counts counts;
} Snapshot;

enum { SIDECAR_PATH_MAX = 4096 };

/* Writes it: the snapshots from `n` on, 1 or 2 of them. False with an error. */
bool sidecar_write(const char *data_path, const Settings *s, const Snapshot *snapshots, unsigned n, bool finished,
                   TabiaError *error);

/* Are the settings those of the file's own sidecar? False with an error that names the first that differs. */
bool sidecar_compare(const char *data_path, const Settings *s, TabiaError *error);

/* Reads the snapshot that belongs to next_game. False if there is none: then *snapshot is nothing but next_game. */
bool sidecar_snapshot(const char *data_path, uint64_t next_game, Snapshot *snapshot);
