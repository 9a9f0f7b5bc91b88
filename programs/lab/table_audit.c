/* SPDX-License-Identifier: MIT */
/* tabia-lab table audit: false hits by the width of the key, against the formula. */
#include <math.h>
#include <stdio.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/stop.h"
#include "base/threads.h"
#include "base/time.h"
#include "lab.h"
#include "lab/table/false_hits.h"

typedef struct {
    const char *key;
    unsigned signature_bits;
    bool one_word;
    uint64_t bytes;
} AuditKey;

enum { SMALL = 1 << 20, LARGE = 16 << 20, SURE_EVENTS = 20000, SURE_EVENTS_QUICK = 10000 };
static const AuditKey keys[] = {
    {"two words", 16, false, SMALL}, {"two words", 16, false, LARGE}, {"two words", 24, false, SMALL},
    {"two words", 32, false, SMALL}, {"two words", 48, false, SMALL}, {"two words", 64, false, SMALL},
    {"one word", 24, true, SMALL},   {"one word", 24, true, LARGE},   {"one word", 48, true, SMALL},
};
enum { KEYS = sizeof keys / sizeof *keys };

/* below: with 95 % where there was no false hit. */
typedef struct {
    const char *key;
    unsigned signature_bits;
    uint64_t bytes, probes, false_hits;
    double fill, rate, formula, of_formula, below;
    bool holds;
} AuditRow;

static const ReportColumn columns[] = {
    {"key", "key", REPORT_TEXT, 0, offsetof(AuditRow, key)},
    {"signature_bits", "signature bits", REPORT_UNSIGNED, 0, offsetof(AuditRow, signature_bits)},
    {"bytes", "table", REPORT_BYTES, 0, offsetof(AuditRow, bytes)},
    {"fill", "full", REPORT_PERCENT, 2, offsetof(AuditRow, fill)},
    {"probes", "probes", REPORT_COUNT, 0, offsetof(AuditRow, probes)},
    {"false_hits", "false hits", REPORT_COUNT, 0, offsetof(AuditRow, false_hits)},
    {"rate", "a probe", REPORT_RATE, 0, offsetof(AuditRow, rate)},
    {"formula", "formula", REPORT_RATE, 0, offsetof(AuditRow, formula)},
    {"of_formula", "of formula", REPORT_REAL, 3, offsetof(AuditRow, of_formula)},
    {"below_95", "below (95 %)", REPORT_RATE, 0, offsetof(AuditRow, below)},
    {"holds", "holds", REPORT_YES, 0, offsetof(AuditRow, holds)},
};

typedef struct {
    uint64_t probes, seed;
    unsigned bits, threads;
    bool quick, json, quiet;
    double start;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
    const AuditKey *measured;
    AuditRow row[KEYS];
    unsigned rows;
} AuditCommand;

/* ---- the command line ---- */

static bool read_bits(void *to, const char *text, TabiaError *error) {
    uint64_t n;
    if (!option_number("--bits", text, 16, 64, &n, error)) return false;
    if (n != 16 && n != 24 && n != 32 && n != 48 && n != 64)
        return tabia_fail(error, "--bits: %s is none of 16, 24, 32, 48, 64", text);
    *(unsigned *)to = (unsigned)n;
    return true;
}

static bool read_command_line(int argc, char **argv, AuditCommand *a, TabiaError *error) {
    const OptionRow rows[] = {uint64_option("probes", &a->probes, 1, (uint64_t)1 << 50),
                              reader_option("bits", read_bits, &a->bits),
                              unsigned_option("threads", &a->threads, 1, 4096),
                              uint64_option("seed", &a->seed, 0, UINT64_MAX),
                              flag_option("quick", &a->quick),
                              flag_option("json", &a->json),
                              flag_option("quiet", &a->quiet),
                              progress_option(&a->every),
                              {0}};
    if (!option_rows(argc, argv, "table audit", rows, error)) return false;
    return optind == argc || tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
}

/* ---- the work ---- */

static void show(void *context, double share) {
    AuditCommand *a = context;
    if (tabia_progress_is_due(&a->progress, NULL))
        tabia_progress_show(&a->progress, "%u bits, %s, %ju KiB: %.0f %%", a->measured->signature_bits,
                            a->measured->key, (uintmax_t)a->measured->bytes >> 10, 100 * share);
}

static AuditRow row_of(const AuditKey *k, const FalseCase *c, const FalseResult *r) {
    const double rate = (double)r->false_hits / (double)r->probes;
    return (AuditRow){.key = k->key,
                      .signature_bits = k->signature_bits,
                      .bytes = k->bytes,
                      .probes = r->probes,
                      .false_hits = r->false_hits,
                      .fill = r->fill,
                      .rate = rate,
                      .formula = r->formula,
                      .of_formula = r->false_hits ? rate / r->formula : NAN,
                      .below = r->false_hits ? NAN : 3.0 / (double)r->probes,
                      .holds = false_result_holds(c, r)};
}

static bool measure(AuditCommand *a, const AuditKey *k, TabiaError *error) {
    FalseCase c = {.signature_bits = k->signature_bits,
                   .one_word = k->one_word,
                   .bytes = k->bytes,
                   .probes = a->probes,
                   .threads = a->threads,
                   .seed = a->seed + (uint64_t)(k - keys),
                   .progress = show,
                   .context = a};
    /* As many probes as a narrow one needs for its error to be small. */
    if (c.signature_bits == 16)
        c.probes = (uint64_t)((a->quick ? SURE_EVENTS_QUICK : SURE_EVENTS) / false_formula(&c, 1)) + 1;
    FalseResult r = {0};
    a->measured = k;
    if (!false_measure(&c, &r, error)) return false;
    a->row[a->rows++] = row_of(k, &c, &r);
    return true;
}

/* ---- what is printed ---- */

static bool print(const AuditCommand *a, bool all_hold, TabiaError *error) {
    const Report report = {columns, sizeof columns / sizeof *columns, a->rows, sizeof *a->row, a->row};
    if (!a->json) return tabia_report_print(&report, stdout), true;
    Json j;
    json_document(&j, "table audit");
    tabia_json_integer(&j, "threads", a->threads);
    tabia_json_real(&j, "seconds", tabia_clock_wall() - a->start);
    tabia_report_json(&report, &j, "false");
    tabia_json_boolean(&j, "complete", !tabia_stop_requested());
    tabia_json_boolean(&j, "all_hold", all_hold);
    return tabia_json_end(&j, error);
}

static int run(AuditCommand *a) {
    TabiaError error;
    bool good = true, all_hold = true;
    for (const AuditKey *k = keys; good && k < keys + KEYS; k++)
        if (!a->bits || a->bits == k->signature_bits) good = measure(a, k, &error);
    const bool stopped = !good && tabia_stop_requested();
    tabia_progress_end(&a->progress);
    if (stopped) fputs("tabia-lab table audit: stopped; what follows was finished before\n", stderr);
    for (unsigned i = 0; i < a->rows; i++) all_hold = all_hold && a->row[i].holds;
    if ((!good && !stopped) || !print(a, all_hold, &error)) return report_error("table audit", &error, EXIT_OUTSIDE);
    return stopped ? EXIT_STOPPED : all_hold ? EXIT_GOOD : EXIT_DIFFERS;
}

int table_audit(int argc, char **argv) {
    AuditCommand a = {.seed = 1, .start = tabia_clock_wall()};
    TabiaError error;
    if (!read_command_line(argc, argv, &a, &error)) return report_error("table audit", &error, EXIT_USAGE);
    if (!a.probes) a.probes = a.quick ? 10000000 : 1000000000;
    if (!a.threads) a.threads = tabia_threads_usable();
    tabia_stop_install(true);
    option_progress_begin(&a.progress, a.quiet, a.every, NULL);
    return run(&a);
}
