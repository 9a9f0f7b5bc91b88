/* SPDX-License-Identifier: MIT */
/* tabia-lab simulate DEPTH: a perft on simulated ranks, by the code of real ones. */
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
#include "lab/cluster_simulation/simulation.h"
#include "notation/fen.h"

enum { ROWS_MAX = 64, DEPTH_MIN = 5, DEPTH_MAX = 12 };

#define COST_HELP(member, unit, value, text) " " #member "=" #value " " unit ", " text "."
static const char costs_help[] = "what things cost, as latency=50,message=2. The defaults:" SIMULATION_COSTS(COST_HELP);
#undef COST_HELP

typedef struct {
    SimulationResult r;
    double speedup;   /* against one rank */
    double recounted; /* positions that several ranks counted, as a share of those of one */
} SimulateRow;

typedef struct {
    PerftJob job;
    uint64_t hash_bytes; /* of all ranks together */
    const char *fen;
    SimulationCosts costs;
    SimulateRow one, row[ROWS_MAX];
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
        if (!option_number("--ranks", word, 1, SIMULATION_RANKS_MAX, &n, error)) return false;
        c->ranks[c->results++] = (unsigned)n;
        text += length;
    }
    return c->results || tabia_fail(error, "--ranks: a list of numbers is needed, as 2,4,8");
}

static bool parse_costs(void *to, const char *text, TabiaError *error) {
    SimulateCommand *c = to;
    return simulation_costs_parse(&c->costs, text, error);
}

static bool parse_depth(int argc, char **argv, SimulateCommand *c, TabiaError *error) {
    uint64_t depth;
    if (optind + 1 != argc) return tabia_fail(error, "one DEPTH is needed, as in tabia-lab simulate 8");
    if (!option_number("DEPTH", argv[optind], DEPTH_MIN, DEPTH_MAX, &depth, error)) return false;
    c->job.depth = (int)depth;
    return true;
}

static bool parse_options(int argc, char **argv, SimulateCommand *c, TabiaError *error) {
    const OptionRow rows[] = {reader_option("ranks", parse_ranks, c),
                              option_with_help(reader_option("costs", parse_costs, c), "LIST", costs_help),
                              text_option("fen", &c->fen),
                              hash_option("hash", &c->hash_bytes),
                              flag_option("json", &c->json),
                              flag_option("quiet", &c->quiet),
                              progress_option(&c->every),
                              {0}};
    if (!option_rows(argc, argv, "simulate", rows, error)) return false;
    return parse_depth(argc, argv, c, error) && option_position(c->fen, NULL, &c->job.root, error) &&
           (c->results || parse_ranks(c, "2,8,64", error));
}

/* ---- the runs ---- */

/* Also sees whether the user wants the end. */
static bool show(void *context, double share) {
    SimulateCommand *c = context;
    double passed;
    char left[SHORT_TEXT_MAX];
    if (tabia_stop_requested()) return true;
    if (!tabia_progress_is_due(&c->progress, &passed)) return false;
    share = (c->done + share) / (c->results + 1);
    if (share <= 0) return false;
    tabia_duration_text(passed * (1 - share) / share, left);
    tabia_progress_show(&c->progress, "counting: %.0f %%, %s left", 100 * share, left);
    return false;
}

static bool simulate_row(SimulateCommand *c, unsigned ranks, SimulateRow *row, TabiaError *error) {
    static const double forever = 1e9;
    Simulation s = {.network = {.ranks = ranks}, .costs = c->costs, .limit = forever, .watch = show, .context = c};
    c->job.hash_bytes = c->hash_bytes / ranks;
    s.job = (DistributedPerftJob){.job = &c->job, .program = "simulate"};
    if (!simulation_run(&s, &row->r, error)) return false;
    if (!row->r.is_complete) return tabia_fail(error, "%u ranks came to no end", ranks);
    const SimulationResult *one = &c->one.r;
    if (row->r.nodes != one->nodes) return tabia_fail(error, "%u ranks count something else than one", ranks);
    row->speedup = row->r.seconds > 0 ? one->seconds / row->r.seconds : 1;
    row->recounted = one->counted ? (double)row->r.counted / (double)one->counted - 1 : 0;
    return true;
}

static bool simulate(SimulateCommand *c, TabiaError *error) {
    bool good = simulate_row(c, 1, &c->one, error);
    for (unsigned i = 0; good && i < c->results; i++) {
        c->done = i + 1;
        good = simulate_row(c, c->ranks[i], c->row + i, error);
    }
    tabia_progress_end(&c->progress);
    return good;
}

/* ---- what is printed ---- */

static const ReportColumn columns[] = {
    {"ranks", "ranks", REPORT_UNSIGNED, 0, offsetof(SimulateRow, r.ranks)},
    {"seconds", "seconds", REPORT_REAL, 4, offsetof(SimulateRow, r.seconds)},
    {"speedup", "speedup", REPORT_REAL, 4, offsetof(SimulateRow, speedup)},
    {"counting", "counting", REPORT_PERCENT, 1, offsetof(SimulateRow, r.efficiency)},
    {"messaging", "messaging", REPORT_PERCENT, 1, offsetof(SimulateRow, r.messaging)},
    {"waiting", "waiting", REPORT_PERCENT, 1, offsetof(SimulateRow, r.waiting)},
    {"recounted", "recounted", REPORT_PERCENT, 2, offsetof(SimulateRow, recounted)},
    {"positions", "positions", REPORT_COUNT, 0, offsetof(SimulateRow, r.counted)},
    {"messages", "messages", REPORT_COUNT, 0, offsetof(SimulateRow, r.messages)},
    {"bytes", "bytes", REPORT_COUNT, 0, offsetof(SimulateRow, r.bytes)},
};

static void print_text(const SimulateCommand *c, const Report *report) {
    printf("simulated, not measured. perft %d: %ju leaves, %.3f s on one rank.\n\n", c->job.depth,
           (uintmax_t)c->one.r.nodes, c->one.r.seconds);
    tabia_report_print(report, stdout);
    putchar('\n');
#define COST_PRINT(member, unit, value, text) printf("%-15s %9.4g %-8s %s\n", #member, c->costs.member, unit, text);
    SIMULATION_COSTS(COST_PRINT)
#undef COST_PRINT
}

static bool print_json(const SimulateCommand *c, const Report *report, TabiaError *error) {
    Json j;
    json_document(&j, "simulate");
    tabia_json_boolean(&j, "measured", false);
    tabia_json_integer(&j, "depth", c->job.depth);
    tabia_json_count(&j, "leaves", (uint64_t)c->one.r.nodes);
    tabia_json_object(&j, "constants");
#define COST_JSON(member, unit, value, text) tabia_json_real(&j, #member, c->costs.member);
    SIMULATION_COSTS(COST_JSON)
#undef COST_JSON
    tabia_json_close(&j);
    tabia_report_json(report, &j, "simulated");
    return tabia_json_end(&j, error);
}

int lab_simulate(int argc, char **argv) {
    SimulateCommand c = {.hash_bytes = 256 << 20, .costs = simulation_costs_default(), .job = {.keys_seed = 1}};
    TabiaError error;
    if (!parse_options(argc, argv, &c, &error)) return report_error("simulate", &error, EXIT_USAGE);
    tabia_stop_install(true);
    option_progress_begin(&c.progress, c.quiet, c.every, NULL);
    bool good = simulate(&c, &error);
    const Report report = {columns, sizeof columns / sizeof *columns, c.results, sizeof *c.row, c.row};
    if (good && !c.json) print_text(&c, &report);
    if (good && c.json) good = print_json(&c, &report, &error);
    if (good) return EXIT_GOOD;
    return tabia_stop_requested() ? report_stopped("simulate", "nothing is printed")
                                  : report_error("simulate", &error, EXIT_OUTSIDE);
}
