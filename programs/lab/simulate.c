/* SPDX-License-Identifier: MIT */
/* tabia-lab simulate DEPTH: what a perft would cost on many ranks, by a model. */
#include <stdio.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/stop.h"
#include "base/text.h"
#include "lab.h"
#include "lab/cluster_model/model.h"

enum { ROWS_MAX = 64 };

#define COST_HELP(member, unit, value, text) " " #member "=" #value " " unit ", " text "."
static const char costs_help[] =
    "constants of the model, as latency=50,batch_sets=64. The defaults:" MODEL_COSTS(COST_HELP);
#undef COST_HELP

typedef struct {
    ModelJob job;
    ModelCosts costs;
    unsigned ranks[ROWS_MAX], results, done;
    bool json, quiet;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
} SimulateCommand;

/* ---- the command line ---- */

static bool parse_ranks(void *to, const char *text, TabiaError *error) {
    SimulateCommand *c = to;
    char word[16];
    for (c->results = 0; *text; text += *text == ',') {
        const size_t length = strcspn(text, ",");
        uint64_t n;
        if (c->results == ROWS_MAX) return tabia_fail(error, "--ranks: more than %d numbers", ROWS_MAX);
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, text);
        if (!option_number("--ranks", word, 1, MODEL_RANKS_MAX, &n, error)) return false;
        c->ranks[c->results++] = (unsigned)n;
        text += length;
    }
    return c->results || tabia_fail(error, "--ranks: a list of numbers is needed, as 2,4,8");
}

static bool parse_costs(void *to, const char *text, TabiaError *error) {
    SimulateCommand *c = to;
    return model_costs_parse(&c->costs, text, error);
}

static bool parse_depth(int argc, char **argv, SimulateCommand *c, TabiaError *error) {
    uint64_t depth;
    if (optind + 1 != argc) return tabia_fail(error, "one DEPTH is needed, as in tabia-lab simulate 8");
    if (!option_number("DEPTH", argv[optind], MODEL_DEPTH_MIN, MODEL_DEPTH_MAX, &depth, error)) return false;
    c->job.depth = (int)depth;
    return true;
}

static bool parse_options(int argc, char **argv, SimulateCommand *c, TabiaError *error) {
    Position root;
    const OptionRow rows[] = {reader_option("ranks", parse_ranks, c),
                              option_with_help(reader_option("costs", parse_costs, c), "LIST", costs_help),
                              text_option("fen", &c->job.fen),
                              hash_option("hash", &c->job.hash_bytes),
                              flag_option("json", &c->json),
                              flag_option("quiet", &c->quiet),
                              progress_option(&c->every),
                              {0}};
    if (!option_rows(argc, argv, "simulate", rows, error)) return false;
    return parse_depth(argc, argv, c, error) && option_position(c->job.fen, NULL, &root, error) &&
           (c->results || parse_ranks(c, "2,4,16,64,256,1024", error));
}

/* ---- the forecast ---- */

static void show(void *context, double share) {
    SimulateCommand *c = context;
    double passed;
    char left[SHORT_TEXT_MAX];
    if (!tabia_progress_is_due(&c->progress, &passed)) return;
    share = (c->done + share) / (c->results + 1);
    if (share <= 0) return;
    tabia_duration_text(passed * (1 - share) / share, left);
    tabia_progress_show(&c->progress, "counting: %.0f %%, %s left", 100 * share, left);
}

/* *one: the perft by one owner. */
static bool forecast(SimulateCommand *c, ModelCounts *one, ModelResult *result, TabiaError *error) {
    ModelCounts many;
    c->job.progress = show, c->job.context = c;
    bool good = model_count(&c->job, 1, one, error);
    for (unsigned i = 0; good && i < c->results; i++) {
        c->done = i + 1;
        good = model_count(&c->job, c->ranks[i], &many, error);
        if (good && many.leaves != one->leaves)
            good = tabia_fail(error, "%u owners count something else than one", many.ranks);
        if (good) result[i] = model_forecast(one, &many, &c->costs);
    }
    tabia_progress_end(&c->progress);
    return good;
}

/* ---- what is printed ---- */

static const ReportColumn columns[] = {
    {"ranks", "ranks", REPORT_UNSIGNED, 0, offsetof(ModelResult, ranks)},
    {"overhead", "overhead", REPORT_PERCENT, 2, offsetof(ModelResult, overhead)},
    {"recounted", "recounted", REPORT_PERCENT, 2, offsetof(ModelResult, recounted)},
    {"requesting", "requesting", REPORT_PERCENT, 2, offsetof(ModelResult, requesting)},
    {"serving", "serving", REPORT_PERCENT, 2, offsetof(ModelResult, serving)},
    {"polling", "polling", REPORT_PERCENT, 2, offsetof(ModelResult, polling)},
    {"scheduling", "scheduling", REPORT_PERCENT, 2, offsetof(ModelResult, scheduling)},
    {"efficiency", "efficiency", REPORT_PERCENT, 2, offsetof(ModelResult, efficiency)},
    {"imbalance", "imbalance", REPORT_REAL, 3, offsetof(ModelResult, imbalance)},
    {"messages", "messages", REPORT_COUNT, 0, offsetof(ModelResult, messages)},
    {"entries_per_message", "entries each", REPORT_REAL, 3, offsetof(ModelResult, entries_each)},
    {"wall_seconds", "wall s", REPORT_REAL, 3, offsetof(ModelResult, wall)},
    {"limit", "limit", REPORT_TEXT, 0, offsetof(ModelResult, limit)},
};

static void print_text(const SimulateCommand *c, const ModelCounts *one, const Report *report) {
    printf("simulated, not measured. perft %d: %ju leaves, %.3f s of work on one thread.\n"
           "Each rank has as much work as that.\n\n",
           c->job.depth, (uintmax_t)one->leaves, one->work);
    tabia_report_print(report, stdout);
    putchar('\n');
#define COST_PRINT(member, unit, value, text) printf("%-15s %9.4g %-8s %s\n", #member, c->costs.member, unit, text);
    MODEL_COSTS(COST_PRINT)
#undef COST_PRINT
}

static bool print_json(const SimulateCommand *c, const ModelCounts *one, const Report *report, TabiaError *error) {
    Json j;
    json_document(&j, "simulate");
    tabia_json_boolean(&j, "measured", false);
    tabia_json_integer(&j, "depth", c->job.depth);
    tabia_json_count(&j, "leaves", one->leaves);
    tabia_json_real(&j, "work_seconds", one->work);
    tabia_json_object(&j, "constants");
#define COST_JSON(member, unit, value, text) tabia_json_real(&j, #member, c->costs.member);
    MODEL_COSTS(COST_JSON)
#undef COST_JSON
    tabia_json_close(&j);
    tabia_report_json(report, &j, "simulated");
    return tabia_json_end(&j, error);
}

int lab_simulate(int argc, char **argv) {
    SimulateCommand c = {.job = {.hash_bytes = 256 << 20}, .costs = model_costs_default()};
    ModelCounts one;
    ModelResult result[ROWS_MAX];
    TabiaError error;
    if (!parse_options(argc, argv, &c, &error)) return report_error("simulate", &error, EXIT_USAGE);
    tabia_stop_install(true);
    option_progress_begin(&c.progress, c.quiet, c.every, NULL);
    bool good = forecast(&c, &one, result, &error);
    const Report report = {columns, sizeof columns / sizeof *columns, c.results, sizeof *result, result};
    if (good && !c.json) print_text(&c, &one, &report);
    if (good && c.json) good = print_json(&c, &one, &report, &error);
    if (good) return EXIT_GOOD;
    return tabia_stop_requested() ? report_stopped("simulate", "nothing is printed")
                                  : report_error("simulate", &error, EXIT_OUTSIDE);
}
