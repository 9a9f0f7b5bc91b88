/* SPDX-License-Identifier: MIT */
/*
 * A cursor reads the records of a file by their numbers, in any order: forward it reads on, backward it opens the file anew.
 *
 * Threads: a cursor belongs to one thread at a time.
 */
#pragma once
#include "data/recognize.h"

typedef struct {
    const char *path;         /* the caller's; what is no regular file can be read forward only */
    const DataFormat *format; /* null: detected */
    bool unverified;          /* the checksums beside the file are not looked at */

    /* The cursor's own state, which the caller may read; null before the first record. */
    DataReader *reader;
} DataCursor;

/* Reads record n, from 1. DATA_READ_END: the file has fewer records, data_reader_record_count(c->reader) of them.
   DATA_READ_BAD_RECORD and DATA_READ_ERROR with an error, also where the file cannot be opened. */
DataReadStatus data_cursor_read(DataCursor *c, uint64_t n, DataRecord *record, TabiaError *error);

void data_cursor_close(DataCursor *c);
