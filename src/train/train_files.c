/* SPDX-License-Identifier: MIT */
#include "train_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/system.h"
#include "base/text.h"
#include "network/network_file.h"

/* ---- settings ---- */

/* All that decides the bytes of the network, a line each. */
static void write_settings(char *to, const TrainOptions *o, const SampleStatistics *statistics) {
    const NetworkShape shape = o->from ? o->from->shape : o->shape;
    to[0] = '\0';
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "data of %" PRIu64 " samples, checksum %016" PRIX64 "\n",
                      statistics->quiet, statistics->checksum);
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "validation set of %zu samples\n", statistics->validation.count);
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "width %u\noutputs %u\nmirrored %d\nfrom %016" PRIX64 "\n",
                      shape.width, shape.buckets, shape.mirrored, o->from ? o->from->identity : 0);
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "synthetic-epochs %u\nepochs %u\n", o->synthetic_epochs, o->epochs);
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "epoch-positions %" PRIu64 "\nsynthetic %g, evaluation %d\n",
                      o->epoch_samples, o->synthetic_fraction, (int)o->synthetic_labels);
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "batch %u\nshuffle %" PRIu64 "\n", o->batch, o->shuffle);
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "rate %.9g\nfinetune-rate %g\n", o->rate, o->finetune_rate);
    tabia_text_append(to, CHECKPOINT_SETTINGS_MAX, "wdl %g, td-lambda %g\nseed %" PRIu64 "\n", o->result_weight,
                      o->td_lambda, o->seed);
}

/* ---- opening ---- */

static bool name_files(TrainFiles *f, const char *network, TabiaError *error) {
    f->network = network;
    const int n = snprintf(f->checkpoint, TRAIN_PATH_MAX, "%s.checkpoint", network);
    snprintf(f->best, TRAIN_PATH_MAX, "%s.best", network);
    snprintf(f->log_path, TRAIN_PATH_MAX, "%s.log", network);
    return n < TRAIN_PATH_MAX || tabia_fail(error, "%.200s: the name is too long", network);
}

/* A checkpoint that is there is resumed from, or overwritten by request. */
static bool is_asked(const TrainFiles *f, const TrainJob *job, TabiaError *error) {
    return job->resume || job->force || access(f->checkpoint, F_OK) ||
           tabia_fail(error, "%s: belongs to an unfinished training; --resume continues it, --force begins anew",
                      f->checkpoint);
}

bool train_may_begin(const TrainJob *job, TabiaError *error) {
    TrainFiles f;
    if (!name_files(&f, job->path, error) || !is_asked(&f, job, error)) return false;
    const char *const written[] = {f.network, f.best, f.log_path};
    for (int i = 0; i < 3 && !job->resume && !job->force; i++)
        if (tabia_path_has_content(written[i]))
            return tabia_fail(error, "%s: exists already; --force overwrites it", written[i]);
    return true;
}

bool train_is_over(const TrainJob *job) {
    TrainFiles f;
    return job->resume && !job->force && tabia_path_has_content(job->path) && name_files(&f, job->path, NULL) &&
           access(f.checkpoint, F_OK);
}

DataOutcome train_files_open(TrainFiles *f, const TrainJob *job, const TrainOptions *options,
                             const SampleStatistics *statistics, TrainState *state, TabiaError *error) {
    *f = (TrainFiles){0};
    if (!name_files(f, job->path, error) || !is_asked(f, job, error)) return DATA_BAD_INPUT;
    write_settings(f->settings, options, statistics);
    const bool exists = job->resume && access(f->checkpoint, F_OK) == 0;
    if (exists && !checkpoint_read(f->checkpoint, f->settings, state, error)) return DATA_BAD_INPUT;
    if (!exists) unlink(f->best); /* of an earlier training */
    return train_log_open(&f->log, f->log_path, state->place.log_bytes, error) ? DATA_DONE : DATA_SYSTEM_ERROR;
}

/* ---- writing ---- */

bool train_files_log(TrainFiles *f, TrainState *state, const TrainLogLine *line, TabiaError *error) {
    if (!train_log_write(&f->log, line, error)) return false;
    state->place.log_bytes = f->log.bytes;
    return true;
}

bool train_files_checkpoint(const TrainFiles *f, const TrainState *state, TabiaError *error) {
    return train_log_sync(&f->log, error) && checkpoint_write(f->checkpoint, f->settings, state, error);
}

bool train_files_network(const TrainFiles *f, const FloatNetwork *network, bool best, TabiaError *error) {
    Network *quantized = tabia_aligned_get(_Alignof(Network), sizeof *quantized);
    if (!quantized) return tabia_fail(error, "%s: no memory to write it", f->network);
    network_quantize(quantized, network);
    const bool good =
        (!best || network_write(quantized, f->best, error)) && network_write(quantized, f->network, error);
    tabia_aligned_free(quantized);
    return good;
}

bool train_files_finish(const TrainFiles *f, const FloatNetwork *network, TabiaError *error) {
    return train_files_network(f, network, false, error) &&
           (unlink(f->checkpoint) == 0 ||
            tabia_fail(error, "%s: cannot be removed: %s", f->checkpoint, strerror(errno)));
}

void train_files_close(TrainFiles *f) {
    train_log_close(&f->log);
}
