/* SPDX-License-Identifier: MIT */
/*
 * Writing records to a file, in one of two ways.
 *
 *   whole     the file appears under its name when it is finished and not before; on failure nothing is left
 *   growing   the file is there from the beginning and grows block by block, with checksums beside it (sums.h): a
 *             killed run leaves whole blocks, and data_writer_resume goes on after the last. When the blocks end where
 *             the caller says, and after the same records, the file is the same byte for byte however often it was
 *             killed
 *
 * A writer belongs to one thread. A generator has its workers hand over games and writes them in order:
 *
 *   w = resume ? data_writer_resume(path, format, &prefix, &fault) : data_writer_grow(path, format, &fault);
 *   for (game = prefix.mark; ...; game++) {
 *       for each record: good = data_write(w, &record, &fault);
 *       if (there are enough for a block) good = data_writer_block(w, game + 1, &fault);
 *   }
 *   good = data_writer_finish(w, next, &told, &fault);
 */
#pragma once
#include "block_checksums.h"
#include "data/encode.h"

enum { DATA_BLOCK_BYTES = 1 << 20 }; /* a good size for a block */

typedef struct DataWriter DataWriter;

/* What was written: by this writer, and with what the file held when it was resumed. */
typedef struct {
    uint64_t records, games, bytes; /* of the file */
    uint64_t unfit[DATA_UNFITS_N];  /* not written, by this writer, by the reason */
    uint64_t lost[DATA_FIELDS_N];   /* records that lost this field, by this writer */
} DataWritten;

/* A file that appears when it is whole. "-" is standard output, which of course cannot. Blocks are made as it goes;
   with_sums leaves FILE.sums beside it too. Null with a fault. */
DataWriter *data_writer_whole(const char *path, const DataFormat *format, bool with_sums, Fault *fault);

/* A file that grows; it must not exist yet, or be empty, so that nobody's data is lost. Null with a fault. */
DataWriter *data_writer_grow(const char *path, const DataFormat *format, Fault *fault);

/* Goes on with one that was left: what lies behind its valid prefix is cut off, and *prefix says what is there.
   A file that does not exist yet is grown, with a prefix of nothing. Null with a fault. */
DataWriter *data_writer_resume(const char *path, const DataFormat *format, DataPrefix *prefix, Fault *fault);

/* Adds a record; one that is unfit is counted and left out. False with a fault: no memory, or the disk is full; a
   growing file then ends with its last whole block. */
bool data_write(DataWriter *w, const DataRecord *r, Fault *fault);

/* Ends the open game and makes what is pending a block, with a mark for who resumes; nothing if nothing is pending. */
bool data_writer_block(DataWriter *w, uint64_t mark, Fault *fault);

/* The format that it writes. */
const DataFormat *data_writer_format(const DataWriter *w);

/* What was written so far. */
DataWritten data_writer_told(const DataWriter *w);

/* Records that were not written, for whatever reason. */
uint64_t data_written_unfit(const DataWritten *told);

/* Writes what is pending (as a block with that mark), carries all to the disk, lets a whole file appear, and frees w.
 *told (may be null) is what was written. False with a fault; w is freed all the same. */
bool data_writer_finish(DataWriter *w, uint64_t mark, DataWritten *told, Fault *fault);

/* Frees it without more: a whole file never was, a growing one ends with its last block. Null is fine. */
void data_writer_abandon(DataWriter *w);
