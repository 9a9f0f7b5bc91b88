/* SPDX-License-Identifier: MIT */
/* tabia-lab table audit: how true a table is, and how useful. */
#include <stdio.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/threads.h"
#include "base/time.h"
#include "lab.h"
#include "lab/table/audit.h"
#include "notation/fen.h"

static const char help[] =
    "usage: tabia-lab table audit [STREAM] [options]\n"
    "\n"
    "Measures how often a table says what is not so, and what it saves. STREAM is a file of\n"
    "`tabia-lab table record`; without one, perft 7 of the start position is recorded in memory.\n"
    "Exit status 1 if a claim does not hold: a false hit with 48 signature bits or more, a rate at\n"
    "16 bits that is 5 % off the formula, a replay whose total is not the true one.\n"
    "\n"
    "  --only NAME,...   some of the experiments (below)\n"
    "  --probes N        for each key too wide for false hits to be counted on; default 1000000000\n"
    "  --bits N          of the key widths (16, 24, 32, 48, 64) this one only\n"
    "  --threads N       for probing; default: one for each core\n"
    "  --quick           small streams, 10000000 probes: a look, no measurement\n"
    "  --seed N          other random keys\n"
    "  --json            one JSON object instead of text\n"
    "  --plot FILE.svg   the curves (or .png; .gp: the script for gnuplot)\n"
    "  --quiet           no progress\n"
    "  --progress SECONDS\n"
    "                    a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Experiments\n";

static const char help_end[] =
    "\n"
    "Examples\n"
    "  tabia-lab table audit --only false --bits 48 --probes 10000000000    a minute or two on two cores\n"
    "  tabia-lab table record 8 --out start8.stream && tabia-lab table audit start8.stream --only size,ways\n";

typedef struct {
    AuditOptions o;
    const char *file, *plot;
    bool json, quiet, wants_help;
    double start;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
} AuditCommand;

/* ---- the command line ---- */

static bool read_only(void *to, const char *list, TabiaError *error) {
    const char *name[AUDIT_N];
    const OptionNames names = {"--only", name, AUDIT_N, "tabia-lab table audit --help lists them"};
    uint64_t set = 0;
    for (unsigned e = 0; e < AUDIT_N; e++) name[e] = audit_name(e);
    if (!option_names(&names, list, &set, error)) return false;
    *(unsigned *)to |= (unsigned)set;
    return true;
}

static bool read_bits(void *to, const char *text, TabiaError *error) {
    uint64_t n;
    if (!option_number("--bits", text, 16, 64, &n, error)) return false;
    if (n != 16 && n != 24 && n != 32 && n != 48 && n != 64)
        return tabia_fail(error, "--bits: %s is none of 16, 24, 32, 48, 64", text);
    *(unsigned *)to = (unsigned)n;
    return true;
}

static bool read_command_line(int argc, char **argv, AuditCommand *a, TabiaError *error) {
    const OptionRow rows[] = {reader_option("only", read_only, &a->o.only),
                              uint64_option("probes", &a->o.probes, 1, (uint64_t)1 << 50),
                              reader_option("bits", read_bits, &a->o.bits),
                              unsigned_option("threads", &a->o.threads, 1, 4096),
                              uint64_option("seed", &a->o.seed, 0, UINT64_MAX),
                              text_option("plot", &a->plot),
                              flag_option("quick", &a->o.quick),
                              flag_option("json", &a->json),
                              flag_option("quiet", &a->quiet),
                              progress_option(&a->every),
                              {0}};
    if (!option_rows(argc, argv, rows, &a->wants_help, error)) return false;
    if (a->wants_help) return true;
    if (optind + 1 < argc)
        return tabia_fail(error, "'%s' is one argument too many; one STREAM is replayed", argv[optind + 1]);
    if (optind < argc) a->file = argv[optind];
    return true;
}

static int print_help(void) {
    fputs(help, stdout);
    for (unsigned e = 0; e < AUDIT_N; e++) printf("  %-11s %s\n", audit_name(e), audit_about(e));
    return fputs(help_end, stdout), EXIT_GOOD;
}

/* ---- the work ---- */

static void show(void *context, const char *what, double share) {
    AuditCommand *a = context;
    if (tabia_progress_is_due(&a->progress, NULL)) tabia_progress_show(&a->progress, "%s: %.0f %%", what, 100 * share);
}

static void show_recording(void *context, uint64_t records, double share) {
    (void)records;
    show(context, "recording", share);
}

static bool requires_stream(const AuditOptions *o) {
    for (unsigned e = 0; e < AUDIT_N; e++)
        if ((!o->only || o->only >> e & 1) && audit_needs_stream(e)) return true;
    return false;
}

/* The caller's, or one of our own; none if no experiment needs one. */
static bool get_stream(AuditCommand *a, Stream *s, TabiaError *error) {
    if (!a->file && !requires_stream(&a->o)) return true;
    a->o.stream = s;
    if (a->file) return stream_read(s, a->file, error);
    StreamJob job = {.depth = a->o.quick ? 6 : 7,
                     .threads = a->o.threads,
                     .keys_seed = a->o.seed,
                     .text = a->o.quick ? "perft 6 of the start position" : "perft 7 of the start position",
                     .progress = show_recording,
                     .context = a};
    return fen_parse(&job.root, fen_start, error) && stream_make(s, &job, error);
}

/* ---- what is printed ---- */

static bool print_json(const AuditCommand *a, const Stream *s, const AuditReport *report, TabiaError *error) {
    Json j;
    json_document(&j, "table audit");
    tabia_json_text(&j, "stream", s->runs ? s->text : NULL);
    tabia_json_count(&j, "records", s->records);
    tabia_json_integer(&j, "threads", a->o.threads);
    tabia_json_real(&j, "seconds", tabia_clock_wall() - a->start);
    for (unsigned i = 0; i < report->sheets; i++) sheet_json(&report->sheet[i], &j);
    tabia_json_array(&j, "claims");
    for (unsigned i = 0; i < report->claims; i++) {
        tabia_json_object(&j, NULL);
        tabia_json_text(&j, "claim", report->claim[i].text);
        tabia_json_boolean(&j, "holds", report->claim[i].held);
        tabia_json_close(&j);
    }
    tabia_json_close(&j);
    tabia_json_boolean(&j, "all_hold", report->held);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static bool print_text(const Stream *s, const AuditReport *report) {
    if (s->runs) printf("stream: %s, %ju records\n\n", s->text, (uintmax_t)s->records);
    for (unsigned i = 0; i < report->sheets; i++) sheet_print(&report->sheet[i], stdout);
    for (unsigned i = 0; i < report->claims; i++)
        printf("%s  %s\n", report->claim[i].held ? "holds" : "FAILS", report->claim[i].text);
    return true;
}

static int run(AuditCommand *a, Stream *s, TabiaError *error) {
    AuditReport report = {0};
    int status = EXIT_OUTSIDE;
    bool good = audit_run(&a->o, &report, error);
    const bool stopped = !good && tabia_stop_requested();
    tabia_progress_end(&a->progress);
    if (stopped) fputs("tabia-lab table audit: stopped; what follows was finished before\n", stderr);
    if (stopped) good = true;
    good = good && (a->json ? print_json(a, s, &report, error) : print_text(s, &report));
    if (good && a->plot && !stopped) good = sheets_plot(report.sheet, report.sheets, a->plot, error);
    if (!good)
        report_error("table audit", error, EXIT_OUTSIDE);
    else
        status = stopped ? EXIT_STOPPED : report.held ? EXIT_GOOD : EXIT_DIFFERS;
    audit_free(&report);
    return status;
}

int table_audit(int argc, char **argv) {
    AuditCommand a = {.o = {.seed = 1, .progress = show}, .start = tabia_clock_wall()};
    TabiaError error;
    Stream s = {0};
    bool outside;
    a.o.context = &a;
    if (!read_command_line(argc, argv, &a, &error)) return report_error("table audit", &error, EXIT_USAGE);
    if (a.wants_help) return print_help();
    if (a.plot && !plot_is_possible(a.plot, &outside, &error))
        return report_error("table audit", &error, outside ? EXIT_OUTSIDE : EXIT_USAGE);
    if (!a.o.threads) a.o.threads = tabia_threads_usable();
    tabia_stop_install(true);
    option_progress_begin(&a.progress, a.quiet, a.every, NULL);
    if (!get_stream(&a, &s, &error)) {
        if (tabia_stop_requested()) return report_stopped("table audit", "nothing was measured");
        return report_error("table audit", &error, a.file ? EXIT_USAGE : EXIT_OUTSIDE);
    }
    const int status = run(&a, &s, &error);
    stream_free(&s);
    return status;
}
