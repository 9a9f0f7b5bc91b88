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
 * A block is synced before its line is written, and the line before the next block. So a line with a valid checksum implies a
 * block that the disk has, and a killed writer leaves at most one line without its end. The valid prefix of a file consists of
 * the leading blocks whose lines and bytes match their checksums; what else is there besides is damage.
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
    bool damaged;                           /* no writer that was killed leaves these two files */
} DataPrefix;

/* "FILE.sums" to out, for the name of a data file. False with an error if it is too long. */
enum { DATA_PATH_MAX = 4096 };
bool data_checksums_path(const char *path, char out[DATA_PATH_MAX], TabiaError *error);

/* Reads both files and finds the valid prefix, or the first blocks of it. *reason names the first block that is not part of it,
   and is empty if the prefix is complete. False with an error if FILE.sums is missing, belongs to another format, or a file cannot
   be read. Reads the data file once, one block at a time. */
bool data_checksums_prefix(const char *path, const DataFormat *format, uint64_t blocks_max, DataPrefix *prefix,
                           TabiaError *reason, TabiaError *error);

/* The checksums of a file that is read. A block is read and verified before the first of its records is used. */
typedef struct DataChecksums DataChecksums;

/* *c is NULL where there is no FILE.sums; path is the caller's. False with an error if it cannot be read. */
bool data_checksums_open(const char *path, DataChecksums **c, TabiaError *error);

/* Verifies the blocks that have the bytes from `from` to `to` - 1, which are not before those of the last call. */
bool data_checksums_cover(DataChecksums *c, uint64_t from, uint64_t to);

/* At the end of the file: is it that of its last block? */
bool data_checksums_end(DataChecksums *c);

/* Where the block begins that is not valid, and why, after a call that returned false. */
uint64_t data_checksums_bytes(const DataChecksums *c);
const char *data_checksums_reason(const DataChecksums *c);

/* Null is allowed. */
void data_checksums_close(DataChecksums *c);

/* Writes the header, or the line of a block, at the end of an open checksum file, which moves. False with an error. */
bool data_checksums_begin(int file, const DataFormat *format, uint64_t *end, TabiaError *error);
bool data_checksums_append(int file, const DataBlock *block, uint64_t *end, TabiaError *error);
