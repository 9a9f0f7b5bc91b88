/* SPDX-License-Identifier: MIT */
/* tabia-lab hazard: how often false hits stop generated games, without a fix and with each. */
#include <stdio.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/stop.h"
#include "base/threads.h"
#include "lab.h"
#include "lab/table/hazard.h"

typedef struct {
    HazardRequest request;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
    bool json, quiet;
} HazardCommand;

static const ReportColumn columns[] = {
    {"fix", "fix", REPORT_TEXT, 0, offsetof(HazardRow, fix)},
    {"games", "games", REPORT_COUNT, 0, offsetof(HazardRow, games)},
    {"blocked_games", "blocked", REPORT_COUNT, 0, offsetof(HazardRow, blocked)},
    {"incidents", "incidents", REPORT_COUNT, 0, offsetof(HazardRow, incidents)},
    {"falls", "falls", REPORT_COUNT, 0, offsetof(HazardRow, falls)},
    {"seeds", "seeds", REPORT_UNSIGNED, 0, offsetof(HazardRow, seeds)},
    {"seeds_fallen", "fallen", REPORT_UNSIGNED, 0, offsetof(HazardRow, seeds_fallen)},
    {"nodes", NULL, REPORT_COUNT, 0, offsetof(HazardRow, nodes)},
    {"falls_per_million_games", "falls a million games", REPORT_REAL, 0, offsetof(HazardRow, rate)},
    {"low", "low", REPORT_REAL, 0, offsetof(HazardRow, low)},
    {"high", "high", REPORT_REAL, 0, offsetof(HazardRow, high)},
};

static bool read_command_line(int argc, char **argv, HazardCommand *o, TabiaError *error) {
    HazardRequest *q = &o->request;
    const OptionRow rows[] = {unsigned_option("depth", &q->depth, 1, 100),
                              unsigned_option("bits", &q->signature_bits, 8, HAZARD_BITS_MAX),
                              hash_option("size", &q->bytes),
                              unsigned_option("limit", &q->score_limit, 1, 32000),
                              uint64_option("nodes", &q->nodes, 1, 1000000000000),
                              unsigned_option("seeds", &q->seeds, 1, 1000),
                              uint64_option("seed", &q->seed, 0, UINT64_MAX),
                              unsigned_option("threads", &q->threads, 1, 4096),
                              flag_option("json", &o->json),
                              flag_option("quiet", &o->quiet),
                              progress_option(&o->every),
                              {0}};
    if (!option_rows(argc, argv, "hazard", rows, error)) return false;
    if (optind < argc) return tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
    if (!q->bytes) return tabia_fail(error, "--size: a search needs a table; at least 64K");
    if (!q->threads) q->threads = tabia_threads_usable();
    return true;
}

static void show(void *context, double nodes, double share) {
    HazardCommand *o = context;
    tabia_progress_update(&o->progress, nodes, share, NULL);
}

static const char *verdict(const HazardRow *rows) {
    if (hazard_holds(rows)) return "";
    return rows[HAZARD_NONE].falls ? "\nnot as it should be: a fall with strict generations\n"
                                   : "\nnot as it should be: no fall without a fix\n";
}

static void print_text(const HazardRequest *q, const Report *report) {
    printf("%u signature bits, depth %u, %ju KiB, ended by a score of %u; %d players\n\n", q->signature_bits, q->depth,
           (uintmax_t)q->bytes >> 10, q->score_limit, HAZARD_PLAYERS);
    tabia_report_print(report, stdout);
    fputs(verdict(report->row), stdout);
}

static bool print_json(const HazardRequest *q, const Report *report, bool complete, TabiaError *error) {
    Json j;
    json_document(&j, "hazard");
    tabia_json_count(&j, "depth", q->depth);
    tabia_json_count(&j, "signature_bits", q->signature_bits);
    tabia_json_count(&j, "bytes", q->bytes);
    tabia_json_count(&j, "score_limit", q->score_limit);
    tabia_json_count(&j, "blocked_games_of_a_fall", HAZARD_FALL_GAMES);
    tabia_report_json(report, &j, "fixes");
    tabia_json_boolean(&j, "complete", complete);
    return tabia_json_end(&j, error);
}

static int measure(HazardCommand *o, TabiaError *error) {
    HazardRow rows[HAZARD_ROWS];
    option_progress_begin(&o->progress, o->quiet, o->every, "nodes");
    const bool good = hazard_measure(&o->request, rows, error);
    tabia_progress_end(&o->progress);
    if (!good) return EXIT_OUTSIDE;
    const bool stopped = tabia_stop_requested();
    const Report report = {columns, sizeof columns / sizeof *columns, HAZARD_ROWS, sizeof *rows, rows};
    if (!o->json) print_text(&o->request, &report);
    if (o->json && !print_json(&o->request, &report, !stopped, error)) return EXIT_OUTSIDE;
    if (stopped) return report_stopped("hazard", "the runs that were complete are printed");
    return hazard_holds(rows) ? EXIT_GOOD : EXIT_DIFFERS;
}

int lab_hazard(int argc, char **argv) {
    TabiaError error;
    HazardCommand o = {.request = {.depth = 1,
                                   .signature_bits = 8,
                                   .bytes = 64 << 10,
                                   .score_limit = 800,
                                   .nodes = 3000000,
                                   .seed = 1,
                                   .seeds = 4,
                                   .show = show}};
    o.request.context = &o;
    if (!read_command_line(argc, argv, &o, &error)) return report_error("hazard", &error, EXIT_USAGE);
    tabia_stop_install(true);
    const int status = measure(&o, &error);
    return status == EXIT_OUTSIDE ? report_error("hazard", &error, status) : status;
}
