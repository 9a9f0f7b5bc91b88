/* SPDX-License-Identifier: MIT */
/* tabia-lab table bench: how fast the table is. Reads the options, hands the work to the laboratory, prints. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/threads.h"
#include "lab.h"
#include "lab/table/bench_report.h"
#include "plot/plot.h"

static const char help_head[] =
    "usage: tabia-lab table bench [--only NAME,...] [--size SIZE] [--threads N] [--rounds N] [--quick]\n"
    "                         [--dir FOLDER] [--json] [--plot FILE.svg] [--progress SECONDS]\n"
    "\n"
    "Measures the transposition table and prints one table of figures for each experiment:\n"
    "\n";
static const char help_tail[] =
    "\n"
    "All contenders take turns in every round, and ratios are formed within a round: they hold on a\n"
    "busy machine, where the figures themselves do not. Each figure has its unit in the head; least\n"
    "and most are those of the rounds.\n"
    "\n"
    "  --only NAME,...   these experiments; default: all\n"
    "  --size SIZE       of a table in memory; default 1G (create takes 8 times as much); less is\n"
    "                    taken, with a word, where the machine has no memory free\n"
    "  --threads N       measure with 1, 2, 4, ... and N threads; default: one for each core\n"
    "  --rounds N        default 5\n"
    "  --quick           short samples, shallow counts: to see that all works; figures are coarse\n"
    "  --dir FOLDER      where `file` saves tables; default: that for temporary files\n"
    "  --json            one JSON document with every sample\n"
    "  --plot FILE.svg   draws figures over threads (or .png; .gp: the script for gnuplot)\n"
    "  --progress SECONDS\n"
    "                    a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Examples\n"
    "  tabia-lab table bench --quick                              a minute or two\n"
    "  tabia-lab table bench --only line,modes --plot table.svg   the two that say most\n"
    "  tabia-lab table bench --only file --dir /dev/shm           saving at the speed of memory\n";

typedef struct {
    BenchJob job;
    unsigned most_threads;
    bool json, wants_help, report_out_of_memory;
    const char *plot;
    BenchPlots *plots;
    Json writer;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
} TableBenchCommand;

static int usage(void) {
    fputs(help_head, stdout);
    for (unsigned e = 0; e < BENCH_N; e++) printf("  %-8s %s\n", bench_name(e), bench_about(e));
    fputs(help_tail, stdout);
    return EXIT_GOOD;
}

/* ---- the command line ---- */

static bool read_names(void *to, const char *list, TabiaError *error) {
    const char *name[BENCH_N];
    const OptionNames names = {"--only", name, BENCH_N, "tabia-lab table bench --help lists them"};
    for (unsigned e = 0; e < BENCH_N; e++) name[e] = bench_name(e);
    return option_names(&names, list, to, error);
}

static bool read_size(void *to, const char *text, TabiaError *error) {
    enum { LEAST = 1 << 20 };
    return option_memory("--size", text, LEAST, to, error);
}

/* 1, 2, 4, ... and the most. */
static void list_threads(TableBenchCommand *p) {
    for (unsigned n = 1; n < p->most_threads && p->job.steps + 1 < BENCH_STEPS_MAX; n *= 2)
        p->job.threads[p->job.steps++] = n;
    p->job.threads[p->job.steps++] = p->most_threads;
}

static bool read_command_line(int argc, char **argv, TableBenchCommand *p, TabiaError *error) {
    const OptionRow rows[] = {reader_option("only", read_names, &p->job.chosen),
                              reader_option("size", read_size, &p->job.bytes),
                              unsigned_option("threads", &p->most_threads, 1, 4096),
                              unsigned_option("rounds", &p->job.rounds, 1, BENCH_ROUNDS_MAX),
                              text_option("dir", &p->job.folder),
                              text_option("plot", &p->plot),
                              flag_option("quick", &p->job.quick),
                              flag_option("json", &p->json),
                              progress_option(&p->every),
                              {0}};
    if (!option_rows(argc, argv, rows, &p->wants_help, error)) return false;
    if (p->wants_help) return true;
    if (optind < argc) return tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
    if (!p->job.chosen) p->job.chosen = ((uint64_t)1 << BENCH_N) - 1;
    list_threads(p);
    return true;
}

/* ---- while it runs ---- */

static bool watch(void *context, const BenchTable *t, unsigned row, unsigned done, unsigned all) {
    TableBenchCommand *p = context;
    if (tabia_stop_requested()) return true;
    if (tabia_progress_is_due(&p->progress, NULL))
        tabia_progress_show(&p->progress, "%s %u/%u: %s", bench_name(t->experiment), done, all, t->row[row].name);
    return false;
}

static void finished(void *context, const BenchTable *t) {
    TableBenchCommand *p = context;
    tabia_progress_end(&p->progress);
    if (p->plots && !bench_plots_add(p->plots, t)) p->report_out_of_memory = true;
    if (p->json) {
        bench_json(&p->writer, t);
    } else {
        bench_print(stdout, t);
        fflush(stdout);
    }
}

static void begin_output(TableBenchCommand *p) {
    BenchMachine m;
    bench_machine(&m);
    const double gib = (double)m.memory / (1 << 30);
    if (!p->json) {
        printf("tabia %s, %s, %u processors, %.1f GiB\n\n", tabia_version(), m.processor, m.processors, gib);
        return;
    }
    json_document(&p->writer, "table bench");
    tabia_json_text(&p->writer, "version", tabia_version());
    tabia_json_text(&p->writer, "processor", m.processor);
    tabia_json_integer(&p->writer, "processors", m.processors);
    tabia_json_count(&p->writer, "memory_bytes", m.memory);
    tabia_json_boolean(&p->writer, "quick", p->job.quick);
    tabia_json_array(&p->writer, "tables");
}

static bool end_output(TableBenchCommand *p, bool stopped, TabiaError *error) {
    tabia_progress_end(&p->progress);
    if (p->json) {
        tabia_json_close(&p->writer);
        tabia_json_boolean(&p->writer, "complete", !stopped);
        tabia_json_close(&p->writer);
        return tabia_json_end(&p->writer, error);
    }
    if (stopped) puts("stopped: what is missing above was not measured");
    return true;
}

static int run(TableBenchCommand *p, TabiaError *error) {
    bool stopped = false;
    if (p->plot && !(p->plots = bench_plots_new())) {
        tabia_fail(error, "no memory for plots");
        return EXIT_OUTSIDE;
    }
    TabiaError other;
    tabia_stop_install(true);
    begin_output(p);
    bool good = bench_run(&p->job, &stopped, error);
    if (!end_output(p, stopped || !good, good ? error : &other)) good = false;
    if (good && p->report_out_of_memory) good = tabia_fail(error, "no memory for plots");
    if (good && p->plot && !stopped) good = bench_plots_write(p->plots, p->plot, error);
    bench_plots_free(p->plots);
    if (!good) return EXIT_OUTSIDE;
    return stopped ? EXIT_STOPPED : EXIT_GOOD;
}

int table_bench(int argc, char **argv) {
    TableBenchCommand p = {.job = {.bytes = (uint64_t)1 << 30, .rounds = 5, .watch = watch, .finished = finished},
                           .most_threads = tabia_threads_usable()};
    TabiaError error = {0};
    bool outside;
    p.job.context = &p;
    if (!read_command_line(argc, argv, &p, &error)) return report_error("table bench", &error, EXIT_USAGE);
    if (p.wants_help) return usage();
    if (p.plot && !plot_is_possible(p.plot, &outside, &error))
        return report_error("table bench", &error, outside ? EXIT_OUTSIDE : EXIT_USAGE);
    if (p.job.folder && access(p.job.folder, W_OK | X_OK)) {
        tabia_fail(&error, "--dir: %s: no files can be written there: %s", p.job.folder, strerror(errno));
        return report_error("table bench", &error, EXIT_OUTSIDE);
    }
    option_progress_begin(&p.progress, false, p.every, NULL);
    const int status = run(&p, &error);
    return status == EXIT_OUTSIDE ? report_error("table bench", &error, status) : status;
}
