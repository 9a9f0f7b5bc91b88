/* SPDX-License-Identifier: MIT */
/* tabia data convert, shuffle, dedupe, filter, sample: from some files to one; and split: to several. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "data/filter.h"
#include "data/transfer.h"
#include "data_commands.h"
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

/* ---- the rules of data filter as options ---- */

enum { RULE_NAME_MAX = 48 };

/* A rule as an option. */
typedef struct {
    FilterRules *rules;
    unsigned index;
    char name[RULE_NAME_MAX];
} FilterOption;

enum { FILTER_OPTIONS_MAX = 32 };
typedef struct {
    FilterOption of_rule[FILTER_OPTIONS_MAX];
    OptionRow rows[FILTER_OPTIONS_MAX + 1]; /* to one without a name */
} FilterOptions;

/* The rule's name as an option has it: "min-ply". */
static const char *option_name(unsigned index, char out[RULE_NAME_MAX]) {
    snprintf(out, RULE_NAME_MAX, "%s", filter_rule(index).name);
    for (char *at = out; *at; at++)
        if (*at == '_') *at = '-';
    return out;
}

static bool read_rule(void *to, const char *text, TabiaError *error) {
    const FilterOption *o = to;
    TabiaError of_rule;
    if (filter_rule_set(o->rules, o->index, text ? text : "true", &of_rule)) return true;
    assert(!strncmp(of_rule.text, filter_rule(o->index).name, strlen(o->name)));
    return tabia_fail(error, "--%s%.200s", o->name, of_rule.text + strlen(o->name));
}

/* A number of the model of results is for the rule that asks it. */
static bool model_fits(const FilterRules *r, TabiaError *error) {
    const FilterRules none = filter_rules_none();
    const bool same = r->material_min == none.material_min && r->material_max == none.material_max &&
                      r->mom_target == none.mom_target && r->wdl_heuristic_scale == none.wdl_heuristic_scale &&
                      !memcmp(&r->wdl_model_params_a, &none.wdl_model_params_a, sizeof none.wdl_model_params_a) &&
                      !memcmp(&r->wdl_model_params_b, &none.wdl_model_params_b, sizeof none.wdl_model_params_b);
    if (r->material_min > r->material_max) return tabia_fail(error, "--material-min is above --material-max");
    return same || r->wdl_filtered || tabia_fail(error, "the model of results is used with --wdl-filtered only");
}

/* Sets a row for each rule, which sets `rules`. */
static void filter_rows(FilterOptions *options, FilterRules *rules) {
    const unsigned n = filter_rule_count();
    assert(n <= FILTER_OPTIONS_MAX);
    *options = (FilterOptions){0};
    for (unsigned i = 0; i < n; i++) {
        FilterOption *o = &options->of_rule[i];
        const FilterRule rule = filter_rule(i);
        o->rules = rules, o->index = i;
        options->rows[i] = option_with_help(reader_option(option_name(i, o->name), read_rule, o), NULL, rule.words);
        options->rows[i].optional = rule.is_switch;
    }
}

/* ---- reports ---- */

/* Calls back with each rule that removed something. */
typedef void RemovedFunction(void *context, const char *rule, uint64_t n);
static void each_removed(const FilterCounts *counts, RemovedFunction *call, void *context) {
    for (unsigned i = 0; i < FILTER_REASONS_N; i++)
        if (counts->removed[i]) call(context, filter_reason_name(i), counts->removed[i]);
    for (unsigned i = 0; i < GAME_FILTERS_N; i++)
        if (counts->removed_by_game[i]) call(context, filter_rule(i).name, counts->removed_by_game[i]);
}

static void print_removed(void *context, const char *rule, uint64_t n) {
    fprintf(context, "  removed: %ju records by %s\n", (uintmax_t)n, rule);
}
static void print_filtered(const FilterCounts *counts) {
    each_removed(counts, print_removed, stderr);
}

static void add_removed(void *context, const char *rule, uint64_t n) {
    tabia_json_count(context, rule, n);
}
static void filtered_json(Json *j, const FilterCounts *counts) {
    tabia_json_count(j, "kept", counts->kept);
    tabia_json_object(j, "removed");
    each_removed(counts, add_removed, j);
    tabia_json_close(j);
}

static bool print_json(const TransferCommand *command, const DataReport *reports, unsigned n, TabiaError *error) {
    Json j;
    json_document(&j, command->line.command);
    tabia_json_count(&j, "read", command->source.position.records);
    tabia_json_count(&j, "bad", command->source.position.bad);
    if (command->duplicates) tabia_json_count(&j, "duplicates", command->duplicates);
    if (command->is_filter) filtered_json(&j, &command->filtered);
    tabia_json_array(&j, "written");
    for (unsigned i = 0; i < n; i++) {
        tabia_json_object(&j, NULL);
        data_report_json(&j, &reports[i]);
        tabia_json_close(&j);
    }
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
    if (!command->line.report.quiet) print_filtered(&command->filtered);
    return status;
}

/* ---- one frame for all ---- */

static DataWriter *open_output(const TransferCommand *command, unsigned i, TabiaError *error) {
    const DataOutputOptions *out = &command->line.output;
    return data_writer_create_atomic(out->paths[i], command->to, out->checksums, error);
}

static DataOutcome open_outputs(const TransferCommand *command, DataWriter **w, TabiaError *error) {
    for (unsigned i = 0; i < command->line.output.count; i++)
        if (!(w[i] = open_output(command, i, error))) return DATA_SYSTEM_ERROR;
    return DATA_DONE;
}

/* False: there were records, and the rules of a filter and the format left none of them. */
static bool any_accepted(const TransferCommand *command, DataWriter *const *w, TabiaError *error) {
    uint64_t rejected = 0;
    const char *words = "";
    for (unsigned i = 0; i < command->line.output.count; i++) {
        const DataWriteStats stats = data_writer_stats(w[i]);
        rejected += data_rejected_total(&stats);
        for (unsigned why = 0; why < DATA_REJECTIONS_N; why++)
            if (stats.rejected[why]) words = data_rejections[why].words;
    }
    const uint64_t records = command->source.position.records;
    const uint64_t removed = command->is_filter ? records - command->filtered.kept : 0;
    if (removed && removed == records)
        return tabia_fail(error, "the rules remove all %ju records; no file is written", (uintmax_t)removed);
    return !rejected || rejected + removed < records ||
           tabia_fail(error, "%s takes none of the %ju records (%s); no file is written", command->to->name,
                      (uintmax_t)rejected, words);
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
    if (outcome == DATA_DONE && !any_accepted(command, w, error)) outcome = DATA_BAD_INPUT;
    data_source_close(&command->source);
    for (unsigned i = 0; outcome == DATA_DONE && i < line->output.count; i++) /* all bytes before any name */
        if (!data_writer_flush_block(w[i], 0, error)) outcome = DATA_SYSTEM_ERROR;
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
        return tabia_fail(error, "--count N or --fraction X: one of them is needed");
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
                      type.check(&command.line, &error) && (!rules || model_fits(rules, &error));
    if (!good) return report_error(type.command.name, &error, EXIT_USAGE);
    if (rules) command.rules = *rules;
    return run_transfer(&command, type.transfer, &error);
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
    filter_rows(&options, &rules);
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
