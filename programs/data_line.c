/* SPDX-License-Identifier: MIT */
/* What the command lines and the reports of `tabia data` have in common. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/text.h"
#include "commands.h"
#include "data_forms.h"
#include "options.h"

/* ---- options ---- */

/* Numbers above 0, parted by commas. */
static bool read_shares(void *to, const char *text, Fault *fault) {
    DataLine *line = to;
    for (const char *at = text;; at++) {
        char *end;
        const double share = strtod(at, &end);
        if (end == at || !(share > 0 && share < 1e12) || (*end && *end != ',') || line->shares == DATA_OUTS_MAX)
            return tabia_fault(fault, "--shares: '%s' is not a list of at most %d numbers above 0, such as 95,5", text,
                               DATA_OUTS_MAX);
        line->share[line->shares++] = share;
        if (!*end) return true;
        at = end;
    }
}

static bool read_share(void *to, const char *text, Fault *fault) {
    double *share = to;
    char *end;
    *share = strtod(text, &end);
    return (end != text && !*end && *share > 0 && *share <= 1) ||
           tabia_fault(fault, "--share: '%s' is not a number above 0, to 1", text);
}

static bool read_by(void *to, const char *text, Fault *fault) {
    DataLine *line = to;
    line->says_by = true;
    line->by_games = !strcmp(text, "games");
    return line->by_games || !strcmp(text, "records") ||
           tabia_fault(fault, "--by: '%s' is neither games nor records", text);
}

static bool read_memory(void *to, const char *text, Fault *fault) {
    return option_memory("--memory", text, 1 << 20, to, fault);
}

static bool read_format(void *to, const char *text, Fault *fault) {
    const DataFormat **format = to;
    return (*format = data_format_named(text, fault)) != NULL;
}

static bool read_out(void *to, const char *text, Fault *fault) {
    DataLine *line = to;
    if (line->outs == DATA_OUTS_MAX) return tabia_fault(fault, "--out: more than %d files", DATA_OUTS_MAX);
    line->out[line->outs++] = text;
    return true;
}

static bool read_options(DataLine *line, int argc, char **argv, unsigned takes, Fault *fault) {
    const struct {
        unsigned of; /* those that take it; 0: all */
        OptionRow row;
    } known[] = {
        {0, take_by("from", read_format, &line->from)},
        {TAKES_quiet, take_flag("quiet", &line->quiet)},
        {TAKES_to, take_by("to", read_format, &line->to)},
        {TAKES_out, take_by("out", read_out, line)},
        {TAKES_sums, take_flag("sums", &line->sums)},
        {TAKES_skip_bad, take_flag("skip-bad", &line->skip_bad)},
        {TAKES_seed, take_whole("seed", &line->seed, 0, UINT64_MAX)},
        {TAKES_memory, take_by("memory", read_memory, &line->memory)},
        {TAKES_by, take_by("by", read_by, line)},
        {TAKES_count, take_whole("count", &line->count, 1, UINT64_MAX)},
        {TAKES_share, take_by("share", read_share, &line->sample)},
        {TAKES_shares, take_by("shares", read_shares, line)},
        {TAKES_plot, take_text("plot", &line->plot)},
        {TAKES_score_limit, take_whole("score-limit", &line->score_limit, 1, 32768)},
        {TAKES_faults, take_whole("faults", &line->faults, 0, UINT64_MAX)},
        {TAKES_json, take_flag("json", &line->json)},
    };
    OptionRow rows[OPTION_ROWS_MAX] = {0};
    for (unsigned i = 0, n = 0; i < sizeof known / sizeof *known; i++)
        if (!known[i].of || known[i].of & takes) rows[n++] = known[i].row;
    return option_rows(argc, argv, rows, &line->help, fault);
}

/* A file that is not there is wrong input, whatever is to be done with it. */
static bool can_read(const char *path, Fault *fault) {
    struct stat status;
    if (!strcmp(path, "-")) return true;
    if (stat(path, &status) || access(path, R_OK))
        return tabia_fault(fault, "%s: cannot be read: %s", path, strerror(errno));
    return !S_ISDIR(status.st_mode) || tabia_fault(fault, "%s: is a folder, not a file", path);
}

bool data_line_read(DataLine *line, int argc, char **argv, const char *command, unsigned takes, Fault *fault) {
    *line = (DataLine){.command = command, .seed = 1, .faults = 20, .memory = default_hash_bytes()};
    if (!read_options(line, argc, argv, takes, fault)) return false;
    if (line->help) return true;
    line->file = (const char *const *)(argv + optind);
    line->files = (unsigned)(argc - optind);
    if (!line->files) return tabia_fault(fault, "which FILE? tabia %s --help has examples", command);
    if (takes & TAKES_out && !line->outs)
        return tabia_fault(fault, "where to? --out FILE; tabia %s --help has examples", command);
    for (unsigned i = 0; i < line->outs; i++)
        for (unsigned k = 0; k < line->files; k++)
            if (!strcmp(line->out[i], line->file[k]) && strcmp(line->out[i], "-") != 0)
                return tabia_fault(fault, "--out: %.200s is read as well; give the result another name", line->out[i]);
    for (unsigned i = 0; i < line->files; i++)
        if (!can_read(line->file[i], fault)) return false;
    tabia_stop_install(true);
    return true;
}

/* ---- work ---- */

void data_line_progress(void *context, const DataProgress *progress) {
    DataLine *line = context;
    char bad[40];
    snprintf(bad, sizeof bad, "%ju bad", (uintmax_t)progress->bad);
    tabia_meter_show(&line->meter, progress->records, data_progress_share(progress), progress->bad ? bad : NULL);
}

DataSource data_line_source(DataLine *line) {
    tabia_meter_begin(&line->meter, line->quiet ? NULL : stderr, "records");
    return (DataSource){.path = line->file,
                        .paths = line->files,
                        .format = line->from,
                        .skip_bad = line->skip_bad,
                        .progress = data_line_progress,
                        .context = line};
}

const DataFormat *data_line_target(DataLine *line, const DataSource *source, Fault *fault) {
    const DataFormat *from = data_source_format(source, fault);
    if (!from) return NULL;
    const DataFormat *to = line->to ? line->to : line->outs ? data_format_of_path(line->out[0]) : NULL;
    if (!to) to = from;
    if (to->needs & ~from->holds) {
        tabia_fault(fault, "%s needs moves, and %s has none: its records cannot be written so", to->name, from->name);
        return NULL;
    }
    if (!line->says_by) line->by_games = (to->needs & DATA_MOVE) != 0;
    return to;
}

int data_line_end(DataLine *line, DataOutcome outcome, const Fault *fault) {
    tabia_meter_end(&line->meter);
    switch (outcome) {
    case DATA_DONE:
        return EXIT_GOOD;
    case DATA_INPUT:
        return complain(line->command, fault, EXIT_USAGE);
    case DATA_OUTSIDE:
        return complain(line->command, fault, EXIT_OUTSIDE);
    default:
        return say_stopped(line->command, line->outs ? "no file is written" : "what was not read is not counted");
    }
}

/* ---- reports ---- */

void data_report_text(const DataReport *r) {
    const DataWritten *t = &r->told;
    fprintf(stderr, "%s: %ju records, %ju bytes, %s\n", r->path, (uintmax_t)t->records, (uintmax_t)t->bytes,
            r->format->name);
    for (unsigned i = 0; i < DATA_FIELDS_N; i++)
        if (t->lost[i]) fprintf(stderr, "  lost: %s, of %ju records\n", data_field_words(i), (uintmax_t)t->lost[i]);
    for (unsigned why = 0; why < DATA_UNFITS_N; why++)
        if (t->unfit[why])
            fprintf(stderr, "  left out: %ju records %s\n", (uintmax_t)t->unfit[why], data_unfit_words(why));
    if (r->source->at.bad)
        fprintf(stderr, "  passed over: %ju bad records; the first: %s\n", (uintmax_t)r->source->at.bad,
                r->source->first_bad.text);
}

void data_report_json(Json *j, const DataReport *r) {
    const DataWritten *t = &r->told;
    tabia_json_text(j, "file", r->path);
    tabia_json_text(j, "format", r->format->name);
    tabia_json_count(j, "records", t->records);
    tabia_json_count(j, "games", t->games);
    tabia_json_count(j, "bytes", t->bytes);
    tabia_json_object(j, "lost");
    for (unsigned i = 0; i < DATA_FIELDS_N; i++)
        if (t->lost[i]) tabia_json_count(j, data_field_words(i), t->lost[i]);
    tabia_json_close(j);
    tabia_json_count(j, "left_out", data_written_unfit(t));
    tabia_json_object(j, "left_out_by_reason");
    for (unsigned why = 0; why < DATA_UNFITS_N; why++)
        if (t->unfit[why]) tabia_json_count(j, data_unfit_name(why), t->unfit[why]);
    tabia_json_close(j);
    tabia_json_count(j, "bad", r->source->at.bad);
}
