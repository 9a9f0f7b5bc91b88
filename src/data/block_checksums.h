/* SPDX-License-Identifier: MIT */
/*
 * Checksums of a data file, block by block, in a text beside it (FILE.sums). They tell how far a file is whole, so that
 * a generator that was killed goes on from there:
 *
 *   tabia-sums 1 viri
 *   1048612 21033 212 212 5f0c1d2e3b4a5968 9c1b44d0
 *   |       |     |   |   |                ^ checksum of the line before it, 32 bits
 *   |       |     |   |   ^ XXH3 of the block's bytes
 *   |       |     |   ^ the caller's mark: what comes next, for example the number of the next game
 *   |       |     ^ games begun in it
 *   |       ^ records in it
 *   ^ bytes of the block; blocks follow each other from byte 0 on
 *
 * A block is written first, then its line, each by one write; so a line that is whole speaks of a block that is. The
 * valid prefix of a file is made of the leading blocks whose lines are whole and whose bytes have their checksum.
 */
#pragma once
#include "format.h"

typedef struct {
    uint64_t bytes, records, games, mark;
    uint64_t sum; /* tabia_checksum of its bytes */
} DataBlock;

typedef struct {
    uint64_t blocks, bytes, records, games; /* of the valid prefix */
    uint64_t mark;                          /* of its last block; 0 without one */
    uint64_t sums_bytes;                    /* the part of FILE.sums that speaks of it */
    uint64_t file_bytes;                    /* the data file's length */
    bool whole;                             /* the prefix is all of the file, and FILE.sums says no more */
} DataPrefix;

/* "FILE.sums" to out, for the path of a data file; false with a fault if it is too long. */
enum { DATA_PATH_MAX = 4096 };
bool data_sums_path(const char *path, char out[DATA_PATH_MAX], Fault *fault);

/* Reads both files and finds the valid prefix; the first block that is not part of it is named in *why (empty if all is
   whole). False with a fault if there is no sums file, if it is of another format, or if one cannot be read. Reads the
   whole data file once, a block at a time. */
bool data_sums_prefix(const char *path, const DataFormat *format, DataPrefix *prefix, Fault *why, Fault *fault);

/* Appends the line of a block to an open sums file; its head is written by data_sums_begin. False with a fault. */
bool data_sums_begin(int file, const DataFormat *format, Fault *fault);
bool data_sums_append(int file, const DataBlock *block, Fault *fault);
