/* SPDX-License-Identifier: MIT */
/*
 * A file that a training resumes from: weights, moments of the optimizer, and the place in the samples. It is replaced
 * atomically, so that there is a whole one wherever the training is killed.
 *
 *     "TABIATRN" | version, bytes of the settings: 2 x 4 | settings | TrainPlace | weights | moments | checksum: 8
 *
 * Numbers are the machine's own: a training resumes on the machine that began it, since other processors round otherwise.
 */
#pragma once
#include "network_step.h"

/* The place of a training, and what it has counted so far. */
typedef struct {
    uint64_t samples;               /* taken from the stream, in all epochs */
    uint64_t epoch_samples;         /* of this epoch */
    uint64_t part_samples;          /* of this part of an epoch (train_log.h) */
    uint64_t log_bytes;             /* of the log's lines so far */
    double epoch_error, part_error; /* sums */
    double best_error;              /* least validation error so far; best_epoch 0: none */
    double seconds;                 /* that the training took, before it went on too */
    uint32_t epoch;                 /* from 1; one more than there are: the training is over */
    uint32_t best_epoch;
} TrainPlace;

typedef struct {
    TrainPlace place;
    FloatNetwork *network;
    NetworkMoments *moments;
} TrainState;

/* Lines "name value", each ended by a line break: what decides the bytes of the result. */
enum { CHECKPOINT_SETTINGS_MAX = 4096 };

/* False with an error. */
bool checkpoint_write(const char *path, const char *settings, const TrainState *state, TabiaError *error);

/* Reads what was written with the same settings. False with an error: there is no such file, it is damaged, or was
   written with other settings, of which the error names the first. */
bool checkpoint_read(const char *path, const char *settings, TrainState *state, TabiaError *error);
