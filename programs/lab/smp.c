/* SPDX-License-Identifier: MIT */
/* tabia-lab smp: the speedup of the search by threads, for each SMP mode. */
#include <stdio.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/stop.h"
#include "lab.h"
#include "lab/search/smp_speedup.h"

static const char help[] =
    "usage: tabia-lab smp [--threads N] [--depth N] [--rounds N] [--hash SIZE] [--json] [--progress SECONDS]\n"
    "\n"
    "The speedup of the search to a fixed depth by N threads over one, for each SMP mode:\n"
    "\n"
    "  lazy         threads meet in the table only, and leave out depths that others are on\n"
    "  split        threads search one tree, and share the moves of a node after its first\n"
    "  independent  N searches of one thread at once that share nothing: what these lose is contention\n"
    "\n"
    "They and one thread alternate on each of fifty positions, each with empty tables. The columns:\n"
    "\n"
    "  seconds    to the depth, all positions and rounds together\n"
    "  speedup    over one thread: the geometric mean over positions of the median of the rounds; then min,\n"
    "             max, and the number of positions with a speedup above 1 (of `independent` it says nothing)\n"
    "  of sums    the speedup of the sums of all seconds\n"
    "  nodes      to the depth against one thread's, geometric mean and of the sums: what is above 1 was searched\n"
    "             in vain\n"
    "  nps        nodes a second against one thread's, as the clock saw them\n"
    "  nps cpu    the same by the processor time that the threads had: as if each had a processor for itself\n"
    "\n"
    "Of the sums, the speedup is nps / nodes. Where other programs run, a thread that has to wait for its\n"
    "processor spoils all of them but nps cpu.\n"
    "\n"
    "  --threads N        default 2\n"
    "  --depth N          default 13\n"
    "  --rounds N         default 3\n"
    "  --hash SIZE        default 64M\n"
    "  --json             one JSON document\n"
    "  --progress SECONDS\n"
    "                     a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Threads race, so nodes and seconds differ from run to run; those of one thread's nodes do not.\n"
    "\n"
    "Examples\n"
    "  tabia-lab smp                                         about a minute\n"
    "  tabia-lab smp --threads 4 --depth 16 --rounds 1       fewer, longer searches\n";

typedef struct {
    SmpRequest request;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
    bool json, wants_help;
} ThreadsCommand;

/* ---- the command line ---- */

static bool read_command_line(int argc, char **argv, ThreadsCommand *p, TabiaError *error) {
    const OptionRow rows[] = {unsigned_option("threads", &p->request.threads, 2, 1024),
                              int_option("depth", &p->request.depth, 1, PLY_MAX - 1),
                              unsigned_option("rounds", &p->request.rounds, 1, 1000),
                              search_hash_option("hash", &p->request.hash_bytes),
                              flag_option("json", &p->json),
                              progress_option(&p->every),
                              {0}};
    if (!option_rows(argc, argv, rows, &p->wants_help, error)) return false;
    return p->wants_help || optind == argc ||
           tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
}

/* ---- while it runs ---- */

static bool on_progress(void *context, unsigned done, unsigned all) {
    ThreadsCommand *p = context;
    tabia_progress_update(&p->progress, done, (double)done / all, NULL);
    return tabia_stop_requested();
}

/* ---- what it found ---- */

static const ReportColumn columns[] = {
    {"variant", "", REPORT_TEXT, 0, offsetof(SmpResult, variant)},
    {"nodes", "nodes", REPORT_COUNT, 0, offsetof(SmpResult, nodes)},
    {"seconds", "seconds", REPORT_REAL, 2, offsetof(SmpResult, wall)},
    {"cpu_seconds", NULL, REPORT_REAL, 2, offsetof(SmpResult, cpu)},
    {"speedup", "speedup", REPORT_REAL, 3, offsetof(SmpResult, speedup)},
    {"speedup_least", "min", REPORT_REAL, 2, offsetof(SmpResult, min)},
    {"speedup_most", "max", REPORT_REAL, 2, offsetof(SmpResult, max)},
    {"positions_faster", "faster", REPORT_UNSIGNED, 0, offsetof(SmpResult, faster_positions)},
    {"speedup_of_sums", "of sums", REPORT_REAL, 3, offsetof(SmpResult, speedup_of_sums)},
    {"nodes_ratio", "nodes, ratio", REPORT_REAL, 3, offsetof(SmpResult, nodes_ratio)},
    {"nodes_ratio_of_sums", "of sums", REPORT_REAL, 3, offsetof(SmpResult, nodes_ratio_of_sums)},
    {"nps_ratio", "nps", REPORT_REAL, 3, offsetof(SmpResult, nps_ratio)},
    {"nps_cpu_ratio", "nps cpu", REPORT_REAL, 3, offsetof(SmpResult, nps_cpu_ratio)},
};

static Report report_of(const SmpResult *results, unsigned variants) {
    return (Report){columns, sizeof columns / sizeof *columns, variants, sizeof *results, results};
}

static void print_results(const ThreadsCommand *p, const SmpResult *results) {
    const Report report = report_of(results, SMP_VARIANTS);
    printf("%u threads against one, %u positions to depth %d, %u rounds\n\n", p->request.threads,
           p->request.positions_n, p->request.depth, p->request.rounds);
    tabia_report_print(&report, stdout);
}

static bool print_json(const ThreadsCommand *p, const SmpResult *results, bool complete, TabiaError *error) {
    Json j;
    json_document(&j, "smp");
    tabia_json_integer(&j, "positions", p->request.positions_n);
    tabia_json_integer(&j, "threads", p->request.threads);
    tabia_json_integer(&j, "depth", p->request.depth);
    tabia_json_integer(&j, "rounds", p->request.rounds);
    tabia_json_count(&j, "hash_bytes", p->request.hash_bytes);
    const Report report = report_of(results, complete ? SMP_VARIANTS : 0);
    tabia_report_json(&report, &j, "variants");
    tabia_json_boolean(&j, "complete", complete);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static int measure(ThreadsCommand *p, TabiaError *error) {
    SmpResult results[SMP_VARIANTS];
    bool stopped = false;
    option_progress_begin(&p->progress, false, p->every, "searches");
    const bool good = smp_measure(&p->request, results, &stopped, error);
    tabia_progress_end(&p->progress);
    if (!good) return EXIT_OUTSIDE;
    if (p->json && !print_json(p, results, !stopped, error)) return EXIT_OUTSIDE;
    if (!p->json && stopped) puts("stopped: nothing was measured to the end");
    if (!p->json && !stopped) print_results(p, results);
    return stopped ? EXIT_STOPPED : EXIT_GOOD;
}

int lab_smp(int argc, char **argv) {
    TabiaError error;
    ThreadsCommand p = {.request = {.threads = 2,
                                    .rounds = 3,
                                    .depth = 13,
                                    .hash_bytes = 64 << 20,
                                    .positions = smp_positions,
                                    .positions_n = SMP_POSITIONS,
                                    .on_progress = on_progress}};
    p.request.context = &p;
    if (!read_command_line(argc, argv, &p, &error)) return report_error("smp", &error, EXIT_USAGE);
    if (p.wants_help) return fputs(help, stdout), EXIT_GOOD;
    tabia_stop_install(true);
    const int status = measure(&p, &error);
    return status == EXIT_OUTSIDE ? report_error("smp", &error, status) : status;
}
