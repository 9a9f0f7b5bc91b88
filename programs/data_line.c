/* SPDX-License-Identifier: MIT */
/* What the command lines and the reports of `tabia data` have in common. */
#include <errno.h>
#include <getopt.h>
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

/* The name as it is written: with hyphens. */
static const char *option_name(unsigned number) {
#define NAME(name, argument) #name,
    static const char *const names[] = {DATA_OPTIONS(NAME)};
#undef NAME
    if (number == OPT_skip_bad) return "skip-bad";
    if (number == OPT_score_limit) return "score-limit";
    return names[number];
}

static void list_options(unsigned takes, struct option list[DATA_OPTIONS_N + 1]) {
#define ARGUMENT(name, argument) argument,
    static const int arguments[] = {DATA_OPTIONS(ARGUMENT)};
#undef ARGUMENT
    unsigned n = 0;
    for (unsigned i = 0; i < DATA_OPTIONS_N; i++)
        if (takes >> i & 1) list[n++] = (struct option){option_name(i), arguments[i], NULL, 256 + (int)i};
    list[n] = (struct option){0};
}

/* Numbers above 0, parted by commas. */
static bool read_shares(const char *text, DataLine *line, Fault *fault) {
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

static bool read_share(const char *text, double *share, Fault *fault) {
    char *end;
    *share = strtod(text, &end);
    return (end != text && !*end && *share > 0 && *share <= 1) ||
           tabia_fault(fault, "--share: '%s' is not a number above 0, to 1", text);
}

static bool read_by(const char *text, DataLine *line, Fault *fault) {
    line->says_by = true;
    line->by_games = !strcmp(text, "games");
    return line->by_games || !strcmp(text, "records") ||
           tabia_fault(fault, "--by: '%s' is neither games nor records", text);
}

static bool read_memory(const char *text, DataLine *line, Fault *fault) {
    return tabia_size_parse(text, &line->memory, fault) &&
           (line->memory >= 1 << 20 || tabia_fault(fault, "--memory: %s is too little; at least 1M", text));
}

static bool read_option(int number, DataLine *line, Fault *fault) {
    switch (number) {
    case OPT_from:
        return (line->from = data_format_named(optarg, fault)) != NULL;
    case OPT_to:
        return (line->to = data_format_named(optarg, fault)) != NULL;
    case OPT_out:
        if (line->outs == DATA_OUTS_MAX) return tabia_fault(fault, "--out: more than %d files", DATA_OUTS_MAX);
        line->out[line->outs++] = optarg;
        return true;
    case OPT_sums:
        return line->sums = true;
    case OPT_skip_bad:
        return line->skip_bad = true;
    case OPT_seed:
        return option_number("--seed", optarg, 0, UINT64_MAX, &line->seed, fault);
    case OPT_memory:
        return read_memory(optarg, line, fault);
    case OPT_by:
        return read_by(optarg, line, fault);
    case OPT_count:
        return option_number("--count", optarg, 1, UINT64_MAX, &line->count, fault);
    case OPT_share:
        return read_share(optarg, &line->sample, fault);
    case OPT_shares:
        return read_shares(optarg, line, fault);
    case OPT_plot:
        return (line->plot = optarg) != NULL;
    case OPT_score_limit:
        return option_number("--score-limit", optarg, 1, 32768, &line->score_limit, fault);
    case OPT_faults:
        return option_number("--faults", optarg, 0, UINT64_MAX, &line->faults, fault);
    case OPT_json:
        return line->json = true;
    case OPT_quiet:
        return line->quiet = true;
    case OPT_help:
        return line->help = true;
    default:
        return tabia_fault(fault, "tabia %s --help lists the options", line->command);
    }
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
    struct option list[DATA_OPTIONS_N + 1];
    *line = (DataLine){.command = command, .seed = 1, .faults = 20, .memory = default_hash_bytes()};
    list_options(takes | TAKES_quiet | TAKES_help | TAKES_from, list);
    for (int c; (c = getopt_long(argc, argv, "h", list, NULL)) != -1;)
        if (!read_option(c == 'h' ? OPT_help : c - 256, line, fault)) return false;
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
    tabia_stop_install();
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
        return EXIT_STOPPED;
    }
}

/* ---- reports ---- */

void data_report_text(const DataReport *r) {
    const DataWritten *t = &r->told;
    fprintf(stderr, "%s: %ju records, %ju bytes, %s\n", r->path, (uintmax_t)t->records, (uintmax_t)t->bytes,
            r->format->name);
    for (unsigned i = 0; i < DATA_FIELDS_N; i++)
        if (t->lost[i]) fprintf(stderr, "  lost: %s, of %ju records\n", data_field_words(i), (uintmax_t)t->lost[i]);
    if (t->unfit)
        fprintf(stderr, "  left out: %ju records that %s cannot hold (%s)\n", (uintmax_t)t->unfit, r->format->name,
                r->format->limits);
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
    tabia_json_count(j, "left_out", t->unfit);
    tabia_json_count(j, "bad", r->source->at.bad);
}
