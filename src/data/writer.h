/* SPDX-License-Identifier: MIT */
/*
 * A writer encodes records into a file, in one of two modes.
 *
 *   atomic    the file appears under its name when it is complete; after a failure nothing is left. Checksums of the file that it
 *             replaces go first, and those of its own come last: whenever the power is cut, FILE.sums is of FILE or is not there
 *   growing   the file exists from the beginning and grows block by block, with checksums beside it
 *             (block_checksums.h). A run that is killed leaves complete blocks, and data_writer_resume continues behind
 *             the last. If the caller ends blocks after the same records, the file is the same byte for byte however
 *             often the run was killed
 *
 * Threads: a writer belongs to one thread at a time. A generator's workers finish games in any order, and one thread at
 * a time writes them in the order of their numbers:
 *
 *   w = resume ? data_writer_resume(path, format, &prefix, &error) : data_writer_create_growing(path, format, &error);
 *   for (game = prefix.resume_point; ...; game++) {
 *       for each record: good = data_write(w, &record, &error);
 *       if (the block is full) good = data_writer_flush_block(w, game + 1, &error);
 *   }
 *   good = data_writer_close(w, next, &stats, &error);
 */
#pragma once
#include "block_checksums.h"
#include "data/encode.h"

enum { DATA_BLOCK_TARGET_BYTES = 1 << 20 }; /* a good size for a block */

typedef struct DataWriter DataWriter;

/* What was written: by this writer, and before it if the file was resumed. */
typedef struct {
    uint64_t records, games, bytes;       /* of the file */
    uint64_t rejected[DATA_REJECTIONS_N]; /* records not written by this writer, by reason */
    uint64_t lost[DATA_FIELDS_N];         /* records that lost this field, by this writer */
} DataWriteStats;

/* Creates a file that appears when it is complete. "-" is standard output, which is written as it comes. The writer
   ends blocks itself; with_checksums writes FILE.sums too. Null with an error. */
DataWriter *data_writer_create_atomic(const char *path, const DataFormat *format, bool with_checksums,
                                      TabiaError *error);

/* Creates a file that grows. It must not exist yet, or be empty, so that no data are lost. Null with an error. */
DataWriter *data_writer_create_growing(const char *path, const DataFormat *format, TabiaError *error);

/* Resumes a growing file: what a kill left behind its valid prefix is truncated, and *prefix describes the rest. A file that
   does not exist is created, with an empty prefix. from_block 0: damage is an error, which names the block; N: block N and those
   behind it are truncated, damaged or not, and the ones before it must be valid. Null with an error. */
DataWriter *data_writer_resume(const char *path, const DataFormat *format, uint64_t from_block, DataPrefix *prefix,
                               TabiaError *error);

/* Adds a record; one that is rejected is counted instead. False with an error: out of memory, or the disk is full; a
   growing file then ends with its last complete block. */
bool data_write(DataWriter *w, const DataRecord *r, TabiaError *error);

/* Ends the open game and writes the pending bytes as a block with a resume point; no block if nothing is pending. */
bool data_writer_flush_block(DataWriter *w, uint64_t resume_point, TabiaError *error);

/* The format that it writes. */
const DataFormat *data_writer_format(const DataWriter *w);

/* What was written so far. */
DataWriteStats data_writer_stats(const DataWriter *w);

/* Records that were not written, for all reasons together. */
uint64_t data_rejected_total(const DataWriteStats *stats);

/* Writes the pending bytes as a block with that resume point, syncs the file, lets an atomic file appear, and frees w.
   *stats (may be null) receives what was written. False with an error; w is freed all the same. */
bool data_writer_close(DataWriter *w, uint64_t resume_point, DataWriteStats *stats, TabiaError *error);

/* Frees w without writing: an atomic file does not appear, a growing one ends with its last block. Null is allowed. */
void data_writer_abort(DataWriter *w);
