/* SPDX-License-Identifier: MIT */
/* What the command lines and the reports of `tabia data` have in common. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_calls.h"
#include "base/stop.h"
#include "base/text.h"
#include "commands.h"
#include "data/check.h"
#include "data/transfer.h"
#include "data_commands.h"
#include "options.h"
#include "program.h"

/* ---- options ---- */

/* Positive numbers, separated by commas. */
static bool parse_weights(void *to, const char *text, TabiaError *error) {
    DataCommandLine *line = to;
    for (const char *at = text;; at++) {
        char *end;
        const double weight = strtod(at, &end);
        if (end == at || !(weight > 0 && weight < 1e12) || (*end && *end != ',') ||
            line->output.weight_count == DATA_OUTPUTS_MAX)
            return tabia_fail(error,
                              "--weights: '%s' is not a list of at most %d numbers from above 0 to 1e12, such as 95,5",
                              text, DATA_OUTPUTS_MAX);
        line->output.weights[line->output.weight_count++] = weight;
        if (!*end) return true;
        at = end;
    }
}

static bool parse_fraction(void *to, const char *text, TabiaError *error) {
    double *fraction = to;
    char *end;
    *fraction = strtod(text, &end);
    return (end != text && !*end && *fraction > 0 && *fraction <= 1) ||
           tabia_fail(error, "--fraction: '%s' is not a number above 0, to 1", text);
}

static bool parse_by(void *to, const char *text, TabiaError *error) {
    DataCommandLine *line = to;
    line->selection.has_by = true;
    line->selection.by_games = !strcmp(text, "games");
    return line->selection.by_games || !strcmp(text, "records") ||
           tabia_fail(error, "--by: '%s' is neither games nor records", text);
}

static bool parse_memory(void *to, const char *text, TabiaError *error) {
    return option_memory("--memory", text, 1 << 20, to, error);
}

static bool parse_format(void *to, const char *text, TabiaError *error) {
    const DataFormat **format = to;
    return (*format = data_format_by_name(text, error)) != NULL;
}

/* Kinds of faults, separated by commas. */
static bool parse_faults(void *to, const char *text, TabiaError *error) {
    const char *names[DATA_FAULTS_N];
    for (unsigned i = 0; i < DATA_FAULTS_N; i++) names[i] = data_fault_name(i);
    const OptionNames known = {"--ignore", names, DATA_FAULTS_N, "tabia data verify --help lists the kinds"};
    return option_names(&known, text, to, error);
}

static bool parse_out(void *to, const char *text, TabiaError *error) {
    DataCommandLine *line = to;
    for (unsigned i = 0; i < line->output.count; i++)
        if (!strcmp(line->output.paths[i], text)) return tabia_fail(error, "--out: %.200s is named twice", text);
    if (line->output.count == DATA_OUTPUTS_MAX) return tabia_fail(error, "--out: more than %d files", DATA_OUTPUTS_MAX);
    line->output.paths[line->output.count++] = text;
    return true;
}

/* What is accepted by several commands, and by which. */
typedef struct {
    unsigned bit; /* the ACCEPTS_ bit it needs; 0: all commands accept it */
    OptionRow row;
    const char *argument, *help;
} SharedOption;

enum { SHARED_OPTIONS = 28 };

/* Of what is read, chosen and reported; returns how many. */
static unsigned input_options(DataCommandLine *line, SharedOption *to) {
    DataSelectionOptions *s = &line->selection;
    const SharedOption all[] = {
        {0, reader_option("from", parse_format, &line->input.format), "FORMAT",
         "of the input files; default: detected from content or extension"},
        {ACCEPTS_SKIP_BAD, flag_option("skip-bad", &line->input.skip_bad), NULL,
         "skips bad records and counts them; default: stop at the first"},
        {ACCEPTS_SKIP_BAD | ACCEPTS_VIEW, flag_option("no-checksums", &line->input.unverified), NULL,
         "does not verify the input with FILE.sums; default: stop at the first block that differs"},
        {ACCEPTS_COUNT, uint64_option("count", &s->count, 1, UINT64_MAX), "N",
         "writes exactly N records (where whole games are chosen: N games) that the format can store; reads the files "
         "twice"},
        {ACCEPTS_COUNT, reader_option("fraction", parse_fraction, &s->fraction), "X",
         "writes each record with this probability, above 0, at most 1"},
        {ACCEPTS_VIEW, uint64_option("record", &s->record, 1, INT64_MAX), "N", "the first record, from 1; default 1"},
        {ACCEPTS_VIEW, uint64_option("count", &s->count, 1, UINT64_MAX), "K", "records to show; default 1"},
        {ACCEPTS_SEED, uint64_option("seed", &s->seed, 0, UINT64_MAX), "N", "of the random numbers; default 1"},
        {ACCEPTS_MEMORY, reader_option("memory", parse_memory, &s->memory), "SIZE",
         "default: an eighth of the machine's, at most 1G"},
        {ACCEPTS_BY, reader_option("by", parse_by, line), "games|records",
         "chooses or moves whole games or records; default: games for `split`, or if the output format needs them"},
        {ACCEPTS_FAULTS, uint64_option("faults", &line->report.faults, 0, UINT64_MAX), "N",
         "prints at most N for each file; default 20; all are counted"},
        {ACCEPTS_FAULTS, reader_option("ignore", parse_faults, &line->report.ignored), "KIND,...",
         "counts faults of these kinds without printing them, and does not fail on them"},
    };
    memcpy(to, all, sizeof all);
    return sizeof all / sizeof *all;
}

/* Of what is written and printed; returns how many. */
static unsigned output_options(DataCommandLine *line, SharedOption *to) {
    const SharedOption all[] = {
        {ACCEPTS_OUT, reader_option("out", parse_out, line), "FILE",
         "output file; appears when it is complete (- is standard output)"},
        {ACCEPTS_RESUME, reader_option("out", parse_out, line), "FILE",
         "must not exist, unless with --resume or --restart; grows block by block"},
        {ACCEPTS_RESUME, flag_option("resume", &line->output.resume), NULL,
         "continues after the last complete block; all options but --threads must be as before"},
        {ACCEPTS_RESUME, uint64_option("from-block", &line->output.from_block, 1, UINT64_MAX), "N",
         "with --resume: rewrites from block N of FILE.sums on, whatever follows it"},
        {ACCEPTS_RESUME, flag_option("restart", &line->output.restart), NULL,
         "starts again, whatever FILE holds; or --force"},
        {ACCEPTS_RESUME, flag_option("force", &line->output.restart), NULL, NULL},
        {ACCEPTS_OUT | ACCEPTS_RESUME, reader_option("to", parse_format, &line->output.format), "FORMAT",
         "default: that of the extension of --out, else that of the first file"},
        {ACCEPTS_OUT, flag_option("force", &line->output.force), NULL, "overwrites files that exist; default: refuses"},
        {ACCEPTS_OUT, flag_option("checksums", &line->output.checksums), NULL,
         "writes the checksums of all blocks to FILE.sums"},
        {ACCEPTS_WEIGHTS, reader_option("weights", parse_weights, line), "A,B,...",
         "one number for each --out; default: equal"},
        {ACCEPTS_JSON, flag_option("json", &line->report.json), NULL, "the report as JSON, on standard output"},
        {ACCEPTS_QUIET, flag_option("quiet", &line->report.quiet), NULL,
         "no progress, and no report on standard error"},
        {ACCEPTS_QUIET, progress_option(&line->report.progress), "SECONDS",
         "a line of progress at this interval, with or without a terminal"},
    };
    memcpy(to, all, sizeof all);
    return sizeof all / sizeof *all;
}

static bool parse_options(DataCommandLine *line, int argc, char **argv, const DataCommand *command, TabiaError *error) {
    SharedOption shared[SHARED_OPTIONS];
    OptionRow rows[OPTION_ROWS_MAX] = {0};
    unsigned n = 0, of_input = input_options(line, shared);
    const unsigned shared_n = of_input + output_options(line, shared + of_input);
    assert(shared_n <= SHARED_OPTIONS);
    for (const OptionRow *row = command->more; row && row->name; row++) rows[n++] = *row;
    for (unsigned i = 0; i < shared_n; i++)
        if (!shared[i].bit || shared[i].bit & command->accepted)
            rows[n++] = option_with_help(shared[i].row, shared[i].argument, shared[i].help);
    return option_rows(argc, argv, command->name, rows, error);
}

/* A missing file is wrong input for every command. */
static bool is_readable_file(const char *path, bool twice, TabiaError *error) {
    struct stat status;
    if (twice && (!strcmp(path, "-") || tabia_path_kind(path) == PATH_OTHER))
        return tabia_fail(error, "%s: is read twice, which only a file can be", path);
    if (!strcmp(path, "-")) return true;
    if (stat(path, &status) || access(path, R_OK))
        return tabia_fail(error, "%s: cannot be read: %s", path, strerror(errno));
    return !S_ISDIR(status.st_mode) || tabia_fail(error, "%s: is a folder, not a file", path);
}

bool data_line_parse(DataCommandLine *line, int argc, char **argv, const DataCommand *command, TabiaError *error) {
    *line = (DataCommandLine){.command = command->name,
                              .selection = {.seed = 1, .record = 1, .memory = default_hash_bytes()},
                              .report = {.faults = 20}};
    if (!parse_options(line, argc, argv, command, error)) return false;
    line->input.paths = (const char *const *)(argv + optind);
    line->input.count = (unsigned)(argc - optind);
    if (!line->input.count)
        return tabia_fail(error, "FILE is missing; %s %s --help has examples", program_texts.name, command->name);
    if (line->output.from_block && !line->output.resume) return tabia_fail(error, "--from-block: --resume is missing");
    if (line->output.restart && line->output.resume)
        return tabia_fail(error, "--resume and --restart: one or the other");
    if (line->output.restart) line->output.from_block = 1;
    if (command->accepted & (ACCEPTS_OUT | ACCEPTS_RESUME) && !line->output.count)
        return tabia_fail(error, "--out FILE is missing; %s %s --help has examples", program_texts.name, command->name);
    if (command->accepted & ACCEPTS_RESUME && !strcmp(line->output.paths[0], "-"))
        return tabia_fail(error, "--out: '-' is not a file; name one");
    if (line->report.json && line->output.count && !strcmp(line->output.paths[0], "-"))
        return tabia_fail(error, "--json and --out -: both go to standard output; one or the other");
    const bool force = line->output.force || command->accepted & ACCEPTS_RESUME;
    for (unsigned i = 0; i < line->output.count; i++)
        for (unsigned k = 0; k < line->input.count; k++)
            if (!option_is_apart("--out", line->output.paths[i], line->input.paths[k], error)) return false;
    for (unsigned i = 0; i < line->output.count; i++)
        if (!option_may_write("--out", line->output.paths[i], force, error)) return false;
    for (unsigned i = 0, standard = 0; i < line->input.count; i++) {
        if (!is_readable_file(line->input.paths[i], command->accepted & ACCEPTS_RESUME, error)) return false;
        if (!strcmp(line->input.paths[i], "-") && standard++) return tabia_fail(error, "-: is named twice");
    }
    tabia_stop_install(true);
    return true;
}

/* ---- work ---- */

void data_line_progress(void *context, const DataProgress *progress) {
    DataCommandLine *line = context;
    char bad[40];
    snprintf(bad, sizeof bad, "%ju bad", (uintmax_t)progress->bad);
    tabia_progress_update(&line->progress, progress->records, data_progress_fraction(progress),
                          progress->bad ? bad : NULL);
}

void data_line_note(void *context, const char *text) {
    DataCommandLine *line = context;
    if (line->report.quiet) return;
    tabia_progress_end(&line->progress);
    fprintf(stderr, "%s %s: %s\n", program_texts.name, line->command, text);
}

DataSource data_line_source(DataCommandLine *line) {
    option_progress_begin(&line->progress, line->report.quiet, line->report.progress, "records");
    return (DataSource){.paths = line->input.paths,
                        .path_count = line->input.count,
                        .format = line->input.format,
                        .skip_bad = line->input.skip_bad,
                        .unverified = line->input.unverified,
                        .on_progress = data_line_progress,
                        .on_note = data_line_note,
                        .context = line};
}

const DataFormat *data_line_output_format(DataCommandLine *line, const DataSource *source, TabiaError *error) {
    const DataOutputOptions *out = &line->output;
    const DataFormat *format = data_output_format(source, out->format, out->count ? out->paths[0] : NULL, error);
    if (!format) return NULL;
    for (unsigned i = 1; i < out->count && !out->format; i++)
        if (data_has_extension(out->paths[i]) && data_format_by_extension(out->paths[i]) != format)
            return tabia_fail(error, "--out %.200s: all files are of one format, %s; or name it with --to",
                              out->paths[i], format->name),
                   NULL;
    const DataFormat *from = data_source_format(source, error);
    if (line->selection.by_games && from && !(from->fields & DATA_GAME_STARTS))
        return tabia_fail(error, "--by games: %s does not tell where games begin", from->name), NULL;
    if (!line->selection.has_by) line->selection.by_games = (format->requires & DATA_MOVE) != 0;
    return format;
}

int data_line_finish(DataCommandLine *line, DataOutcome outcome, const TabiaError *error) {
    tabia_progress_end(&line->progress);
    if (outcome == DATA_DONE) return EXIT_GOOD;
    if (outcome == DATA_STOPPED)
        return report_stopped(line->command,
                              line->output.count ? "no file is written" : "what was not read is not counted");
    return report_error(line->command, error, outcome == DATA_BAD_INPUT ? EXIT_USAGE : EXIT_OUTSIDE);
}

/* ---- reports ---- */

void data_report_bad(const DataSource *s) {
    if (s->position.bad)
        fprintf(stderr, "  skipped: %ju bad records; the first: %s\n", (uintmax_t)s->position.bad, s->first_bad.text);
}

void data_report_text(const DataReport *r) {
    const DataWriteStats *t = &r->stats;
    fprintf(stderr, "%s: %ju records, %ju bytes, %s\n", r->path, (uintmax_t)t->records, (uintmax_t)t->bytes,
            r->format->name);
    for (unsigned i = 0; i < DATA_FIELDS_N; i++)
        if (t->lost[i]) fprintf(stderr, "  lost: %s, of %ju records\n", data_field_name(i), (uintmax_t)t->lost[i]);
    for (unsigned why = 0; why < DATA_REJECTIONS_N; why++)
        if (t->rejected[why])
            fprintf(stderr, "  rejected: %ju records %s\n", (uintmax_t)t->rejected[why], data_rejections[why].words);
    if (r->source->unused)
        fprintf(stderr, "  unused: bits that the format leaves unused are set in %ju records, and not written\n",
                (uintmax_t)r->source->unused);
    data_report_bad(r->source);
}

void data_report_json(Json *j, const DataReport *r) {
    const DataWriteStats *t = &r->stats;
    tabia_json_text(j, "file", r->path);
    tabia_json_text(j, "format", r->format->name);
    tabia_json_count(j, "records", t->records);
    tabia_json_count(j, "games", t->games);
    tabia_json_count(j, "bytes", t->bytes);
    tabia_json_object(j, "lost");
    for (unsigned i = 0; i < DATA_FIELDS_N; i++)
        if (t->lost[i]) tabia_json_count(j, data_field_name(i), t->lost[i]);
    tabia_json_close(j);
    tabia_json_count(j, "rejected", data_rejected_total(t));
    tabia_json_object(j, "rejected_by_reason");
    for (unsigned why = 0; why < DATA_REJECTIONS_N; why++)
        if (t->rejected[why]) tabia_json_count(j, data_rejections[why].name, t->rejected[why]);
    tabia_json_close(j);
    tabia_json_count(j, "unused", r->source->unused);
    tabia_json_count(j, "bad", r->source->position.bad);
}
