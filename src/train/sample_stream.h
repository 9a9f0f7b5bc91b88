/* SPDX-License-Identifier: MIT */
/*
 * The samples in the order in which a training takes them: pass after pass over the files, each pass in chunks of
 * neighbouring samples, each chunk shuffled on its own. Memory: two chunks, whatever the size of the files; a thread of
 * the stream's reads the next chunk while this one is trained on. Files that fit into one chunk are read once.
 *
 *     files:   [ a b c d e f g h i j ... ]    held-out samples are left out
 *     stream:  [ c a d b ] [ h e g f ] ...    a pass, with another order in each
 *
 * The order depends on the seed, the samples and the size of a chunk, so that a stream may begin at any place of a
 * former one: a training that resumes gets the samples that it would have got.
 *
 * Threads: a stream belongs to one thread at a time.
 */
#pragma once
#include "sample_reader.h"

typedef struct SampleStream SampleStream;

typedef struct {
    uint64_t seed;
    uint64_t pass_samples; /* of one pass over the files, without those held out */
    size_t chunk_samples;
    bool holds_out;
    double td_lambda;
    uint64_t from; /* samples of all passes before the first */
} SampleStreamOptions;

/* The source (the caller's) is rewound and used until the stream is closed. NULL with an error. */
SampleStream *sample_stream_open(DataSource *source, const SampleStreamOptions *options, TabiaError *error);

/* Takes the next n samples. DATA_DONE, or why there are none: the source's outcome, and DATA_BAD_INPUT if the files have
   other samples than before. */
DataOutcome sample_stream_take(SampleStream *s, TrainSample *to, size_t n, TabiaError *error);

/* Ends the thread and frees the stream; NULL is allowed. */
void sample_stream_close(SampleStream *s);
