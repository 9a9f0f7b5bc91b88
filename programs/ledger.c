/* SPDX-License-Identifier: MIT */
/* tabia ledger: how far a count is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "commands.h"
#include "json_document.h"
#include "options.h"
#include "perft/ledger.h"
#include "program.h"

static const char help[] = "usage: %s ledger FILE [--json]\n"
                           "\n"
                           "Says which count the ledger is of, how many of its units are finished, and when the last "
                           "one was. The count may be\n"
                           "going on; nothing is changed. To go on with it: the same command that made it.\n"
                           "\n"
                           "  --json   one JSON document\n";

/* Units that came once or more. */
typedef struct {
    bool *seen;
    uint64_t total, done;
} LedgerCount;

static void count_unit(void *context, uint64_t unit, U128 leaves) {
    LedgerCount *c = context;
    (void)leaves;
    if (!c->seen || unit >= c->total || c->seen[unit]) return;
    c->seen[unit] = true, c->done++;
}

static void ignore_unit(void *context, uint64_t unit, U128 leaves) {
    (void)context, (void)unit, (void)leaves;
}

/* The count that a ledger is of. */
typedef struct {
    char what[16];
    int depth;
    const char *position;
} LedgerRun;

/* "perft 11 in 20116 units (...) at ply 5 of FEN": how many units, and the FEN. */
static bool read_run(const char *text, LedgerRun *run, uint64_t *units) {
    const char *of = strstr(text, " of ");
    if (!of || sscanf(text, "%15s %d in %" SCNu64 " units", run->what, &run->depth, units) != 3) return false;
    run->position = of + 4;
    return *units <= UINT32_MAX;
}

static void print_facts(const LedgerRun *run, const LedgerFacts *facts, const LedgerCount *c) {
    char ago[SHORT_TEXT_MAX];
    tabia_duration_text(facts->seconds, ago);
    printf("%s %d of %s\n", run->what, run->depth, run->position);
    printf("%ju of %ju units, %.1f %%; the last %s ago%s\n", (uintmax_t)c->done, (uintmax_t)c->total,
           c->total ? 100 * (double)c->done / (double)c->total : 100.0, ago,
           facts->in_use        ? ", and a process is at it"
           : c->done < c->total ? ", and nobody is at it"
                                : "");
    if (facts->damaged_bytes)
        printf("%ju bytes hold no good record; their units will be counted again\n", (uintmax_t)facts->damaged_bytes);
}

static bool print_json(const LedgerRun *run, const LedgerFacts *facts, const LedgerCount *c, TabiaError *error) {
    Json j;
    json_document(&j, "ledger");
    tabia_json_text(&j, "count", run->what);
    tabia_json_integer(&j, "depth", run->depth);
    tabia_json_text(&j, "position", run->position);
    tabia_json_count(&j, "units", c->total);
    tabia_json_count(&j, "units_done", c->done);
    tabia_json_real(&j, "seconds_since", facts->seconds);
    tabia_json_boolean(&j, "in_use", facts->in_use);
    tabia_json_count(&j, "damaged_bytes", facts->damaged_bytes);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static int tell(const char *file_name, bool json) {
    LedgerFacts facts;
    LedgerCount c = {0};
    LedgerRun run;
    TabiaError error;
    if (!ledger_read(file_name, ignore_unit, NULL, &facts, &error)) return report_error("ledger", &error, EXIT_USAGE);
    if (!read_run(facts.run, &run, &c.total)) {
        tabia_fail(&error, "%.100s: of a count that this program does not know: %.200s", file_name, facts.run);
        return report_error("ledger", &error, EXIT_USAGE);
    }
    c.seen = calloc(c.total + 1, sizeof *c.seen);
    bool good = c.seen || tabia_fail(&error, "not enough memory for %ju units", (uintmax_t)c.total);
    good = good && ledger_read(file_name, count_unit, &c, &facts, &error);
    free(c.seen);
    if (good && !json) print_facts(&run, &facts, &c);
    if (good && json) good = print_json(&run, &facts, &c, &error);
    return good ? EXIT_GOOD : report_error("ledger", &error, EXIT_OUTSIDE);
}

int command_ledger(int argc, char **argv) {
    bool json = false, wants_help;
    const OptionRow rows[] = {flag_option("json", &json), {0}};
    TabiaError error;
    if (!option_rows(argc, argv, rows, &wants_help, &error)) return report_error("ledger", &error, EXIT_USAGE);
    if (wants_help) return printf(help, program_texts.name), EXIT_GOOD;
    if (optind + 1 != argc) {
        tabia_fail(&error, "one FILE is needed; for example: %s ledger eleven.ledger", program_texts.name);
        return report_error("ledger", &error, EXIT_USAGE);
    }
    return tell(argv[optind], json);
}
