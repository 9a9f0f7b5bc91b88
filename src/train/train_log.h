/* SPDX-License-Identifier: MIT */
/*
 * The log of a training: one JSON object a line, for each sixteenth of an epoch ("part") and for each epoch.
 *
 *     {"kind": "part", "epoch": 3, "synthetic": false, "samples": 625000, "error": 0.0123, "rate": 0.0002, ...}
 *     {"kind": "epoch", "epoch": 3, "synthetic": false, "samples": 10000000, "error": 0.0121, "validation_error": ...}
 *
 * A training that resumes cuts off the lines that came after its checkpoint.
 */
#pragma once
#include <stdint.h>

#include "base/error.h"

typedef struct {
    int file;         /* 0 or less: none */
    const char *path; /* the caller's */
    uint64_t bytes;   /* of all lines */
} TrainLog;

typedef struct {
    unsigned epoch; /* from 1, synthetic epochs first */
    bool synthetic, is_epoch, is_best;
    uint64_t samples;               /* that the errors are the mean of */
    uint64_t all_samples;           /* since the beginning of the training */
    double error, validation_error; /* validation: negative: none */
    double rate, seconds, samples_per_second;
} TrainLogLine;

/* Opens a log and keeps its first `bytes` bytes. False with an error. */
bool train_log_open(TrainLog *log, const char *path, uint64_t bytes, TabiaError *error);

/* Adds a line, which survives the end of this process. False with an error. */
bool train_log_write(TrainLog *log, const TrainLogLine *line, TabiaError *error);

/* Waits until the disk has all lines, which a checkpoint needs. False with an error. */
bool train_log_sync(const TrainLog *log, TabiaError *error);

/* A log without a file is allowed. */
void train_log_close(TrainLog *log);
