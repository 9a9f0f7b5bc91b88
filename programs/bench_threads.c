/* SPDX-License-Identifier: MIT */
/* tabia bench --threads: what a second thread is worth to the search, by each scheme. */
#include <stdio.h>

#include "base/json.h"
#include "base/progress.h"
#include "base/stop.h"
#include "bench_forms.h"
#include "commands.h"
#include "lab/search/threads.h"
#include "options.h"

static const char help[] =
    "usage: tabia bench --threads [N] [--depth N] [--rounds N] [--positions FILE] [--hash SIZE] [--json]\n"
    "\n"
    "How much sooner does the search reach a depth with N threads (default 2) than with one? Both ways of sharing\n"
    "the work are asked:\n"
    "\n"
    "  lazy       threads search the same tree, and meet in the table only\n"
    "  deferral   a thread leaves a move that another is on until its other moves are done (ABDADA)\n"
    "  apart      N searches of one thread at once that share nothing: what these lose, the machine takes\n"
    "\n"
    "They and one thread take turns on each position, each with empty tables. The columns:\n"
    "\n"
    "  seconds    to the depth, all positions and rounds together\n"
    "  sooner     times sooner than one thread: for each position the median of its rounds, of these the\n"
    "             geometric mean; then the least and the most of a position, and how many were sooner at all\n"
    "  of sums    times sooner, all seconds against all seconds\n"
    "  nodes      to the depth against one thread's, geometric mean and of the sums: what is above 1 was searched\n"
    "             in vain\n"
    "  nps        nodes a second against one thread's, as the clock saw them\n"
    "  nps cpu    the same by the processor time that the threads had: as if each had a processor for itself\n"
    "\n"
    "Of the sums, times sooner is nps / nodes. Where other programs run, a thread that has to wait for its\n"
    "processor spoils all of them but nps cpu.\n"
    "\n"
    "  --depth N          default 13\n"
    "  --rounds N         default 3\n"
    "  --positions FILE   FEN or EPD, one a line; default: fifty of our own games, openings to endgames\n"
    "  --hash SIZE        default 64M\n"
    "  --json             one JSON document\n"
    "\n"
    "Threads race, so nodes and seconds differ from run to run; those of one thread's nodes do not.\n"
    "\n"
    "Examples\n"
    "  tabia bench --threads                                  about a minute\n"
    "  tabia bench --threads 4 --depth 16 --rounds 1          fewer, longer searches\n"
    "  tabia bench --threads --positions FILE.epd --json\n";

typedef struct {
    ThreadsJob job;
    Progress progress;
    const char *path;
    bool json, wants_help;
} Program;

/* ---- the command line ---- */

/* The number of threads may follow as a word of its own. */
static bool read_command_line(int argc, char **argv, Program *p, TabiaError *error) {
    const OptionRow rows[] = {take_maybe("threads", &p->job.threads, 2, 1024),
                              take_int("depth", &p->job.depth, 1, PLY_MAX - 1),
                              take_unsigned("rounds", &p->job.rounds, 1, 1000),
                              take_text("positions", &p->path),
                              take_search_hash("hash", &p->job.hash_bytes),
                              take_flag("json", &p->json),
                              {0}};
    if (!option_rows(argc, argv, rows, &p->wants_help, error)) return false;
    if (p->wants_help || optind == argc) return true;
    uint64_t n;
    if (!option_number("--threads", argv[optind++], 2, 1024, &n, error)) return false;
    p->job.threads = (unsigned)n;
    return optind == argc || tabia_fail(error, "'%s' is not understood: one number at most, of threads", argv[optind]);
}

/* ---- while it runs ---- */

static bool watch(void *context, unsigned done, unsigned all) {
    Program *p = context;
    tabia_progress_update(&p->progress, done, (double)done / all, NULL);
    return tabia_stop_requested();
}

/* ---- what it found ---- */

static const char *const names[CONTENDERS] = {"one thread", "lazy", "deferral", "apart"};

static void print(const Program *p, const ThreadsFigures *figures) {
    printf("%u threads against one, %u positions to depth %d, %u rounds\n\n", p->job.threads, p->job.positions->n,
           p->job.depth, p->job.rounds);
    printf("%-10s %9s %7s %15s %10s %8s %7s %8s %6s %8s\n", "", "seconds", "sooner", "of a position", "positions",
           "of sums", "nodes", "of sums", "nps", "nps cpu");
    for (Contender c = 0; c < CONTENDERS; c++) {
        const ThreadsFigures *f = &figures[c];
        printf("%-10s %9.2f ", names[c], f->wall);
        if (c == CONTENDER_ONE)
            printf("%.0f nodes/s, %.0f nodes a round\n", (double)f->nodes / f->wall, (double)f->nodes / p->job.rounds);
        else if (c == CONTENDER_APART)
            printf("%59s %6.3f %8.3f\n", "a search each, nothing shared:", f->speed, f->speed_cpu);
        else
            printf("%7.3f %6.2f to %5.2f %3u of %3u %8.3f %7.3f %8.3f %6.3f %8.3f\n", f->sooner, f->least, f->most,
                   f->won, p->job.positions->n, f->sooner_sum, f->more_nodes, f->more_nodes_sum, f->speed,
                   f->speed_cpu);
    }
}

static void json_row(Json *j, Contender c, const ThreadsFigures *f) {
    tabia_json_object(j, NULL);
    tabia_json_text(j, "scheme", names[c]);
    tabia_json_count(j, "nodes", f->nodes);
    tabia_json_real(j, "seconds", f->wall);
    tabia_json_real(j, "cpu_seconds", f->cpu);
    tabia_json_real(j, "sooner", f->sooner);
    tabia_json_real(j, "sooner_least", f->least);
    tabia_json_real(j, "sooner_most", f->most);
    tabia_json_integer(j, "positions_sooner", f->won);
    tabia_json_real(j, "sooner_of_sums", f->sooner_sum);
    tabia_json_real(j, "nodes_ratio", f->more_nodes);
    tabia_json_real(j, "nodes_ratio_of_sums", f->more_nodes_sum);
    tabia_json_real(j, "nps_ratio", f->speed);
    tabia_json_real(j, "nps_cpu_ratio", f->speed_cpu);
    tabia_json_close(j);
}

static bool print_json(const Program *p, const ThreadsFigures *figures, bool complete, TabiaError *error) {
    Json j;
    tabia_json_begin(&j, stdout);
    tabia_json_object(&j, NULL);
    tabia_json_text(&j, "positions_file", p->path);
    tabia_json_integer(&j, "positions", p->job.positions->n);
    tabia_json_integer(&j, "threads", p->job.threads);
    tabia_json_integer(&j, "depth", p->job.depth);
    tabia_json_integer(&j, "rounds", p->job.rounds);
    tabia_json_count(&j, "hash_bytes", p->job.hash_bytes);
    tabia_json_array(&j, "contenders");
    for (Contender c = 0; c < CONTENDERS && complete; c++) json_row(&j, c, &figures[c]);
    tabia_json_close(&j);
    tabia_json_boolean(&j, "complete", complete);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static int run(Program *p, TabiaError *error) {
    ThreadsFigures figures[CONTENDERS];
    bool stopped = false;
    tabia_progress_begin(&p->progress, stderr, "searches");
    const bool good = threads_measure(&p->job, figures, &stopped, error);
    tabia_progress_end(&p->progress);
    if (!good) return EXIT_OUTSIDE;
    if (p->json && !print_json(p, figures, !stopped, error)) return EXIT_OUTSIDE;
    if (!p->json && stopped) puts("stopped: nothing was measured to the end");
    if (!p->json && !stopped) print(p, figures);
    return stopped ? EXIT_STOPPED : EXIT_GOOD;
}

int bench_threads(int argc, char **argv) {
    ThreadsPositions positions;
    TabiaError error;
    Program p = {
        .job = {
            .threads = 2, .rounds = 3, .depth = 13, .hash_bytes = 64 << 20, .positions = &positions, .watch = watch}};
    p.job.context = &p;
    if (!read_command_line(argc, argv, &p, &error)) return complain("bench", &error, EXIT_USAGE);
    if (p.wants_help) return fputs(help, stdout), EXIT_GOOD;
    tabia_stop_install(true);
    if (p.path ? !threads_positions_read(&positions, p.path, &error) : !threads_positions_own(&positions, &error))
        return complain("bench", &error, p.path ? EXIT_USAGE : EXIT_OUTSIDE);
    const int status = run(&p, &error);
    threads_positions_free(&positions);
    return status == EXIT_OUTSIDE ? complain("bench", &error, status) : status;
}
