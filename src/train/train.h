/* SPDX-License-Identifier: MIT */
/*
 * Trains the evaluation's network: logistic regression by gradient descent over batches (network_step.h) of samples that are
 * read as a stream (sample_stream.h).
 *
 * A few million positions are not enough to learn the value of pieces on all squares. So the network is first trained on
 * synthetic samples (synthetic_samples.h), labelled by a static evaluation, and then on scores and results.
 *
 * The result depends on options and data alone: not on the number of threads, nor on where the training was stopped or
 * killed. With the network (FILE) come
 *
 *     FILE             the network of the last epoch, rounded to the engine's integers
 *     FILE.best        that of the epoch with the least validation error; a synthetic epoch is none
 *     FILE.checkpoint  what a training resumes from (checkpoint.h), until it is over
 *     FILE.log         errors and rates (train_log.h)
 */
#pragma once
#include "eval/evaluate.h"
#include "float_network.h"
#include "sample_statistics.h"

typedef struct {
    unsigned synthetic_epochs; /* before the others: on synthetic samples only */
    unsigned epochs;
    uint64_t epoch_samples; /* of each epoch; 0: all training samples, once */
    EvaluationType synthetic_labels;
    double synthetic_fraction; /* of the samples of `epochs` that are replaced by synthetic ones, 0 to 1 */
    unsigned batch;            /* samples for a step */
    uint64_t shuffle;          /* samples that are shuffled together: sample_stream.h */
    double rate;               /* at the beginning: of the synthetic epochs, and again of the others */
    double finetune_rate;      /* factor on the rate after the synthetic epochs */
    double result_weight;      /* of the target, 0 to 1 */
    double td_lambda;          /* of the scores: sample_reader.h */
    NetworkShape shape;        /* of a new network */
    const Network *from;       /* initial weights and shape; NULL: random weights */
    uint64_t seed;             /* of the random weights and the order of samples */
    unsigned threads;          /* do not change the result */
} TrainOptions;

/* After each batch; the report after the last batch of an epoch has the validation error too. */
typedef struct {
    unsigned epoch; /* from 1, synthetic epochs first */
    bool epoch_ends;
    bool is_best;                            /* of the epochs so far, by the validation error */
    double error, validation_error, rate, k; /* error: mean over the samples of this epoch so far */
    double seconds;                          /* of the training, before it went on too */
    uint64_t done, all;                      /* samples of this epoch */
    uint64_t done_here;                      /* samples since the training began or went on */
    uint64_t left;                           /* samples of all epochs to come */
    size_t validation; /* size of the validation set; 0: too few samples, and validation_error is undefined */
} TrainReport;

typedef struct {
    const char *path;          /* FILE */
    bool force;                /* begins anew, whatever FILE and FILE.checkpoint hold */
    bool resume;               /* resumes from FILE.checkpoint, if there is one */
    double checkpoint_seconds; /* between two checkpoints */
    /* Returns false to stop. May be NULL. */
    bool (*report)(void *context, const TrainReport *report);
    void *context;
} TrainJob;

/* False with an error: FILE, or one that is written along with it, exists, and the job has neither resume nor force. */
bool train_may_begin(const TrainJob *job, TabiaError *error);
/* A job with resume, whose FILE is there and FILE.checkpoint is not: nothing is left to do. */
bool train_is_over(const TrainJob *job);

/* Trains on the source that the statistics are of. DATA_STOPPED: FILE is the network so far, and a job with `resume` continues
   it. DATA_BAD_INPUT, with an error: the files have changed, FILE.checkpoint is of another training, or is there and is not to
   be resumed. DATA_SYSTEM_ERROR, with an error: memory, threads or a file failed; the last checkpoint stays. */
DataOutcome train_network(const TrainOptions *options, const TrainJob *job, DataSource *source,
                          const SampleStatistics *statistics, TabiaError *error);
