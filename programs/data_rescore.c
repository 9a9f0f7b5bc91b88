/* SPDX-License-Identifier: MIT */
/* tabia data rescore: new scores, by a search of our own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "commands.h"
#include "data/transfer.h"
#include "data_commands.h"
#include "data_texts.h"
#include "datagen/rescore.h"
#include "json_document.h"
#include "network/network_file.h"
#include "options.h"
#include "program.h"

typedef struct {
    DataSource source;
    RescoreSettings settings;
    RescoreJob job;
    const char *network_file;
    bool json, quiet;
    unsigned progress; /* seconds between its lines; 0: on a terminal only */
    Progress line;
} RescoreCommand;

/* ---- what is shown ---- */

static double share(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

static void show(void *context, const RescoreProgress *p) {
    RescoreCommand *c = context;
    char detail[64];
    snprintf(detail, sizeof detail, "%.0f nodes a search", share(p->nodes, p->searched));
    tabia_progress_update(&c->line, p->input_records, data_progress_fraction(&c->source.position), detail);
}

static void note(void *context, const char *text) {
    RescoreCommand *c = context;
    tabia_progress_end(&c->line);
    if (!c->quiet) fprintf(stderr, "%s data rescore: %s\n", program_texts.name, text);
}

static void report_text(const RescoreCommand *c, const RescoreProgress *p) {
    char rate[SHORT_TEXT_MAX];
    const DataReport written = {&c->source, c->settings.format, c->job.path, p->written};
    tabia_rate_text(p->seconds > 0 ? (double)p->searched / p->seconds : 0, rate);
    data_report_text(&written);
    fprintf(stderr, "%ju positions searched, %s on %u threads, %.0f nodes each\n", (uintmax_t)p->searched, rate,
            c->job.threads, share(p->nodes, p->searched));
    fprintf(stderr, "scores changed by %.0f on average, mates aside; %.1f %% changed their sign\n",
            share(p->change_sum, p->changes), 100 * share(p->turned, p->searched));
}

static bool report_json(const RescoreCommand *c, const RescoreProgress *p, TabiaError *error) {
    const DataReport written = {&c->source, c->settings.format, c->job.path, p->written};
    Json j;
    json_document(&j, "data rescore");
    tabia_json_object(&j, "written");
    data_report_json(&j, &written);
    tabia_json_close(&j);
    tabia_json_count(&j, "searched", p->searched);
    tabia_json_count(&j, "nodes", p->nodes);
    tabia_json_count(&j, "resumed_records", p->resumed);
    tabia_json_real(&j, "mean_change", share(p->change_sum, p->changes));
    tabia_json_count(&j, "changed_sign", p->turned);
    tabia_json_integer(&j, "threads", c->job.threads);
    tabia_json_real(&j, "seconds", p->seconds);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

/* ---- running ---- */

static int finish(const RescoreCommand *c, DataOutcome outcome, const RescoreProgress *p, TabiaError *error) {
    switch (outcome) {
    case DATA_DONE:
        if (c->json && !report_json(c, p, error)) return report_error("data rescore", error, EXIT_OUTSIDE);
        if (!c->json && !c->quiet) report_text(c, p);
        return EXIT_GOOD;
    case DATA_STOPPED:
        fprintf(stderr,
                "%s data rescore: stopped; %s ends with a complete block, and the same command with --resume "
                "continues\n",
                program_texts.name, c->job.path);
        return EXIT_STOPPED;
    default:
        return report_error("data rescore", error, outcome == DATA_BAD_INPUT ? EXIT_USAGE : EXIT_OUTSIDE);
    }
}

static int run(RescoreCommand *c) {
    const RescoreCallbacks callbacks = {show, c};
    TabiaError error;
    RescoreProgress progress;
    Network *network = c->network_file ? network_read(c->network_file, &error) : NULL;
    if (c->network_file && !network) return report_error("data rescore", &error, EXIT_USAGE);
    c->settings.network = network;
    tabia_stop_install(true);
    option_progress_begin(&c->line, c->quiet, c->progress, "records");
    const DataOutcome outcome = rescore_run(&c->settings, &c->job, &callbacks, &progress, &error);
    tabia_progress_end(&c->line);
    free(network);
    return finish(c, outcome, &progress, &error);
}

/* ---- the command line ---- */

static bool read_format(void *to, const char *text, TabiaError *error) {
    const DataFormat **format = to;
    return (*format = data_format_by_name(text, error)) != NULL;
}

static bool read_hash(void *to, const char *text, TabiaError *error) {
    return option_hash(text, to, error) &&
           (*(uint64_t *)to || tabia_fail(error, "--hash: a search needs a table; at least 64K"));
}

static bool read_command_line(int argc, char **argv, RescoreCommand *c, bool *wants_help, TabiaError *error) {
    RescoreSettings *s = &c->settings;
    const OptionRow rows[] = {text_option("out", &c->job.path),
                              uint64_option("depth", &s->search.depth, 1, 100),
                              uint64_option("nodes", &s->search.nodes, 1, 1000000000000),
                              uint64_option("soft-nodes", &s->search.soft_nodes, 1, 1000000000000),
                              text_option("network", &c->network_file),
                              reader_option("hash", read_hash, &s->hash_bytes),
                              unsigned_option("threads", &c->job.threads, 1, 4096),
                              flag_option("resume", &c->job.resume),
                              reader_option("to", read_format, &s->format),
                              reader_option("from", read_format, &c->source.format),
                              flag_option("skip-bad", &c->source.skip_bad),
                              flag_option("json", &c->json),
                              flag_option("quiet", &c->quiet),
                              progress_option(&c->progress),
                              {0}};
    return option_rows(argc, argv, rows, wants_help, error);
}

/* What follows from several options. */
static bool complete(RescoreCommand *c, TabiaError *error) {
    DatagenSearchLimits *l = &c->settings.search;
    if (!c->source.path_count)
        return tabia_fail(error, "FILE is missing; %s data rescore --help has examples", program_texts.name);
    if (!c->job.path)
        return tabia_fail(error, "--out FILE is missing; %s data rescore --help has examples", program_texts.name);
    for (unsigned i = 0; i < c->source.path_count; i++)
        if (!option_is_apart("--out", c->job.path, c->source.paths[i], error)) return false;
    if (!l->depth && !l->nodes && !l->soft_nodes)
        return tabia_fail(error, "--depth N, --nodes N or --soft-nodes N is missing: the limit of each search");
    if (l->soft_nodes && !l->nodes) l->nodes = 8 * l->soft_nodes;
    c->settings.format = data_output_format(&c->source, c->settings.format, c->job.path, error);
    if (!c->settings.format) return false;
    return c->settings.format->fields & DATA_SCORE ||
           tabia_fail(error, "--to: %s stores no scores", c->settings.format->name);
}

int data_rescore_command(int argc, char **argv) {
    RescoreCommand c = {.settings.hash_bytes = 1 << 20, .job.threads = tabia_threads_usable()};
    TabiaError error;
    bool wants_help = false;
    if (!read_command_line(argc, argv, &c, &wants_help, &error))
        return report_error("data rescore", &error, EXIT_USAGE);
    if (wants_help) return data_print_help(DATA_HELP_RESCORE), EXIT_GOOD;
    c.source.paths = (const char *const *)argv + optind, c.source.path_count = (unsigned)(argc - optind);
    c.source.on_note = note, c.source.context = &c;
    c.job.source = &c.source;
    return complete(&c, &error) ? run(&c) : report_error("data rescore", &error, EXIT_USAGE);
}
