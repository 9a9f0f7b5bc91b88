/* SPDX-License-Identifier: MIT */
/* tabia-lab table bench: how fast the table is. Reads the options, hands the work to the laboratory, prints. */
#include <stdio.h>
#include <unistd.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/stop.h"
#include "base/system.h"
#include "base/threads.h"
#include "lab.h"
#include "lab/table/bench.h"

typedef struct {
    BenchJob job;
    unsigned max_threads;
    bool json;
    Json writer;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
} TableBenchCommand;

/* ---- the command line ---- */

static bool read_names(void *to, const char *list, TabiaError *error) {
    const char *name[BENCH_N];
    const OptionNames names = {"--only", name, BENCH_N, "tabia-lab table bench --help lists them"};
    for (unsigned e = 0; e < BENCH_N; e++) name[e] = bench_name(e);
    return option_names(&names, list, to, error);
}

static bool read_size(void *to, const char *text, TabiaError *error) {
    enum { SIZE_MIN = 1 << 20 };
    return option_memory("--size", text, SIZE_MIN, to, error);
}

/* 1, 2, 4, ... and the most. */
static void list_threads(TableBenchCommand *p) {
    for (unsigned n = 1; n < p->max_threads && p->job.steps + 1 < BENCH_STEPS_MAX; n *= 2)
        p->job.threads[p->job.steps++] = n;
    p->job.threads[p->job.steps++] = p->max_threads;
}

static bool read_command_line(int argc, char **argv, TableBenchCommand *p, TabiaError *error) {
    const OptionRow rows[] = {reader_option("only", read_names, &p->job.chosen),
                              reader_option("size", read_size, &p->job.bytes),
                              unsigned_option("threads", &p->max_threads, 1, 4096),
                              unsigned_option("rounds", &p->job.rounds, 1, BENCH_ROUNDS_MAX),
                              flag_option("quick", &p->job.quick),
                              flag_option("json", &p->json),
                              progress_option(&p->every),
                              {0}};
    if (!option_rows(argc, argv, "table bench", rows, error)) return false;
    if (optind < argc) return tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
    if (!p->job.chosen) p->job.chosen = ((uint64_t)1 << BENCH_N) - 1;
    list_threads(p);
    return true;
}

/* ---- a table as text and as JSON ---- */

typedef struct {
    const char *name;
    unsigned threads;
    BenchSpread figure, ratio;
} BenchLine;

static const ReportColumn columns[] = {
    {NULL, "", REPORT_TEXT, 0, offsetof(BenchLine, name)},
    {NULL, "threads", REPORT_UNSIGNED, 0, offsetof(BenchLine, threads)},
    {NULL, "median", REPORT_FIGURE, 0, offsetof(BenchLine, figure.median)},
    {NULL, "min", REPORT_FIGURE, 0, offsetof(BenchLine, figure.min)},
    {NULL, "max", REPORT_FIGURE, 0, offsetof(BenchLine, figure.max)},
    {NULL, "times", REPORT_REAL, 4, offsetof(BenchLine, ratio.median)},
    {NULL, "min", REPORT_REAL, 4, offsetof(BenchLine, ratio.min)},
    {NULL, "max", REPORT_REAL, 4, offsetof(BenchLine, ratio.max)},
};
enum { RATIO_COLUMNS = 3 };

static void print_table(const BenchTable *t) {
    BenchLine line[BENCH_ROWS_MAX];
    bool ratios = false;
    for (unsigned i = 0; i < t->rows; i++) {
        line[i] = (BenchLine){t->row[i].name, t->row[i].threads, bench_figure(t, i), bench_ratio(t, i)};
        ratios = ratios || t->row[i].against >= 0;
    }
    const unsigned all = sizeof columns / sizeof *columns;
    const Report report = {columns, ratios ? all : all - RATIO_COLUMNS, t->rows, sizeof *line, line};
    printf("%s: %s (%s, %u round%s)\n", bench_name(t->experiment), t->title, t->unit, t->rounds,
           t->rounds == 1 ? "" : "s");
    tabia_report_print(&report, stdout);
    if (ratios) puts("times: of the nearest row above that has none; formed within rounds");
    for (unsigned i = 0; i < t->notes; i++) puts(t->note[i]);
    putchar('\n');
    fflush(stdout);
}

static void json_spread(Json *json, const char *key, BenchSpread s) {
    tabia_json_object(json, key);
    tabia_json_real(json, "median", s.median);
    tabia_json_real(json, "least", s.min);
    tabia_json_real(json, "most", s.max);
    tabia_json_close(json);
}

static void json_row(Json *json, const BenchTable *t, unsigned row) {
    const BenchRow *r = &t->row[row];
    tabia_json_object(json, NULL);
    tabia_json_text(json, "name", r->name);
    tabia_json_integer(json, "threads", r->threads);
    json_spread(json, "figure", bench_figure(t, row));
    if (r->against >= 0) {
        tabia_json_text(json, "against", t->row[r->against].name);
        json_spread(json, "ratio", bench_ratio(t, row));
    }
    tabia_json_array(json, "samples");
    for (unsigned i = 0; i < t->rounds; i++) tabia_json_real(json, NULL, r->sample[i]);
    tabia_json_close(json);
    tabia_json_close(json);
}

static void json_table(Json *json, const BenchTable *t) {
    tabia_json_object(json, NULL);
    tabia_json_text(json, "experiment", bench_name(t->experiment));
    tabia_json_text(json, "title", t->title);
    tabia_json_text(json, "unit", t->unit);
    tabia_json_integer(json, "rounds", t->rounds);
    tabia_json_array(json, "rows");
    for (unsigned i = 0; i < t->rows; i++) json_row(json, t, i);
    tabia_json_close(json);
    tabia_json_array(json, "notes");
    for (unsigned i = 0; i < t->notes; i++) tabia_json_text(json, NULL, t->note[i]);
    tabia_json_close(json);
    tabia_json_close(json);
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
    if (p->json)
        json_table(&p->writer, t);
    else
        print_table(t);
}

static void begin_output(TableBenchCommand *p) {
    char processor[PROCESSOR_TEXT_MAX];
    const unsigned processors = tabia_threads_usable();
    const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    tabia_processor_name(processor);
    if (!p->json) {
        printf("tabia %s, %s, %u processors, %.1f GiB\n\n", tabia_version(), processor, processors,
               (double)memory / (1 << 30));
        return;
    }
    json_document(&p->writer, "table bench");
    tabia_json_text(&p->writer, "version", tabia_version());
    tabia_json_text(&p->writer, "processor", processor);
    tabia_json_integer(&p->writer, "processors", processors);
    tabia_json_count(&p->writer, "memory_bytes", memory);
    tabia_json_boolean(&p->writer, "quick", p->job.quick);
    tabia_json_array(&p->writer, "tables");
}

static bool end_output(TableBenchCommand *p, bool stopped, TabiaError *error) {
    tabia_progress_end(&p->progress);
    if (p->json) {
        tabia_json_close(&p->writer);
        tabia_json_boolean(&p->writer, "complete", !stopped);
        return tabia_json_end(&p->writer, error);
    }
    if (stopped) puts("stopped: what is missing above was not measured");
    return true;
}

static int run(TableBenchCommand *p, TabiaError *error) {
    bool stopped = false;
    TabiaError other;
    tabia_stop_install(true);
    begin_output(p);
    bool good = bench_run(&p->job, &stopped, error);
    if (!end_output(p, stopped || !good, good ? error : &other)) good = false;
    if (!good) return EXIT_OUTSIDE;
    return stopped ? EXIT_STOPPED : EXIT_GOOD;
}

int table_bench(int argc, char **argv) {
    TableBenchCommand p = {.job = {.bytes = (uint64_t)1 << 30, .rounds = 5, .watch = watch, .finished = finished},
                           .max_threads = tabia_threads_usable()};
    TabiaError error = {0};
    p.job.context = &p;
    if (!read_command_line(argc, argv, &p, &error)) return report_error("table bench", &error, EXIT_USAGE);
    option_progress_begin(&p.progress, false, p.every, NULL);
    const int status = run(&p, &error);
    return status == EXIT_OUTSIDE ? report_error("table bench", &error, status) : status;
}
