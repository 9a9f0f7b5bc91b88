/* SPDX-License-Identifier: MIT */
/*
 * FILE.json beside a file of generated or rescored data: the settings that reproduce it, and of generated data statistics.
 *
 *     { "generator": "tabia gensfen", "version": ..., "options": { every setting }, "state": "running" | "finished",
 *       "counts": [ { "next_game": ..., "positions": ..., "bytes": ..., "games": ..., ... } ] }
 *
 * It is replaced atomically, before each block of data and at the end. Before a block `counts` has two snapshots: as
 * after the last block and as after this one. Wherever a run is killed, one of them belongs to the blocks that are in
 * the file, by the number of the next game, and a run that resumes continues its counts.
 */
#pragma once
#include "counts.h"

/* What is compared when a run resumes. */
typedef struct {
    const char *generator;                                                /* "tabia gensfen" */
    bool (*text)(const void *settings, unsigned index, SettingText *out); /* by index; false past the last */
    const void *settings;
} SidecarSettings;

typedef struct {
    uint64_t next_game; /* the resume point of the block before it */
    uint64_t positions, bytes;
    DatagenCounts counts;
} SidecarSnapshot;

enum { SIDECAR_PATH_MAX = 4096 };

typedef enum { SIDECAR_RUNNING, SIDECAR_FINISHED } SidecarState;

/* Writes the sidecar with n snapshots, at most 2; without one it has no state either. False with an error. */
bool sidecar_write(const char *data_path, const SidecarSettings *s, const SidecarSnapshot *snapshots, unsigned n,
                   SidecarState state, TabiaError *error);

/* May a run write the file? If it (*exists), its sidecar or its checksums have bytes, a run that resumes may, with the sidecar's
   settings, which has no others. False with an error, which names the first setting that differs. */
bool sidecar_allows_run(const char *data_path, bool resume, const SidecarSettings *s, bool *exists, TabiaError *error);

/* Reads the snapshot with that next_game. False if there is none: then *snapshot is 0 but for next_game. */
bool sidecar_read_snapshot(const char *data_path, uint64_t next_game, SidecarSnapshot *snapshot);
