/* SPDX-License-Identifier: MIT */
#include "train_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/json.h"
#include "base/system.h"

static bool fail(const TrainLog *log, TabiaError *error) {
    return tabia_fail(error, "%s: cannot be written: %s", log->path, strerror(errno));
}

bool train_log_open(TrainLog *log, const char *path, uint64_t bytes, TabiaError *error) {
    uint64_t size;
    *log = (TrainLog){.path = path, .bytes = bytes, .file = tabia_file_open_write(path)};
    if (log->file < 0 || tabia_file_kind(log->file, &size) == PATH_NONE) return fail(log, error);
    if (size < bytes)
        return tabia_fail(error, "%s: is shorter than it was; a training resumes only with its whole log", path);
    return (tabia_file_truncate(log->file, bytes) && tabia_folder_sync(path)) || fail(log, error);
}

static void write_members(Json *j, const TrainLogLine *line) {
    char processor[PROCESSOR_TEXT_MAX];
    tabia_json_text(j, "kind", line->is_epoch ? "epoch" : "part");
    tabia_json_count(j, "epoch", line->epoch);
    tabia_json_boolean(j, "synthetic", line->synthetic);
    tabia_json_count(j, "samples", line->samples);
    tabia_json_count(j, "all_samples", line->all_samples);
    tabia_json_real(j, "error", line->error);
    if (line->validation_error >= 0) tabia_json_real(j, "validation_error", line->validation_error);
    if (line->is_epoch) tabia_json_boolean(j, "best", line->is_best);
    tabia_json_real(j, "rate", line->rate);
    tabia_json_real(j, "seconds", line->seconds);
    tabia_json_real(j, "samples_per_second", line->samples_per_second);
    if (!line->is_epoch) return;
    tabia_processor_name(processor);
    tabia_json_text(j, "processor", processor);
}

bool train_log_write(TrainLog *log, const TrainLogLine *line, TabiaError *error) {
    Json j;
    TabiaError cause;
    char *text = NULL;
    size_t bytes;
    FILE *out = tabia_buffer_begin(&text, &bytes);
    if (!out) return fail(log, error);
    tabia_json_begin(&j, out);
    tabia_json_object(&j, NULL);
    write_members(&j, line);
    tabia_json_close(&j);
    bool written = tabia_json_end_line(&j, &cause);
    const int lost = tabia_buffer_end(out, &text, &bytes);
    if (written && lost) written = tabia_fail(&cause, "%s", strerror(lost));
    const bool good = written ? tabia_file_write_all(log->file, text, bytes, log->bytes) || fail(log, error)
                              : tabia_fail(error, "%s: %s", log->path, cause.text);
    if (good) log->bytes += bytes;
    free(text);
    return good;
}

bool train_log_sync(const TrainLog *log, TabiaError *error) {
    return tabia_file_sync(log->file) || fail(log, error);
}

void train_log_close(TrainLog *log) {
    if (log->file > 0) close(log->file);
    *log = (TrainLog){0};
}
