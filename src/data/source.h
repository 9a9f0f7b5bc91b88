/* SPDX-License-Identifier: MIT */
/*
 * A source is the concatenation of the records of several files, as the tools read them: it puts the file's name into
 * every error, stops at Ctrl-C, and reports progress.
 *
 * Threads: a source belongs to one thread at a time.
 */
#pragma once
#include "data/recognize.h"

typedef struct {
    uint64_t records, bad; /* good and bad records so far */
    uint64_t bytes, total; /* of the files: read so far; of all, 0 if unknown */
} DataProgress;

/* The fraction that is done, 0 to 1; negative: unknown. */
INLINE double data_progress_fraction(const DataProgress *p) {
    return p->total ? (double)p->bytes / (double)p->total : -1;
}

/* How an operation on a source ended. With DATA_BAD_INPUT and DATA_SYSTEM_ERROR the error says why. */
typedef enum {
    DATA_DONE,
    DATA_BAD_INPUT,    /* the input is faulty, cannot be opened, or is of no known format */
    DATA_SYSTEM_ERROR, /* out of memory, or a file cannot be written */
    DATA_STOPPED,      /* Ctrl-C (base/stop.h) */
} DataOutcome;

typedef struct {
    const char *const *paths; /* file names, the caller's; "-" is standard input. Standard input, pipes and devices can
                                 be read once only */
    unsigned path_count;
    const DataFormat *format; /* of all files; null: detected for each */
    bool skip_bad;            /* bad records are counted and skipped; a truncated tail ends its file */
    bool unverified;          /* checksums beside the files are not looked at; otherwise damage is DATA_BAD_INPUT */
    void (*on_progress)(void *context, const DataProgress *progress); /* every 4096 records; may be null */
    void (*on_note)(void *context, const char *text); /* a file's name contradicts its content; may be null */
    void *context;

    /* The source's own state; all zero before the first record. */
    DataOutcome outcome;
    unsigned next_path;
    unsigned noted_paths; /* the first ones, which on_note needs no more */
    DataReader *reader;
    DataProgress position;
    uint64_t closed_bytes; /* of the files before the open one */
    uint64_t unused;       /* records with bits that their format leaves unused */
    TabiaError first_bad;  /* of the first record that was skipped; empty if none */
} DataSource;

/* Reads the next record. False at the end of the last file, or when reading cannot go on; s->outcome says which. A bad
   record that is not to be skipped is DATA_BAD_INPUT, and so is the end where bad records were skipped and none was good. */
bool data_source_next(DataSource *s, DataRecord *r, TabiaError *error);

/* The format of the first file. Null with an error if it is unknown, or detection would consume an input that can be read
   once only. */
const DataFormat *data_source_format(const DataSource *s, TabiaError *error);

/* Back to the first record, for work in several passes. False with an error if an input can be read once only. */
bool data_source_rewind(DataSource *s, TabiaError *error);

/* Closes the open file. */
void data_source_close(DataSource *s);

/* An upper bound on the number of records, from the sizes of the files. UINT64_MAX
   where one is read once only, as standard input, pipes and devices are: nothing is known of it. */
uint64_t data_source_max_records(const DataSource *s);
