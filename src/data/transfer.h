/* SPDX-License-Identifier: MIT */
/*
 * Operations from a source to a writer: copy all records, sample some, shuffle them, remove duplicates, split them. Each
 * reads records as a stream and holds no more of them than the memory it is given. The caller closes the writers.
 *
 * What is chosen or moved is a unit: a record, or a whole game (by_games), whose records stay together.
 */
#pragma once
#include "data/source.h"
#include "data/writer.h"

/* The format to write: `wanted`, or that of the extension of `path`, or that of the first file; wanted and path may be
   null. Null with an error if the source's format does not store what it requires. */
const DataFormat *data_output_format(const DataSource *s, const DataFormat *wanted, const char *path,
                                     TabiaError *error);

/* Copies all records, in their order. */
DataOutcome data_convert(DataSource *s, DataWriter *w, TabiaError *error);

/* Writes the units in random order: each gets a random sort key, and they are sorted, in buckets on disk where `memory`
   bytes do not hold them all. So the order depends on the seed and the input only. Bucket files are created beside
   temp_prefix and unlinked at once. */
typedef struct {
    uint64_t seed, memory; /* memory in bytes */
    bool by_games;
    const char *temp_prefix; /* a file name in a folder with 56 bytes of free space for each record */
} DataShuffleOptions;
DataOutcome data_shuffle(DataSource *s, DataWriter *w, const DataShuffleOptions *options, TabiaError *error);

/* Writes the first of equal positions (equal but for the move counters), in their order, compared by 128-bit keys: among
   1e10 different positions the probability that any two have the same key is 1.5e-19. Where `memory` bytes do not hold
   all keys, the input is read several times, each time for a subset of the keys. *duplicates receives the number of
   records left out. Records marked to be skipped are always written, and make no other record a duplicate. */
typedef struct {
    uint64_t memory; /* bytes */
} DataDedupeOptions;
DataOutcome data_dedupe(DataSource *s, DataWriter *w, const DataDedupeOptions *options, uint64_t *duplicates,
                        TabiaError *error);

/* Writes a random sample, in the order of the input: exactly `units` units, all choices equally likely (the input is
   read twice; Knuth's algorithm S), or, if units is 0, each with the probability `fraction`. Only units of which the
   writer's format can store a record are counted and drawn by `units`; too few of them are DATA_BAD_INPUT. */
typedef struct {
    uint64_t seed, units;
    double fraction;
    bool by_games;
} DataSampleOptions;
DataOutcome data_sample(DataSource *s, DataWriter *w, const DataSampleOptions *options, TabiaError *error);

/* Writes each unit to one of n writers, to writer i with a probability proportional to weight[i]. */
typedef struct {
    uint64_t seed;
    const double *weight;
    unsigned n;
    bool by_games;
} DataSplitOptions;
DataOutcome data_split(DataSource *s, DataWriter *const *w, const DataSplitOptions *options, TabiaError *error);
