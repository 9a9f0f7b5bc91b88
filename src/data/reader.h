/* SPDX-License-Identifier: MIT */
/*
 * Reading records, one after the other, from a file, a pipe or memory. Nothing is believed: each position is validated,
 * each move is looked for among the legal ones, each number is checked against its range. What is read never crashes,
 * whatever the bytes are, and a file larger than memory is read in a megabyte.
 */
#pragma once
#include "data/format.h"

#include <stddef.h>

typedef enum {
    DATA_GOOD,   /* a record */
    DATA_AT_END, /* no more, and all was well */
    DATA_BAD,    /* a faulty record was skipped: fault says where and why; reading goes on after it */
    DATA_BROKEN, /* reading cannot go on: a truncated tail, or the system failed; fault says which */
} DataRead;

typedef struct DataReader DataReader;

/* Opens a file; "-" is standard input. The format, if null, is told from the content where it begins with a mark
   (binpack, plain) or else from the name. Null with a fault. */
DataReader *data_reader_open(const char *path, const DataFormat *format, Fault *fault);

/* Reads bytes that stay the caller's. Null with a fault: no memory. */
DataReader *data_reader_memory(const void *data, size_t bytes, const DataFormat *format, Fault *fault);

/* Reads the next record. Faults begin with the number of the record, from 1, and the offset of its first byte:
   "record 17, byte 640: ..."; in plain the number of the line follows. When the program is asked to stop (base/stop.h),
   a read that waits comes back as if the input ended there: ask tabia_stop_requested() before what it says is believed.
   After DATA_AT_END and DATA_BROKEN it gives the same again. */
DataRead data_read(DataReader *r, DataRecord *record, Fault *fault);

const DataFormat *data_reader_format(const DataReader *r);
uint64_t data_reader_size(const DataReader *r);    /* bytes of the file; 0: not known (a pipe) */
uint64_t data_reader_offset(const DataReader *r);  /* bytes read so far */
uint64_t data_reader_begin(const DataReader *r);   /* where the record begins that was read last */
uint64_t data_reader_records(const DataReader *r); /* good and bad ones so far: the number of the last */

/* Null is fine. */
void data_reader_close(DataReader *r);
