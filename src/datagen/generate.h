/* SPDX-License-Identifier: MIT */
/*
 * A run of the generator: games on many threads, written in the order of their numbers.
 *
 *     workers    take the number of the next game, play it, put it into the window
 *     window     a ring of finished games; no game begins that lies further ahead than the window holds
 *     in order   the thread that finishes the next game writes it, and the finished games behind it
 *     blocks     end after the game that fills them, so their ends follow from the games alone
 *
 * So the file is the same byte for byte for any number of threads and after any number of kills: a run that resumes
 * plays again what lies behind the last complete block. This does not hold with a shared table, where each thread finds
 * what the others store.
 */
#pragma once
#include "selfplay.h"
#include "sidecar.h"

typedef struct {
    const char *path;
    uint64_t positions; /* at least so many, and complete games; a run that resumes with more extends the file */
    unsigned threads;
    bool resume; /* the file may exist */
    uint64_t
        from_block; /* resumes with this block, whatever is behind it; 1: begins anew, whatever is there; 0: neither */
} DatagenJob;

typedef struct {
    DatagenCounts counts; /* of the whole file */
    uint64_t positions, bytes, next_game;
    uint64_t
        file_games;   /* set at the end of a run: games as a reader counts them. A position that is not written splits
                            a game, and a game without positions is none */
    uint64_t resumed; /* positions that were in the file before this run */
    double seconds;   /* of this run */
} DatagenProgress;

typedef struct {
    bool (*stop)(void *context); /* polled by all threads between moves; may be NULL */
    /* Called some times a second, by one thread at a time; may be NULL. */
    void (*show)(void *context, const DatagenProgress *progress);
    void *context;
} DatagenCallbacks;

typedef enum { DATAGEN_DONE, DATAGEN_STOPPED, DATAGEN_REFUSED, DATAGEN_FAILED } DatagenOutcome;

/*
 * Runs the job. The settings have passed datagen_settings_check, and the checksum of the book is set. Stopped: the file
 * ends with a complete block, and a run with `resume` continues it. Refused, with an error: a file that exists, or has
 * other settings. Failed: no memory, nothing to write, or the disk; complete blocks stay. *progress is set in any case.
 */
DatagenOutcome datagen_run(const DatagenSettings *s, const Openings *o, const DatagenJob *job,
                           const DatagenCallbacks *callbacks, DatagenProgress *progress, TabiaError *error);
