/* SPDX-License-Identifier: MIT */
/*
 * A data set by part: a manifest, JSON, names its files, and says of each what it holds and how it was made.
 *
 *   { "tabia": {...}, "parts": [ { "file": "a.viri", "format": "viri", "bytes": 1048612, "records": 21033, "games": 212,
 *     "checksum": "5f0c1d2e3b4a5968", "generator": "tabia gensfen", "options": { "seed": "7", ... } } ] }
 *
 * A file is named from the manifest's folder, or by its absolute name where it lies elsewhere. Bytes and checksum are those
 * of the file as it is on the disk, compressed or not; the checksum is XXH3 with 64 bits, which `xxhsum -H3` prints. Generator
 * and options are those of the file that the generator left beside the part (FILE.json), if there is one.
 *
 * Threads: no shared state; any thread may call any function.
 */
#pragma once
#include "base/error.h"
#include "base/json.h"

typedef struct {
    char *path; /* to open it by */
    char *format;
    uint64_t bytes, records, games, checksum;
} DataPart;

typedef struct {
    DataPart *parts;
    unsigned count;
} DataManifest;

/* Does the name say that this is a manifest: FILE.json? */
bool data_is_manifest(const char *path);

/* Reads a manifest, at most 64 MiB. False with an error that names what is wrong, and nothing to free. */
bool data_manifest_read(const char *path, DataManifest *manifest, TabiaError *error);
void data_manifest_free(DataManifest *manifest);

/* Writes a manifest, whole or not at all. Parts lie where `path` is from; all have an absolute name in `path`. */
bool data_manifest_write(const char *path, const JsonOrigin *origin, const DataManifest *manifest, TabiaError *error);

/* Size and checksum of a file. False with an error, or without one (an empty text) when the program is asked to stop. */
bool data_file_checksum(const char *path, uint64_t *bytes, uint64_t *checksum, TabiaError *error);
