/* SPDX-License-Identifier: MIT */
/* tabia data rescore: new scores, by a search of our own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "commands.h"
#include "data/transfer.h"
#include "data_commands.h"
#include "datagen/rescore.h"
#include "json_document.h"
#include "options.h"
#include "program.h"

typedef struct {
    DataCommandLine line;
    DataSource source;
    RescoreSettings settings;
    RescoreJob job;
    const char *network_file;
    unsigned eval_scale; /* of a network of YaneuraOu */
} RescoreCommand;

/* ---- what is shown ---- */

static double share(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

static void show(void *context, const RescoreProgress *p) {
    RescoreCommand *c = context;
    char detail[64];
    snprintf(detail, sizeof detail, p->searched ? "%.0f nodes a search" : "reading", share(p->nodes, p->searched));
    tabia_progress_update(&c->line.progress, p->input_records, data_progress_fraction(&c->source.position), detail);
}

static void report_text(const RescoreCommand *c, const RescoreProgress *p) {
    char rate[SHORT_TEXT_MAX];
    const DataReport written = {&c->source, c->settings.format, c->job.path, p->written};
    tabia_rate_text(p->seconds > 0 ? (double)p->searched / p->seconds : 0, rate);
    data_report_text(&written);
    fprintf(stderr, "%ju positions searched, %s on %u threads, %.0f nodes each\n", (uintmax_t)p->searched, rate,
            c->job.threads, share(p->nodes, p->searched));
    const uint64_t scored = p->searched - p->unscored;
    if (scored)
        fprintf(stderr, "scores changed by %.0f on average, mates aside; %.1f %% changed their sign\n",
                share(p->change_sum, p->changes), 100 * share(p->turned, scored));
    if (p->unscored) fprintf(stderr, "%ju positions had no score\n", (uintmax_t)p->unscored);
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
    tabia_json_count(&j, "unscored", p->unscored);
    tabia_json_integer(&j, "threads", c->job.threads);
    tabia_json_real(&j, "seconds", p->seconds);
    return tabia_json_end(&j, error);
}

/* ---- running ---- */

static int finish(RescoreCommand *c, DataOutcome outcome, const RescoreProgress *p, TabiaError *error) {
    if (outcome == DATA_STOPPED)
        return fprintf(stderr,
                       "%s data rescore: stopped; %s ends with a complete block, and the same command with --resume "
                       "continues\n",
                       program_texts.name, c->job.path),
               EXIT_STOPPED;
    if (outcome == DATA_DONE && c->line.report.json && !report_json(c, p, error)) outcome = DATA_SYSTEM_ERROR;
    if (outcome == DATA_DONE && !c->line.report.json && !c->line.report.quiet) report_text(c, p);
    return data_line_finish(&c->line, outcome, error);
}

static int run(RescoreCommand *c) {
    const RescoreCallbacks callbacks = {show, c};
    TabiaError error;
    RescoreProgress progress;
    Network *network = c->network_file ? evaluation_network_read(c->network_file, (int)c->eval_scale, &error) : NULL;
    if (c->network_file && !network) return report_error("data rescore", &error, EXIT_USAGE);
    c->settings.network = network;
    const DataOutcome outcome = rescore_run(&c->settings, &c->job, &callbacks, &progress, &error);
    tabia_progress_end(&c->line.progress);
    tabia_aligned_free(network);
    return finish(c, outcome, &progress, &error);
}

/* ---- the command line ---- */

static bool parse(RescoreCommand *c, int argc, char **argv, TabiaError *error) {
    DatagenSearchLimits *l = &c->settings.search;
    const OptionRow rows[] = {
        option_with_help(uint64_option("depth", &l->depth, 1, 100), "N", "limit of each search; all limits apply"),
        option_with_help(uint64_option("nodes", &l->nodes, 1, 1000000000000), "N",
                         "limit; default: 8 times --soft-nodes if given"),
        option_with_help(uint64_option("soft-nodes", &l->soft_nodes, 1, 1000000000000), "N",
                         "limit tested between iterations"),
        option_with_help(text_option("network", &c->network_file), "FILE",
                         "the network for the evaluation; default: the built-in one"),
        option_with_help(reader_option("hash", option_table_hash, &c->settings.hash_bytes), "SIZE",
                         "of each thread's table; default 1M"),
        option_with_help(unsigned_option("threads", &c->job.threads, 1, 4096), "N", "default: one for each core"),
        EVALUATION_HAS_SCALE
            ? option_with_help(unsigned_option("fv-scale", &c->eval_scale, 1, EVALUATION_SCALE_MAX), "N",
                               "of a network of YaneuraOu, what its output is divided by; default 16")
            : (OptionRow){0},
        {0}};
    const DataCommand command = {"data rescore", ACCEPTS_RESUME | ACCEPTS_SKIP_BAD | ACCEPTS_JSON | ACCEPTS_QUIET,
                                 rows};
    return data_line_parse(&c->line, argc, argv, &command, error);
}

/* What follows from several options. */
static bool complete(RescoreCommand *c, TabiaError *error) {
    DatagenSearchLimits *l = &c->settings.search;
    const DataOutputOptions *out = &c->line.output;
    if (out->count > 1) return tabia_fail(error, "--out: one file is written, not %u", out->count);
    if (!l->depth && !l->nodes && !l->soft_nodes)
        return tabia_fail(error, "--depth N, --nodes N or --soft-nodes N is missing: the limit of each search");
    if (l->soft_nodes && !l->nodes) l->nodes = 8 * l->soft_nodes;
    c->source = data_line_source(&c->line);
    c->source.on_progress = NULL; /* show() has searches too */
    c->job.source = &c->source, c->job.path = out->paths[0];
    c->job.resume = out->resume, c->job.from_block = out->from_block;
    c->settings.format = data_line_output_format(&c->line, &c->source, error);
    if (!c->settings.format) return false;
    return c->settings.format->fields & DATA_SCORE ||
           tabia_fail(error, "--to: %s stores no scores", c->settings.format->name);
}

int data_rescore_command(int argc, char **argv) {
    RescoreCommand c = {
        .settings.hash_bytes = 1 << 20, .eval_scale = EVALUATION_SCALE, .job.threads = tabia_threads_usable()};
    TabiaError error;
    if (!parse(&c, argc, argv, &error)) return report_error("data rescore", &error, EXIT_USAGE);
    return complete(&c, &error) ? run(&c) : report_error("data rescore", &error, EXIT_USAGE);
}
