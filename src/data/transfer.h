/* SPDX-License-Identifier: MIT */
/*
 * From files to files: all records as they are, some of them, in another order, without duplicates. Each reads records
 * as a stream and holds no more of them than the memory it is given; each leaves finishing the writers to the caller.
 *
 * What is chosen or moved is a unit: a record, or a whole game (by_games), which then stays together.
 */
#pragma once
#include "data/source.h"
#include "data/writer.h"

/* All records, in their order. */
DataOutcome data_convert(DataSource *s, DataWriter *w, Fault *fault);

/* In random order: each unit gets a random number, and they are sorted by it, in buckets on disk where `memory` bytes
   do not hold them all; so the order depends on the seed and the input alone. Buckets lie beside `beside`, under names
   that are gone before anybody sees them. */
typedef struct {
    uint64_t seed, memory;
    bool by_games;
    const char *beside; /* a path in a folder with room for 56 bytes a record */
} DataShuffle;
DataOutcome data_shuffle(DataSource *s, DataWriter *w, const DataShuffle *how, Fault *fault);

/* The first of equal positions (equal but for the two clocks), in their order, by keys of 128 bits: among 1e10
   different positions the chance that any two have one key is 1.5e-19. Where `memory` bytes do not hold all keys, the
   input is read several times, each time for a part of them. *twice counts what was left out. Records that are marked
   to be skipped stay, and what is equal to them stays too: nobody learns from them. */
typedef struct {
    uint64_t memory;
} DataDedupe;
DataOutcome data_dedupe(DataSource *s, DataWriter *w, const DataDedupe *how, uint64_t *twice, Fault *fault);

/* A sample, in the order of the input: exactly `units` units, all choices equally likely (the input is read twice;
   Knuth's algorithm S), or, if units is 0, each with the chance `share`. Only units of which the writer's format can
   hold a record are counted and drawn by `units`; too few of them are a fault of the input. */
typedef struct {
    uint64_t seed, units;
    double share;
    bool by_games;
} DataSample;
DataOutcome data_sample(DataSource *s, DataWriter *w, const DataSample *how, Fault *fault);

/* Each unit goes to one of n writers, to number i with the chance share[i] of their sum. */
typedef struct {
    uint64_t seed;
    const double *share;
    unsigned n;
    bool by_games;
} DataSplit;
DataOutcome data_split(DataSource *s, DataWriter *const *w, const DataSplit *how, Fault *fault);
