/* SPDX-License-Identifier: MIT */
/*
 * The records of several files, one after the other, as the tools read them: with the name of the file in every fault,
 * an eye on Ctrl-C, and word of how far it is.
 */
#pragma once
#include "data/reader.h"

typedef struct {
    uint64_t records, bad; /* good and bad ones so far */
    uint64_t bytes, total; /* read; of all files, 0 if not known */
} DataProgress;

/* What part is done, 0 to 1; negative: not known. */
INLINE double data_progress_share(const DataProgress *p) {
    return p->total ? (double)p->bytes / (double)p->total : -1;
}

/* How a job on a source ended. With all but DATA_DONE and DATA_STOPPED the fault says why. */
typedef enum {
    DATA_DONE,
    DATA_INPUT,   /* what was read is faulty, cannot be opened, or is of no known format */
    DATA_OUTSIDE, /* memory, a file that cannot be written */
    DATA_STOPPED, /* Ctrl-C (base/stop.h) */
} DataOutcome;

typedef struct {
    const char *const *path; /* "-" is standard input; it, pipes and devices can be read once only */
    unsigned paths;
    const DataFormat *format; /* of all; null: each as its content or name says */
    bool skip_bad;            /* bad records are counted and passed over; a truncated tail ends its file */
    void (*progress)(void *context, const DataProgress *progress); /* every few thousand records; may be null */
    void *context;

    /* The rest is the source's own; all zero before the first record. */
    DataOutcome outcome;
    unsigned next;
    DataReader *reader;
    DataProgress at;
    uint64_t bytes_before;
    Fault first_bad; /* the first that was passed over; empty if none */
} DataSource;

/* Reads the next record. False at the end of the last file, or when it can go no further; s->outcome says which: then a
   bad record that is not to be skipped is DATA_INPUT. */
bool data_source_next(DataSource *s, DataRecord *r, Fault *fault);

/* The format of the first file; null with a fault if it cannot be told, or only by reading what can be read once. */
const DataFormat *data_source_format(const DataSource *s, Fault *fault);

/* Back to the first record: for work in several passes. False with a fault where something can be read once only. */
bool data_source_again(DataSource *s, Fault *fault);

/* Closes what is open. */
void data_source_close(DataSource *s);

/* A number by which the work of a pass may be bounded before it is done: at most that many records are in the files. */
uint64_t data_source_most(const DataSource *s);
