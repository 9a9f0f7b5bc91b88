/* SPDX-License-Identifier: MIT */
/*
 * A first pass over training data: how much there is, what is held out for validation, and the k of its scores
 * (expected_score.h).
 */
#pragma once
#include "sample_reader.h"

typedef struct {
    uint64_t records, quiet; /* read; of these, quiet: samples */
    uint64_t training;       /* samples that are not held out */
    bool holds_out;          /* some of the source's samples are */
    uint64_t in_games;       /* samples whose record has neighbours in its game: td_lambda has no effect on others */
    uint64_t checksum;       /* of all samples: other data have another */
    double k;
    SampleSpread validation;
} SampleStatistics;

/* Reads the source once; validation (may be NULL) is another, of which at most SAMPLES_VALIDATION_MAX samples, spread over
   it, are the validation set. Without it samples of the source are held out (sample_reader.h). A source without quiet
   positions is DATA_BAD_INPUT. The caller frees *statistics, which needs no initialization, in any case. */
DataOutcome sample_statistics(SampleStatistics *statistics, DataSource *source, DataSource *validation,
                              double td_lambda, TabiaError *error);
void sample_statistics_free(SampleStatistics *statistics);
