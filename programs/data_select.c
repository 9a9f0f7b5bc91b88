/* SPDX-License-Identifier: MIT */
/* tabia data convert, shuffle, dedupe, filter, sample: from some files to one. And split: to several. */
#include <stdio.h>

#include "commands.h"
#include "data/transfer.h"
#include "data_commands.h"
#include "data_filter.h"
#include "data_texts.h"
#include "json_document.h"
#include "options.h"

enum {
    ACCEPTS_OUTPUT = ACCEPTS_TO | ACCEPTS_OUT | ACCEPTS_CHECKSUMS | ACCEPTS_SKIP_BAD | ACCEPTS_JSON | ACCEPTS_QUIET
};

typedef struct {
    DataCommandLine line;
    DataSource source;
    const DataFormat *to;
    uint64_t duplicates;
    bool is_filter;
    FilterCounts filtered;
} TransferCommand;

typedef DataOutcome TransferFunction(TransferCommand *command, DataWriter *w, TabiaError *error);

static bool print_json(const TransferCommand *command, const DataReport *reports, unsigned n, TabiaError *error) {
    Json j;
    json_document(&j, command->line.command);
    tabia_json_count(&j, "read", command->source.position.records);
    tabia_json_count(&j, "bad", command->source.position.bad);
    if (command->duplicates) tabia_json_count(&j, "duplicates", command->duplicates);
    if (command->is_filter) data_filter_json(&j, &command->filtered);
    tabia_json_array(&j, "written");
    for (unsigned i = 0; i < n; i++) {
        tabia_json_object(&j, NULL);
        data_report_json(&j, &reports[i]);
        tabia_json_close(&j);
    }
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static int print_report(TransferCommand *command, const DataReport *reports, unsigned n, TabiaError *error) {
    const int status = data_line_finish(&command->line, DATA_DONE, error);
    if (command->line.report.json)
        return print_json(command, reports, n, error) ? status
                                                      : data_line_finish(&command->line, DATA_SYSTEM_ERROR, error);
    for (unsigned i = 0; i < n && !command->line.report.quiet; i++) data_report_text(&reports[i]);
    if (command->duplicates && !command->line.report.quiet)
        fprintf(stderr, "  duplicates: %ju positions removed\n", (uintmax_t)command->duplicates);
    if (!command->line.report.quiet) data_filter_text(&command->filtered);
    return status;
}

static DataWriter *open_output(const TransferCommand *command, unsigned i, TabiaError *error) {
    const DataOutputOptions *out = &command->line.output;
    return data_writer_create_atomic(out->paths[i], command->to, out->checksums, error);
}

/* Writes one file. */
static int run_one_output(TransferCommand *command, TransferFunction *transfer, TabiaError *error) {
    DataCommandLine *line = &command->line;
    if (line->output.count > 1)
        return tabia_fail(error, "--out: one file is written, not %u", line->output.count),
               data_line_finish(line, DATA_BAD_INPUT, error);
    command->source = data_line_source(line);
    command->to = data_line_output_format(line, &command->source, error);
    if (!command->to) return data_line_finish(line, DATA_BAD_INPUT, error);
    DataWriter *w = open_output(command, 0, error);
    if (!w) return data_line_finish(line, DATA_SYSTEM_ERROR, error);
    DataReport report = {.source = &command->source, .format = command->to, .path = line->output.paths[0]};
    DataOutcome outcome = transfer(command, w, error);
    data_source_close(&command->source);
    if (outcome == DATA_DONE)
        outcome = data_writer_close(w, 0, &report.stats, error) ? DATA_DONE : DATA_SYSTEM_ERROR;
    else
        data_writer_abort(w);
    return outcome == DATA_DONE ? print_report(command, &report, 1, error) : data_line_finish(line, outcome, error);
}

/* A command with one output file. */
typedef struct {
    const char *name;
    DataHelp help;
    unsigned accepted;                                             /* options besides ACCEPTS_OUTPUT */
    bool (*check)(const DataCommandLine *line, TabiaError *error); /* null: nothing to check */
    TransferFunction *transfer;
} TransferCommandType;

static int run_transfer(int argc, char **argv, const TransferCommandType *type) {
    TransferCommand command = {.is_filter = false};
    DataCommandLine *line = &command.line;
    TabiaError error;
    const bool good = data_line_parse(line, argc, argv, type->name, ACCEPTS_OUTPUT | type->accepted, &error) &&
                      (line->help || !type->check || type->check(line, &error));
    if (!good) return report_error(type->name, &error, EXIT_USAGE);
    if (line->help) return type->help == DATA_HELP_FILTER ? data_filter_help() : data_print_help(type->help), EXIT_GOOD;
    return run_one_output(&command, type->transfer, &error);
}

static DataOutcome convert(TransferCommand *command, DataWriter *w, TabiaError *error) {
    return data_convert(&command->source, w, error);
}
static DataOutcome shuffle(TransferCommand *command, DataWriter *w, TabiaError *error) {
    const DataCommandLine *l = &command->line;
    const DataShuffleOptions options = {.seed = l->selection.seed,
                                        .memory = l->selection.memory,
                                        .by_games = l->selection.by_games,
                                        .temp_prefix = l->output.paths[0]};
    return data_shuffle(&command->source, w, &options, error);
}
static DataOutcome dedupe(TransferCommand *command, DataWriter *w, TabiaError *error) {
    return data_dedupe(&command->source, w, &(DataDedupeOptions){.memory = command->line.selection.memory},
                       &command->duplicates, error);
}
static DataOutcome sample(TransferCommand *command, DataWriter *w, TabiaError *error) {
    const DataCommandLine *l = &command->line;
    const DataSampleOptions options = {.seed = l->selection.seed,
                                       .units = l->selection.count,
                                       .fraction = l->selection.fraction,
                                       .by_games = l->selection.by_games};
    return data_sample(&command->source, w, &options, error);
}
static DataOutcome filter(TransferCommand *command, DataWriter *w, TabiaError *error) {
    const DataFilterOptions options = {.rules = command->line.rules, .seed = command->line.selection.seed};
    command->is_filter = true;
    return data_filter(&command->source, w, &options, &command->filtered, error);
}
static bool check_sample(const DataCommandLine *line, TabiaError *error) {
    return (line->selection.count != 0) != (line->selection.fraction > 0) ||
           tabia_fail(error, "either --count N or --fraction X is needed");
}

int data_convert_command(int argc, char **argv) {
    const TransferCommandType type = {"data convert", DATA_HELP_CONVERT, 0, NULL, convert};
    return run_transfer(argc, argv, &type);
}
int data_shuffle_command(int argc, char **argv) {
    const TransferCommandType type = {"data shuffle", DATA_HELP_SHUFFLE, ACCEPTS_SEED | ACCEPTS_MEMORY | ACCEPTS_BY,
                                      NULL, shuffle};
    return run_transfer(argc, argv, &type);
}
int data_dedupe_command(int argc, char **argv) {
    const TransferCommandType type = {"data dedupe", DATA_HELP_DEDUPE, ACCEPTS_MEMORY, NULL, dedupe};
    return run_transfer(argc, argv, &type);
}
int data_filter_command(int argc, char **argv) {
    const TransferCommandType type = {"data filter", DATA_HELP_FILTER, ACCEPTS_SEED | ACCEPTS_RULES, NULL, filter};
    return run_transfer(argc, argv, &type);
}
int data_sample_command(int argc, char **argv) {
    const TransferCommandType type = {"data sample", DATA_HELP_SAMPLE,
                                      ACCEPTS_SEED | ACCEPTS_COUNT | ACCEPTS_FRACTION | ACCEPTS_BY, check_sample,
                                      sample};
    return run_transfer(argc, argv, &type);
}

/* ---- split ---- */

static DataOutcome open_outputs(TransferCommand *command, DataWriter **w, TabiaError *error) {
    for (unsigned i = 0; i < command->line.output.count; i++)
        if (!(w[i] = open_output(command, i, error))) return DATA_SYSTEM_ERROR;
    return DATA_DONE;
}

static int split(TransferCommand *command, TabiaError *error) {
    DataCommandLine *line = &command->line;
    DataWriter *w[DATA_OUTPUTS_MAX] = {0};
    DataReport reports[DATA_OUTPUTS_MAX];
    for (unsigned i = 0; i < line->output.count && !line->output.weight_count; i++) line->output.weights[i] = 1;
    if (!line->selection.has_by) line->selection.by_games = line->selection.has_by = true;
    command->source = data_line_source(line);
    command->to = data_line_output_format(line, &command->source, error);
    if (!command->to) return data_line_finish(line, DATA_BAD_INPUT, error);
    const DataSplitOptions options = {.seed = line->selection.seed,
                                      .weight = line->output.weights,
                                      .n = line->output.count,
                                      .by_games = line->selection.by_games};
    DataOutcome outcome = open_outputs(command, w, error);
    if (outcome == DATA_DONE) outcome = data_split(&command->source, w, &options, error);
    data_source_close(&command->source);
    for (unsigned i = 0; i < line->output.count; i++) {
        reports[i] = (DataReport){.source = &command->source, .format = command->to, .path = line->output.paths[i]};
        if (outcome != DATA_DONE)
            data_writer_abort(w[i]);
        else if (!data_writer_close(w[i], 0, &reports[i].stats, error))
            outcome = DATA_SYSTEM_ERROR;
    }
    return outcome == DATA_DONE ? print_report(command, reports, line->output.count, error)
                                : data_line_finish(line, outcome, error);
}

static bool check_split(const DataCommandLine *line, TabiaError *error) {
    if (line->output.count < 2) return tabia_fail(error, "--out FILE is needed at least twice");
    return !line->output.weight_count || line->output.weight_count == line->output.count ||
           tabia_fail(error, "--weights: %u numbers for %u files", line->output.weight_count, line->output.count);
}

int data_split_command(int argc, char **argv) {
    TransferCommand command = {.is_filter = false};
    TabiaError error;
    const bool good = data_line_parse(&command.line, argc, argv, "data split",
                                      ACCEPTS_OUTPUT | ACCEPTS_WEIGHTS | ACCEPTS_SEED | ACCEPTS_BY, &error) &&
                      (command.line.help || check_split(&command.line, &error));
    if (!good) return report_error("data split", &error, EXIT_USAGE);
    if (command.line.help) return data_print_help(DATA_HELP_SPLIT), EXIT_GOOD;
    return split(&command, &error);
}
