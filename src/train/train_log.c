/* SPDX-License-Identifier: MIT */
#include "train_log.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/machine.h"

static bool fail(const TrainLog *log, TabiaError *error) {
    return tabia_fail(error, "%s: cannot be written: %s", log->path, strerror(errno));
}

bool train_log_open(TrainLog *log, const char *path, uint64_t bytes, TabiaError *error) {
    *log = (TrainLog){.path = path, .bytes = bytes};
    log->out = fopen(path, bytes ? "r+" : "w");
    if (!log->out) return fail(log, error);
    const bool good = !fseeko(log->out, 0, SEEK_END);
    if (good && (uint64_t)ftello(log->out) < bytes)
        return tabia_fail(error, "%s: is shorter than it was; a training resumes only with its whole log", path);
    if (!good || ftruncate(fileno(log->out), (off_t)bytes) || fseeko(log->out, 0, SEEK_END)) return fail(log, error);
    return true;
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
    tabia_json_real(j, "result_weight", line->result_weight);
    tabia_json_real(j, "seconds", line->seconds);
    tabia_json_real(j, "samples_per_second", line->samples_per_second);
    if (!line->is_epoch) return;
    tabia_processor_name(processor);
    tabia_json_text(j, "processor", processor);
}

bool train_log_write(TrainLog *log, const TrainLogLine *line, TabiaError *error) {
    Json j;
    TabiaError cause;
    tabia_json_begin(&j, log->out);
    tabia_json_object(&j, NULL);
    write_members(&j, line);
    tabia_json_close(&j);
    if (!tabia_json_end_line(&j, &cause)) return tabia_fail(error, "%s: %s", log->path, cause.text);
    log->bytes = (uint64_t)ftello(log->out);
    return true;
}

void train_log_close(TrainLog *log) {
    if (log->out) fclose(log->out);
    *log = (TrainLog){0};
}
