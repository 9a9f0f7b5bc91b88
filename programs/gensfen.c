/* SPDX-License-Identifier: MIT */
/* tabia gensfen: reads the options, runs the generator, shows its progress and its report. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/system.h"
#include "base/text.h"
#include "base/threads.h"
#include "commands.h"
#include "datagen/filter.h"
#include "datagen/generate.h"
#include "json_document.h"
#include "options.h"
#include "program.h"

typedef struct {
    DatagenSettings settings;
    DatagenJob job;
    bool json, quiet, restart;
    unsigned progress;        /* seconds between its lines; 0: on a terminal only */
    const char *network_file; /* NULL: the network that is built in */
    unsigned eval_scale;      /* of a network of YaneuraOu */
} GensfenOptions;

/* ---- values of options ---- */

/* Reads n numbers separated by commas; `off` sets all to 0. */
static bool read_numbers(const char *option, const char *text, const char *shape, uint64_t *const *to, unsigned n,
                         TabiaError *error) {
    const char *at = text;
    if (!strcmp(text, "off")) {
        for (unsigned i = 0; i < n; i++) *to[i] = 0;
        return true;
    }
    for (unsigned i = 0; i < n; i++) {
        char *end;
        const unsigned long long value = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : UINT64_MAX;
        if (value > 32000 || *end != (i + 1 < n ? ',' : '\0'))
            return tabia_fail(error, "--%s: '%s' is not %s, nor off", option, text, shape);
        *to[i] = value;
        at = end + 1;
    }
    return true;
}

static bool read_format(void *to, const char *text, TabiaError *error) {
    const DataFormat **format = to;
    return (*format = data_format_by_name(text, error)) != NULL;
}

static bool read_seed(void *to, const char *text, TabiaError *error) {
    if (strcmp(text, "random")) return option_number("--seed", text, 0, UINT64_MAX, to, error);
    return tabia_random_number(to) || tabia_fail(error, "--seed: the system gives no random number");
}

static bool read_resign(void *to, const char *text, TabiaError *error) {
    DatagenAdjudication *a = to;
    uint64_t *const resign[] = {&a->resign_score, &a->resign_plies};
    return read_numbers("resign", text, "CP,PLIES", resign, 2, error);
}

static bool read_draw(void *to, const char *text, TabiaError *error) {
    DatagenAdjudication *a = to;
    uint64_t *const draw[] = {&a->draw_score, &a->draw_plies, &a->draw_min_ply};
    return read_numbers("draw", text, "CP,PLIES,FROM", draw, 3, error);
}

static bool read_filter(void *to, const char *text, TabiaError *error) {
    return filters_parse(text, to, error);
}

/* ---- the command line ---- */

/* The rows of all whole numbers and of their other spellings; returns how many. */
static unsigned number_rows(DatagenSettings *s, OptionRow *rows) {
    unsigned count = 0;
    for (unsigned i = 0; datagen_number(i); i++) {
        const DatagenNumber *n = datagen_number(i);
        rows[count] =
            option_with_help(uint64_option(n->option, datagen_number_of(s, n), n->min, n->max), n->argument, n->help);
        rows[count++].initial = strstr(n->help, "default") ? 0 : n->initial;
    }
    for (unsigned i = 0; datagen_number_spelling(i); i++) {
        const DatagenNumber *n = datagen_number_named(datagen_number_spelling(i));
        rows[count++] = uint64_option(datagen_number_spelling(i), datagen_number_of(s, n), n->min, n->max);
    }
    return count;
}

/* Those of how a game begins and ends, and of what is written of it; returns how many. */
static unsigned setting_rows(DatagenSettings *s, OptionRow *rows) {
    const OptionRow all[] = {
        option_with_help(reader_option("format", read_format, &s->output.format), "NAME",
                         "default: FILE's extension; `data --help` lists the formats"),
        option_with_help(text_option("book", &s->opening.book), "FILE",
                         "start positions: a FEN, EPD, SFEN or `startpos moves ...` on each line, or a file of "
                         "training data"),
        option_with_help(evaluation_option("evaluation", &s->evaluation), "NAME",
                         "network (default), or material, without a network: for the first games of a new one"),
        option_with_help(reader_option("hash", option_table_hash, &s->hash_bytes), "SIZE",
                         "of each thread's table; default 1M"),
        option_with_help(reader_option("seed", read_seed, &s->seed), "N|random",
                         "default 1; `random` draws a seed, which FILE.json stores"),
        option_with_help(reader_option("resign", read_resign, &s->adjudication), "CP,PLIES",
                         "a side wins that is at least CP ahead for PLIES successive plies; default 2500,4; or off"),
        option_with_help(
            reader_option("draw", read_draw, &s->adjudication), "CP,PLIES,FROM",
            "a draw after PLIES successive plies from ply FROM on with scores of at most CP; default 4,12,80; or off"),
        option_with_help(reader_option("filter", read_filter, &s->output), "LIST",
                         "positions not to write, separated by commas: check, capture, promotion (of the "
                         "move), quiet (these three), mate, draw (games), score=CP (beyond it); default none. In "
                         "formats that store games, a removed position starts a new game"),
    };
    memcpy(rows, all, sizeof all);
    return sizeof all / sizeof *all;
}

/* Those of a run; returns how many. */
static unsigned job_rows(GensfenOptions *o, OptionRow *rows) {
    const OptionRow all[] = {
        option_with_help(
            uint64_option("positions", &o->job.positions, 1, UINT64_MAX), "N",
            "positions at least: the run ends with the game that reaches N. --resume with a larger N extends "
            "a file"),
        option_with_help(file_option("out", &o->job.path), "FILE", "must not exist, unless with --resume or --restart"),
        option_with_help(text_option("network", &o->network_file), "FILE",
                         "the network for the evaluation; default: the built-in one"),
        option_with_help(unsigned_option("threads", &o->job.threads, 1, 4096), "N", "default: one for each core"),
        option_with_help(flag_option("resume", &o->job.resume), NULL,
                         "continues after the last complete block; all options but --threads and --positions must be "
                         "as before"),
        option_with_help(uint64_option("from-block", &o->job.from_block, 1, UINT64_MAX), "N",
                         "with --resume: continues from block N of FILE.sums, whatever follows it"),
        option_with_help(flag_option("restart", &o->restart), NULL, "starts again, whatever FILE holds; or --force"),
        flag_option("force", &o->restart),
        option_with_help(flag_option("json", &o->json), NULL, "one JSON object"),
        option_with_help(flag_option("quiet", &o->quiet), NULL, "no progress"),
        option_with_help(progress_option(&o->progress), "SECONDS",
                         "a line of progress at this interval, with or without a terminal"),
        option_with_help(unsigned_option("fv-scale", &o->eval_scale, 1, EVALUATION_SCALE_MAX), "N",
                         "divides the output of a network of YaneuraOu; default 16"),
    };
    memcpy(rows, all, sizeof all);
    return sizeof all / sizeof *all - !EVALUATION_HAS_SCALE;
}

/* The names of the rows that were read. */
static DatagenGivenOptions given_options(const OptionRow *rows, uint64_t seen, const char **names) {
    DatagenGivenOptions given = {.names = names};
    for (; seen; seen &= seen - 1) names[given.count++] = rows[__builtin_ctzll(seen)].name;
    return given;
}

static bool read_command_line(int argc, char **argv, GensfenOptions *o, TabiaError *error) {
    DatagenSettings *s = &o->settings;
    bool starts[STARTS_N]; /* datagen_options_check sees which are given */
    OptionRow rows[OPTION_ROWS_MAX + 1];
    const char *names[OPTION_ROWS_MAX];
    uint64_t seen;
    unsigned n = number_rows(s, rows);
    n += setting_rows(s, rows + n);
    n += job_rows(o, rows + n);
    for (unsigned i = 1; i < STARTS_N; i++)
        rows[n++] = option_with_help(flag_option(datagen_starts[i].name, &starts[i]), NULL, datagen_starts[i].words);
    rows[n] = (OptionRow){0};
    assert(n <= OPTION_ROWS_MAX);
    if (!option_rows_seen(argc, argv, "gensfen", rows, &seen, error)) return false;
    if (optind < argc) return tabia_fail(error, "'%s' is one argument too many", argv[optind]);
    if (o->job.from_block && !o->job.resume) return tabia_fail(error, "--from-block: --resume is missing");
    if (o->restart && o->job.resume) return tabia_fail(error, "--resume and --restart: one or the other");
    if (o->restart) o->job.from_block = 1;
    const DatagenGivenOptions given = given_options(rows, seen, names);
    return datagen_options_check(&given, s, o->job.path, error) &&
           (o->job.positions || tabia_fail(error, "--positions N is missing"));
}

/* A part of a whole in percent; 0 of nothing. */
static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double positions_per_second(const DatagenProgress *p) {
    return p->seconds > 0 ? (double)(p->positions - p->resumed) / p->seconds : 0;
}

/* ---- the report as JSON ---- */

static void write_count(void *json, const char *name, uint64_t *value) {
    tabia_json_count(json, name, *value);
}

static bool report_json(const GensfenOptions *o, const DatagenProgress *p, TabiaError *error) {
    const DataFormat *format = o->settings.output.format;
    DatagenCounts counts = p->counts;
    Json j;
    json_document(&j, "gensfen");
    tabia_json_text(&j, "file", o->job.path);
    tabia_json_text(&j, "format", format->name);
    tabia_json_boolean(&j, "complete", p->positions >= o->job.positions);
    tabia_json_count(&j, "positions", p->positions);
    if (format->fields & DATA_GAME_STARTS) tabia_json_count(&j, "games", p->file_games);
    tabia_json_count(&j, "bytes", p->bytes);
    tabia_json_count(&j, "next_game", p->next_game);
    tabia_json_count(&j, "threads", o->job.threads);
    tabia_json_real(&j, "seconds", p->seconds);
    tabia_json_real(&j, "positions_per_second", positions_per_second(p));
    tabia_json_object(&j, "counts");
    datagen_counts_visit(&counts, write_count, &j);
    return tabia_json_end(&j, error);
}

/* ---- the report as text ---- */

static void print_terminations(const DatagenCounts *c) {
    for (unsigned i = 0; i < TERMINATIONS_N; i++)
        if (c->terminations[i])
            printf("  %6.2f %%  %s\n", percent(c->terminations[i], c->games), datagen_terminations[i].words);
}

static void print_not_written(const char *reason, uint64_t n) {
    if (n) printf("  %10ju  not written: %s\n", (uintmax_t)n, reason);
}

static void print_losses(const DatagenCounts *c) {
    for (unsigned i = 0; i < FILTERS_N; i++) print_not_written(datagen_filters[i].words, c->filtered[i]);
    print_not_written("before --write-min-ply", c->below_min_ply);
    for (unsigned i = 0; i < DATA_REJECTIONS_N; i++) print_not_written(data_rejections[i].words, c->rejected[i]);
#define PRINT_LOSS(name, FIELD, words)                                                                                 \
    if (c->name) printf("  %10ju  %s\n", (uintmax_t)c->name, words);
    DATA_COUNTED_LOSSES(PRINT_LOSS)
#undef PRINT_LOSS
}

static void report_text(const GensfenOptions *o, const DatagenProgress *p) {
    const DataFormat *format = o->settings.output.format;
    const DatagenCounts *c = &p->counts;
    char rate[SHORT_TEXT_MAX], time[SHORT_TEXT_MAX];
    tabia_rate_text(positions_per_second(p), rate);
    tabia_duration_text(p->seconds, time);
    printf("%ju positions in ", (uintmax_t)p->positions);
    if (format->fields & DATA_GAME_STARTS) printf("%ju games in ", (uintmax_t)p->file_games);
    printf("%s (%s, %ju bytes), with .json and .sums\n", o->job.path, format->name, (uintmax_t)p->bytes);
    printf("%s, %s positions on %u threads; %.0f nodes per search\n", time, rate, o->job.threads,
           c->searched ? (double)c->nodes / (double)c->searched : 0.0);
    printf("%ju games played: white won %.1f %%, drawn %.1f %%, black won %.1f %%; %.1f plies per game, openings "
           "included\n",
           (uintmax_t)c->games, percent(c->white_wins, c->games), percent(c->draws, c->games),
           percent(c->black_wins, c->games), c->games ? (double)c->plies / (double)c->games : 0.0);
    print_terminations(c);
    print_losses(c);
}

/* ---- running ---- */

typedef struct {
    const GensfenOptions *options;
    Progress progress;
} GensfenDisplay;

static bool stop(void *context) {
    (void)context;
    return tabia_stop_requested();
}

static void show(void *context, const DatagenProgress *p) {
    GensfenDisplay *d = context;
    if (!tabia_progress_is_due(&d->progress, NULL)) return;
    char rate[SHORT_TEXT_MAX], left[SHORT_TEXT_MAX];
    const DatagenCounts *c = &p->counts;
    const uint64_t wanted = d->options->job.positions, missing = wanted > p->positions ? wanted - p->positions : 0;
    const double per_second = (double)(p->positions - p->resumed) / p->seconds;
    tabia_rate_text(per_second, rate);
    tabia_duration_text(per_second > 0 ? (double)missing / per_second : -1, left);
    tabia_progress_show(&d->progress, "%ju/%ju positions, %s left, %s, %ju games of %.0f plies, +%.0f =%.0f -%.0f %%",
                        (uintmax_t)p->positions, (uintmax_t)wanted, left, rate, (uintmax_t)c->games,
                        c->games ? (double)c->plies / (double)c->games : 0.0, percent(c->white_wins, c->games),
                        percent(c->draws, c->games), percent(c->black_wins, c->games));
}

/* The openings, of which there are enough that games differ. */
static bool open_openings(DatagenSettings *s, Openings *openings, TabiaError *error) {
    DatagenOpening *o = &s->opening;
    if (!openings_open(openings, o->book, o->start, true, &o->book_checksum, error)) return false;
    if (datagen_settings_check_variety(s, openings_count(openings), error)) return true;
    openings_close(openings);
    return false;
}

static int report(const GensfenOptions *o, DatagenOutcome outcome, const DatagenProgress *p, TabiaError *error) {
    if (outcome == DATAGEN_FAILED && error->code == TABIA_ERROR_STOPPED)
        return report_stopped("gensfen", "no game had begun, and the same command with --resume continues");
    if (outcome == DATAGEN_REFUSED) return report_error("gensfen", error, EXIT_USAGE);
    if (outcome == DATAGEN_FAILED) return report_error("gensfen", error, EXIT_OUTSIDE);
    if (!o->json) report_text(o, p);
    if (o->json && !report_json(o, p, error)) return report_error("gensfen", error, EXIT_OUTSIDE);
    if (outcome == DATAGEN_DONE) return EXIT_GOOD;
    fprintf(stderr,
            "%s gensfen: stopped; %s ends with a complete block, and the same command with --resume continues\n",
            program_texts.name, o->job.path);
    return EXIT_STOPPED;
}

static int run_generator(GensfenOptions *o) {
    TabiaError error;
    Openings openings;
    DatagenProgress progress;
    GensfenDisplay display = {.options = o};
    const DatagenCallbacks callbacks = {stop, show, &display};
    if (!open_openings(&o->settings, &openings, &error)) return report_error("gensfen", &error, EXIT_USAGE);
    tabia_stop_install(true);
    option_progress_begin(&display.progress, o->quiet, o->progress, NULL);
    const DatagenOutcome outcome = datagen_run(&o->settings, &openings, &o->job, &callbacks, &progress, &error);
    openings_close(&openings);
    tabia_progress_end(&display.progress);
    return report(o, outcome, &progress, &error);
}

/* Runs with the network of a file, or with the one that is built in. */
static int run_with_network(GensfenOptions *o) {
    TabiaError error;
    Network *network = o->network_file ? evaluation_network_read(o->network_file, (int)o->eval_scale, &error) : NULL;
    if (o->network_file && !network) return report_error("gensfen", &error, EXIT_USAGE);
    o->settings.network = network;
    const int status = run_generator(o);
    tabia_aligned_free(network);
    return status;
}

int command_gensfen(int argc, char **argv) {
    GensfenOptions o = {.eval_scale = EVALUATION_SCALE};
    TabiaError error;
    datagen_settings_default(&o.settings);
    if (!read_command_line(argc, argv, &o, &error)) return report_error("gensfen", &error, EXIT_USAGE);
    if (!o.job.threads) o.job.threads = tabia_threads_usable();
    return run_with_network(&o);
}
