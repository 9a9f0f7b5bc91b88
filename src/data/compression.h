/* SPDX-License-Identifier: MIT */
/*
 * Data files compressed by zstd. What a file is compressed with shows in its first bytes when it is read, and in the
 * extension .zst when it is written:
 *
 *   games.viri.zst     frame | frame | ...     each block of a writer (writer.h) is one frame, with a checksum
 *
 * A file may be of frames of any number and size, as other programs write it. Frames that need more than 128 MiB to be
 * decompressed (zstd --long=28 and more) are an error.
 *
 * Threads: each object belongs to one thread at a time; the other functions have no state.
 */
#pragma once
#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DATA_COMPRESSED_EXTENSION ".zst"

/* True if the file's name says that its content is compressed: it ends with that, in any case of letters. */
bool data_is_compressed_name(const char *path);

/* The bytes that decide whether an input is compressed, and whether these are a frame's first. */
enum { DATA_COMPRESSION_MAGIC_BYTES = 4 };
bool data_is_compressed(const uint8_t first[DATA_COMPRESSION_MAGIC_BYTES]);

/* The program that n bytes, the first of a file, say it was compressed by, if it is another than zstd; else null. */
const char *data_foreign_compressor(const uint8_t *first, size_t n);

/* Decompresses what is read from elsewhere. */
typedef struct DataDecompressor DataDecompressor;

/* An input whose first bytes were already read. Null: out of memory. */
DataDecompressor *data_decompressor_create(const uint8_t first[DATA_COMPRESSION_MAGIC_BYTES]);

/* Where it wants the next compressed bytes to be put: at most *room of them, never 0. Only after data_decompress gave less
   than it was asked for. */
uint8_t *data_decompressor_input(DataDecompressor *d, size_t *room);

/* n bytes were put there; 0 is the end of the input. */
void data_decompressor_add(DataDecompressor *d, size_t n);

/* Writes up to n decompressed bytes to `to` and returns how many. Less than n: it needs input, or is at its end. */
size_t data_decompress(DataDecompressor *d, uint8_t *to, size_t n);

/* No more bytes come: the input has ended, or is faulty. */
bool data_decompressor_at_end(const DataDecompressor *d);

/* What is wrong with the input, a constant text; null if nothing is. */
const char *data_decompressor_error(const DataDecompressor *d);

/* The compressed bytes that it has taken. */
uint64_t data_decompressor_consumed(const DataDecompressor *d);

/* Null is allowed. */
void data_decompressor_free(DataDecompressor *d);

/* Compresses blocks into frames. */
typedef struct DataCompressor DataCompressor;

/* Null: out of memory. */
DataCompressor *data_compressor_create(void);

/* A block as a frame, which the compressor owns until the next call; *size receives its bytes. Equal blocks give equal
   frames, with the same version of libzstd. Null: out of memory. */
const uint8_t *data_compress(DataCompressor *c, const uint8_t *block, size_t n, size_t *size);

/* Null is allowed. */
void data_compressor_free(DataCompressor *c);
