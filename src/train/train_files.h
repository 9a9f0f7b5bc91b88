/* SPDX-License-Identifier: MIT */
/* The files of a training (train.h): networks, checkpoint, log. Private to src/train. */
#pragma once
#include "checkpoint.h"
#include "train.h"
#include "train_log.h"

enum { TRAIN_PATH_MAX = 4096 };

typedef struct {
    const char *network;
    char best[TRAIN_PATH_MAX], checkpoint[TRAIN_PATH_MAX], log_path[TRAIN_PATH_MAX];
    char settings[CHECKPOINT_SETTINGS_MAX];
    TrainLog log;
} TrainFiles;

/* Opens the log. If the job resumes from a checkpoint, *state becomes what it holds. DATA_BAD_INPUT and DATA_SYSTEM_ERROR
   as of train_network. *files needs to be closed in any case. */
DataOutcome train_files_open(TrainFiles *files, const TrainJob *job, const TrainOptions *options,
                             const SampleStatistics *statistics, TrainState *state, TabiaError *error);

/* False with an error. The log's place is stored in the state; `best` writes FILE.best too; the last removes the
   checkpoint. */
bool train_files_log(TrainFiles *files, TrainState *state, const TrainLogLine *line, TabiaError *error);
bool train_files_checkpoint(const TrainFiles *files, const TrainState *state, TabiaError *error);
bool train_files_network(const TrainFiles *files, const FloatNetwork *network, bool best, TabiaError *error);
bool train_files_finish(const TrainFiles *files, const FloatNetwork *network, TabiaError *error);

void train_files_close(TrainFiles *files);
