/* SPDX-License-Identifier: MIT */
/*
 * Training data with new scores: each position is searched, its score becomes that of the search, and all else stays as it
 * was: position, move, result, order.
 *
 *     file --> units of some games --> threads, each with a search of its own --> units in their order --> file
 *
 * A unit is searched with a wiped table and cleared histories, and its positions follow from the file alone. So the bytes
 * that are written depend on settings and input, not on the number of threads. The file grows block by block
 * (data/writer.h), each with the number of records of the input that are done: a run that was stopped or killed resumes
 * behind the last block, and writes the same file as one that was not. Memory: some units for each thread, whatever the
 * size of the files.
 *
 * A position knows the positions of its game before it, as far as they are in the file: repetitions count. Records that
 * are marked to be skipped keep their mark.
 */
#pragma once
#include "data/source.h"
#include "data/writer.h"
#include "settings.h"

/* What decides the bytes, beside the input. FILE.json (sidecar.h) holds them. */
typedef struct {
    DatagenSearchLimits search; /* depth2 is not used */
    const Network *network;     /* the caller's; NULL: the one that is built in */
    uint64_t hash_bytes;        /* of the table of each thread */
    const DataFormat *format;
} RescoreSettings;

typedef struct {
    DataSource *source; /* the caller's, at its beginning; on_progress and context are the caller's too */
    const char *path;   /* of the output */
    unsigned threads;
    bool resume;         /* the file may exist */
    uint64_t from_block; /* as in a DatagenJob */
} RescoreJob;

typedef struct {
    uint64_t records;       /* of the file, before this run too */
    uint64_t resumed;       /* of these: that were in the file before this run */
    uint64_t input_records; /* that are done */
    uint64_t searched, nodes;
    uint64_t change_sum;    /* of the absolute changes of scores that are no mates */
    uint64_t changes;       /* how many these are */
    uint64_t turned;        /* scores that changed their sign */
    uint64_t unscored;      /* positions that had no score */
    DataWriteStats written; /* by this run */
    double seconds;
} RescoreProgress;

typedef struct {
    void (*show)(void *context, const RescoreProgress *progress); /* some times a second, by one thread at a time */
    void *context;
} RescoreCallbacks;

/*
 * Runs the job. DATA_STOPPED: by Ctrl-C; the file ends with a complete block, and a job with `resume` continues it.
 * DATA_BAD_INPUT, with an error: the input is faulty, or the output exists and is not to be resumed, or was written with
 * other settings or from other input. DATA_SYSTEM_ERROR, with an error: memory, threads or a file failed; complete blocks
 * stay. *progress is set in any case.
 */
DataOutcome rescore_run(const RescoreSettings *settings, const RescoreJob *job, const RescoreCallbacks *callbacks,
                        RescoreProgress *progress, TabiaError *error);
