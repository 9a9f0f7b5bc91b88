/* SPDX-License-Identifier: MIT */
/*
 * A reader decodes the records of a file, a pipe or a buffer, one after the other. It trusts no input: each position is
 * validated, each move must be legal, each number must be in its range. No input makes it crash. Memory: 1 MiB, whatever
 * the size of the file.
 *
 * Threads: a reader belongs to one thread at a time.
 */
#pragma once
#include "data/format.h"

#include <stddef.h>

typedef enum {
    DATA_READ_OK,         /* a record */
    DATA_READ_END,        /* end of the input, without an error */
    DATA_READ_BAD_RECORD, /* a bad record was skipped, the error says which; the next call reads on behind it */
    DATA_READ_ERROR,      /* reading cannot go on: the input is truncated, or the system failed; the error says which */
} DataReadStatus;

typedef struct DataReader DataReader;

/* The first n bytes of an input, and whether that is all of it. */
typedef struct {
    const void *bytes;
    size_t n;
    bool is_all;
} DataInputStart;

/* A file as recognize.h opens it: its format is set before anything is read. Null with an error. */
DataReader *data_reader_begin(const char *path, TabiaError *error);
DataInputStart data_reader_start(DataReader *r);
/* named: the format of its name, if that is another one; or null. */
void data_reader_set_format(DataReader *r, const DataFormat *format, const DataFormat *named);

/* From now on only blocks are read that have the checksums beside the file, if there are any; path is the caller's. False with
   an error. */
bool data_reader_verify(DataReader *r, const char *path, TabiaError *error);

/* Did reading end before a block that has not? */
bool data_reader_is_damaged(const DataReader *r);

/* Reads a buffer, which the caller owns and keeps until the reader is closed. Null with an error: out of memory. */
DataReader *data_reader_memory(const void *data, size_t bytes, const DataFormat *format, TabiaError *error);

/* Reads the next record. An error begins with the number of the record, from 1, and the offset of its first byte:
   "record 17, byte 640: ..."; in plain the line number follows. When the program is asked to stop (base/stop.h), a read
   that waits returns as if the input ended there: check tabia_stop_requested() before using the status. After
   DATA_READ_END and DATA_READ_ERROR it returns the same again. */
DataReadStatus data_read(DataReader *r, DataRecord *record, TabiaError *error);

/* Skips records, good or bad, so that the next one to be read is number n, which is not behind the reader. A file whose
   records have one size is read from just before there; others are decoded. Like data_read; DATA_READ_OK even where the
   input ends before record n, which the next read tells. */
DataReadStatus data_reader_skip_to(DataReader *r, uint64_t n, TabiaError *error);

const DataFormat *data_reader_format(const DataReader *r);
/* The format of the file's extension where the bytes are another's; null: they agree, or the caller named the format. */
const DataFormat *data_reader_named_format(const DataReader *r);
uint64_t data_reader_size(const DataReader *r); /* bytes of the file; 0: unknown (a pipe) */
/* Reads over the rest of a file or a pipe. Returns the offset that it ends at: its size, if no stop was requested. */
uint64_t data_reader_drain(DataReader *r);
uint64_t data_reader_offset(const DataReader *r);        /* bytes read so far */
uint64_t data_reader_record_offset(const DataReader *r); /* offset of the record read last, in bytes */
uint64_t data_reader_record_count(const DataReader *r);  /* good and bad records so far: the number of the last */

/* Null is allowed. */
void data_reader_close(DataReader *r);
