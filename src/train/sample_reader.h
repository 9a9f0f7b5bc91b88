/* SPDX-License-Identifier: MIT */
/*
 * The samples of files of training data: of their quiet positions with scores below 3000. A part of them may be held out for validation: one block of neighbours in sixteen, so that few games are in both sets, as long as
 * the held-out samples are at most SAMPLES_VALIDATION_MAX.
 *
 * Threads: a reader belongs to one thread at a time.
 */
#pragma once
#include "data/source.h"
#include "sample.h"

enum { SAMPLES_VALIDATION_MAX = 1 << 20, SAMPLE_GAME_MAX = 512 };

typedef struct {
    DataSource *source; /* the caller's */
    bool holds_out;
    double td_lambda;  /* 0 to 1: each score's share that comes from the positions after it in the game */
    uint64_t count;    /* samples so far, held out or not; 0 before the first */
    int16_t own_score; /* of the last sample's search, not mixed */

    /* The game that is read: all of it, so that scores can be mixed with later ones; a longer one in pieces. */
    unsigned game_n, game_at;
    DataRecord game[SAMPLE_GAME_MAX], next;
    int16_t mixed[SAMPLE_GAME_MAX]; /* scores of the game */
    bool has_next;
} SampleReader;

/* Reads the next sample; *held_out (may be NULL) says whether it is one for validation. False at the end, or when
   reading cannot go on; reader->source->outcome says which. */
bool sample_read(SampleReader *reader, TrainSample *sample, bool *held_out, TabiaError *error);

/* Samples that are spread evenly over a stream of unknown length, at most `capacity`: every so many-th of them. All of a
   stream that is short enough. */
typedef struct {
    TrainSample *sample; /* NULL: none yet */
    size_t count, capacity;
    uint64_t seen, stride;
} SampleSpread;

/* Offers the next sample of the stream to a set that began as all 0 but for the capacity, which is even. False: out of
   memory. */
bool sample_spread_add(SampleSpread *spread, const TrainSample *sample);
void sample_spread_free(SampleSpread *spread);
