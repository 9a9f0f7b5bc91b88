/* SPDX-License-Identifier: MIT */
/*
 * Checksums of the blocks of a data file, in a text file beside it (FILE.sums). They show how far a file is valid, so
 * that a generator that was killed resumes there:
 *
 *   tabia-sums 1 viri
 *   1048612 21033 212 212 5f0c1d2e3b4a5968 9c1b44d0
 *   |       |     |   |   |                ^ checksum of the line before it, 32 bits
 *   |       |     |   |   ^ XXH3 of the block's bytes
 *   |       |     |   ^ resume point: a number of the caller's, for example that of the next game
 *   |       |     ^ games started in it
 *   |       ^ records in it
 *   ^ bytes of the block; blocks follow each other from byte 0 on
 *
 * A block is written first, then its line, each by one write. So a line with a valid checksum implies a block that was
 * written. The valid prefix of a file consists of the leading blocks whose lines and bytes match their checksums.
 */
#pragma once
#include "format.h"

typedef struct {
    uint64_t bytes, records, games, resume_point;
    uint64_t checksum; /* tabia_checksum of its bytes */
} DataBlock;

typedef struct {
    uint64_t blocks, bytes, records, games; /* of the valid prefix */
    uint64_t resume_point;                  /* of its last block; 0 without a block */
    uint64_t checksum_file_bytes;           /* length of the part of FILE.sums that describes it */
    uint64_t file_bytes;                    /* length of the data file */
    bool complete;                          /* the prefix is all of the file, and of FILE.sums */
} DataPrefix;

/* "FILE.sums" to out, for the name of a data file. False with an error if it is too long. */
enum { DATA_PATH_MAX = 4096 };
bool data_checksums_path(const char *path, char out[DATA_PATH_MAX], TabiaError *error);

/* Reads both files and finds the valid prefix. *reason names the first block that is not part of it, and is empty if the
   prefix is complete. False with an error if FILE.sums is missing, belongs to another format, or a file cannot be read.
   Reads the data file once, one block at a time. */
bool data_checksums_prefix(const char *path, const DataFormat *format, DataPrefix *prefix, TabiaError *reason,
                           TabiaError *error);

/* Appends the header, or the line of a block, to an open checksum file. False with an error. */
bool data_checksums_begin(int file, const DataFormat *format, TabiaError *error);
bool data_checksums_append(int file, const DataBlock *block, TabiaError *error);
