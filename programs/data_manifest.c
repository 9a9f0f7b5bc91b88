/* SPDX-License-Identifier: MIT */
/* tabia data manifest: what the files of a data set hold, and how they were made. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "data/check.h"
#include "data/recognize.h"
#include "data_commands.h"
#include "data_texts.h"
#include "json_document.h"
#include "options.h"
#include "program.h"

static void print_fault(void *context, unsigned kind, const char *text) {
    DataCommandLine *line = context;
    (void)kind;
    if (!line->report.faults) return;
    line->report.faults = 0; /* the first of each file says enough */
    tabia_progress_end(&line->progress);
    fprintf(stderr, "%s %s: %s\n", program_texts.name, line->command, text);
}

static void note_name(const DataCommandLine *line, const char *path, const DataCheckReport *report) {
    TabiaError note;
    if (!report->named_format || line->report.quiet) return;
    data_misnamed(&note, path, report->format, report->named_format);
    fprintf(stderr, "%s %s: %s\n", program_texts.name, line->command, note.text);
}

/* Verifies a file and describes it; its exit status. */
static int describe(DataCommandLine *line, const char *path, DataPart *part) {
    const DataCheckOptions check = {.ignored = line->report.ignored,
                                    .score_limit = (int)line->report.score_limit,
                                    .on_fault = print_fault,
                                    .on_progress = data_line_progress,
                                    .context = line};
    DataCheckReport report;
    TabiaError error;
    part->path = realpath(path, NULL);
    if (!part->path) {
        tabia_fail(&error, "%.300s: has no absolute name: %s", path, strerror(errno));
        return report_error(line->command, &error, EXIT_USAGE);
    }
    line->report.faults = 1;
    tabia_progress_again(&line->progress);
    const DataOutcome outcome = data_check_file(path, line->input.format, &check, &report, &error);
    tabia_progress_end(&line->progress);
    if (outcome != DATA_DONE) return data_line_finish(line, outcome, &error);
    note_name(line, path, &report);
    if (report.fault_count) {
        tabia_fail(&error, "%.200s: has %ju faults; %s data verify names them, --ignore forgives them", path,
                   (uintmax_t)report.fault_count, program_texts.name);
        return report_error(line->command, &error, EXIT_DIFFERS);
    }
    part->format = strdup(report.format->name);
    part->records = report.records, part->games = report.games;
    if (part->format && data_file_checksum(path, &part->bytes, &part->checksum, &error)) return EXIT_GOOD;
    if (!part->format) tabia_fail(&error, "out of memory");
    return *error.text ? report_error(line->command, &error, EXIT_OUTSIDE) : EXIT_STOPPED;
}

static int describe_all(DataCommandLine *line, DataManifest *set) {
    int status = EXIT_GOOD;
    option_progress_begin(&line->progress, line->report.quiet, line->report.progress, "records");
    for (unsigned i = 0; i < line->input.count && status == EXIT_GOOD; i++) {
        set->count = i + 1;
        status = describe(line, line->input.paths[i], &set->parts[i]);
    }
    return status;
}

/* What the set holds in all. */
static bool print_sums(const DataCommandLine *line, const DataManifest *set, TabiaError *error) {
    uint64_t records = 0, games = 0, bytes = 0;
    for (unsigned i = 0; i < set->count; i++)
        records += set->parts[i].records, games += set->parts[i].games, bytes += set->parts[i].bytes;
    if (!line->report.json) {
        printf("%s: %u files, %ju records of %ju games, %ju bytes\n", line->output.paths[0], set->count,
               (uintmax_t)records, (uintmax_t)games, (uintmax_t)bytes);
        return true;
    }
    Json j;
    json_document(&j, line->command);
    tabia_json_text(&j, "manifest", line->output.paths[0]);
    tabia_json_integer(&j, "files", set->count);
    tabia_json_count(&j, "records", records);
    tabia_json_count(&j, "games", games);
    tabia_json_count(&j, "bytes", bytes);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static bool parse(DataCommandLine *line, int argc, char **argv, TabiaError *error) {
    if (!data_line_parse(line, argc, argv, "data manifest",
                         ACCEPTS_OUT | ACCEPTS_IGNORE | ACCEPTS_SCORE_LIMIT | ACCEPTS_JSON | ACCEPTS_QUIET, error))
        return false;
    if (line->help) return true;
    if (line->output.count > 1 || !data_is_manifest(line->output.paths[0]))
        return tabia_fail(error, "--out: one name that ends with .json");
    return true;
}

int data_manifest_command(int argc, char **argv) {
    DataCommandLine line;
    TabiaError error;
    if (!parse(&line, argc, argv, &error)) return report_error(line.command, &error, EXIT_USAGE);
    if (line.help) return data_print_help(DATA_HELP_MANIFEST), EXIT_GOOD;
    DataManifest set = {.parts = calloc(line.input.count, sizeof *set.parts)};
    if (!set.parts) return tabia_fail(&error, "out of memory"), report_error(line.command, &error, EXIT_OUTSIDE);
    const JsonOrigin origin = json_origin(line.command);
    int status = describe_all(&line, &set);
    if (status == EXIT_GOOD &&
        !(data_manifest_write(line.output.paths[0], &origin, &set, &error) && print_sums(&line, &set, &error)))
        status = report_error(line.command, &error, EXIT_OUTSIDE);
    data_manifest_free(&set);
    return status;
}
