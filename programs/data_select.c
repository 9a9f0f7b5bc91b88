/* SPDX-License-Identifier: MIT */
/* tabia data convert, shuffle, dedupe, filter, sample: from some files to one; and split: to several. */
#include <stdio.h>

#include "commands.h"
#include "data/transfer.h"
#include "data_commands.h"
#include "data_filter.h"
#include "json_document.h"
#include "options.h"

enum { ACCEPTS_OUTPUT = ACCEPTS_OUT | ACCEPTS_SKIP_BAD | ACCEPTS_JSON | ACCEPTS_QUIET };

typedef struct {
    DataCommandLine line;
    DataSource source;
    const DataFormat *to;
    uint64_t duplicates;
    FilterRules rules; /* of filter */
    bool is_filter;
    FilterCounts filtered;
} TransferCommand;

/* Writes to one writer for each --out. */
typedef DataOutcome TransferFunction(TransferCommand *command, DataWriter *const *w, TabiaError *error);

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

static DataOutcome open_outputs(const TransferCommand *command, DataWriter **w, TabiaError *error) {
    for (unsigned i = 0; i < command->line.output.count; i++)
        if (!(w[i] = open_output(command, i, error))) return DATA_SYSTEM_ERROR;
    return DATA_DONE;
}

static int run_transfer(TransferCommand *command, TransferFunction *transfer, TabiaError *error) {
    DataCommandLine *line = &command->line;
    DataWriter *w[DATA_OUTPUTS_MAX] = {0};
    DataReport reports[DATA_OUTPUTS_MAX];
    command->source = data_line_source(line);
    command->to = data_line_output_format(line, &command->source, error);
    if (!command->to) return data_line_finish(line, DATA_BAD_INPUT, error);
    DataOutcome outcome = open_outputs(command, w, error);
    if (outcome == DATA_DONE) outcome = transfer(command, w, error);
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

/* ---- what each command does ---- */

static DataOutcome convert(TransferCommand *command, DataWriter *const *w, TabiaError *error) {
    return data_convert(&command->source, w[0], error);
}
static DataOutcome shuffle(TransferCommand *command, DataWriter *const *w, TabiaError *error) {
    const DataCommandLine *l = &command->line;
    const DataShuffleOptions options = {.seed = l->selection.seed,
                                        .memory = l->selection.memory,
                                        .by_games = l->selection.by_games,
                                        .temp_prefix = l->output.paths[0]};
    return data_shuffle(&command->source, w[0], &options, error);
}
static DataOutcome dedupe(TransferCommand *command, DataWriter *const *w, TabiaError *error) {
    return data_dedupe(&command->source, w[0], &(DataDedupeOptions){.memory = command->line.selection.memory},
                       &command->duplicates, error);
}
static DataOutcome sample(TransferCommand *command, DataWriter *const *w, TabiaError *error) {
    const DataCommandLine *l = &command->line;
    const DataSampleOptions options = {.seed = l->selection.seed,
                                       .units = l->selection.count,
                                       .fraction = l->selection.fraction,
                                       .by_games = l->selection.by_games};
    return data_sample(&command->source, w[0], &options, error);
}
static DataOutcome filter(TransferCommand *command, DataWriter *const *w, TabiaError *error) {
    const DataFilterOptions options = {.rules = command->rules, .seed = command->line.selection.seed};
    command->is_filter = true;
    return data_filter(&command->source, w[0], &options, &command->filtered, error);
}
static DataOutcome split(TransferCommand *command, DataWriter *const *w, TabiaError *error) {
    DataCommandLine *l = &command->line;
    for (unsigned i = 0; i < l->output.count && !l->output.weight_count; i++) l->output.weights[i] = 1;
    const DataSplitOptions options = {.seed = l->selection.seed,
                                      .weight = l->output.weights,
                                      .n = l->output.count,
                                      .by_games = l->selection.by_games || !l->selection.has_by};
    return data_split(&command->source, w, &options, error);
}

static bool one_output(const DataCommandLine *line, TabiaError *error) {
    return line->output.count == 1 || tabia_fail(error, "--out: one file is written, not %u", line->output.count);
}
static bool check_sample(const DataCommandLine *line, TabiaError *error) {
    if ((line->selection.count != 0) == (line->selection.fraction > 0))
        return tabia_fail(error, "either --count N or --fraction X is needed");
    return one_output(line, error);
}
static bool check_split(const DataCommandLine *line, TabiaError *error) {
    if (line->output.count < 2) return tabia_fail(error, "--out FILE is needed at least twice");
    return !line->output.weight_count || line->output.weight_count == line->output.count ||
           tabia_fail(error, "--weights: %u numbers for %u files", line->output.weight_count, line->output.count);
}

/* ---- the commands ---- */

typedef struct {
    DataCommand command; /* accepts ACCEPTS_OUTPUT too */
    bool (*check)(const DataCommandLine *line, TabiaError *error);
    TransferFunction *transfer;
} TransferType;

static int run(int argc, char **argv, TransferType type, FilterRules *rules) {
    TransferCommand command = {.is_filter = false};
    TabiaError error;
    type.command.accepted |= ACCEPTS_OUTPUT;
    const bool good = data_line_parse(&command.line, argc, argv, &type.command, &error) &&
                      (command.line.help || type.check(&command.line, &error));
    if (!good) return report_error(type.command.name, &error, EXIT_USAGE);
    if (rules) command.rules = *rules;
    return command.line.help ? EXIT_GOOD : run_transfer(&command, type.transfer, &error);
}

int data_convert_command(int argc, char **argv) {
    return run(argc, argv, (TransferType){{"data convert", 0, NULL}, one_output, convert}, NULL);
}
int data_shuffle_command(int argc, char **argv) {
    const DataCommand command = {"data shuffle", ACCEPTS_SEED | ACCEPTS_MEMORY | ACCEPTS_BY, NULL};
    return run(argc, argv, (TransferType){command, one_output, shuffle}, NULL);
}
int data_dedupe_command(int argc, char **argv) {
    return run(argc, argv, (TransferType){{"data dedupe", ACCEPTS_MEMORY, NULL}, one_output, dedupe}, NULL);
}
int data_filter_command(int argc, char **argv) {
    FilterRules rules = filter_rules_none();
    FilterOptions options;
    data_filter_rows(&options, &rules);
    return run(argc, argv, (TransferType){{"data filter", ACCEPTS_SEED, options.rows}, one_output, filter}, &rules);
}
int data_sample_command(int argc, char **argv) {
    const DataCommand command = {"data sample", ACCEPTS_SEED | ACCEPTS_COUNT | ACCEPTS_BY, NULL};
    return run(argc, argv, (TransferType){command, check_sample, sample}, NULL);
}
int data_split_command(int argc, char **argv) {
    const DataCommand command = {"data split", ACCEPTS_WEIGHTS | ACCEPTS_SEED | ACCEPTS_BY, NULL};
    return run(argc, argv, (TransferType){command, check_split, split}, NULL);
}
