/* SPDX-License-Identifier: MIT */
/* tabia ledger: how far a count is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "commands.h"
#include "options.h"
#include "perft/ledger.h"

static const char help[] = "usage: tabia ledger FILE\n"
                           "\n"
                           "Says which count the ledger is of, how many of its units are finished, and when the last "
                           "one was. The count may be\n"
                           "going on; nothing is changed. To go on with it: the same command that made it.\n";

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

/* "perft 11 in 20116 units (...) at ply 5 of FEN": how many units, and the FEN. */
static bool read_run(const char *run, char *what, int *depth, uint64_t *units, const char **position) {
    const char *of = strstr(run, " of ");
    if (!of || sscanf(run, "%15s %d in %" SCNu64 " units", what, depth, units) != 3) return false;
    *position = of + 4;
    return *units <= UINT32_MAX;
}

static void print_facts(const LedgerFacts *facts, const LedgerCount *c) {
    char ago[SHORT_TEXT_MAX];
    tabia_duration_text(facts->seconds, ago);
    printf("%ju of %ju units, %.1f %%; the last %s ago%s\n", (uintmax_t)c->done, (uintmax_t)c->total,
           c->total ? 100 * (double)c->done / (double)c->total : 100.0, ago,
           facts->in_use        ? ", and a process is at it"
           : c->done < c->total ? ", and nobody is at it"
                                : "");
    if (facts->damaged_bytes)
        printf("%ju bytes hold no good record; their units will be counted again\n", (uintmax_t)facts->damaged_bytes);
}

static int tell(const char *file_name) {
    LedgerFacts facts;
    LedgerCount c = {0};
    TabiaError error;
    char what[16];
    const char *position;
    int depth;
    if (!ledger_read(file_name, ignore_unit, NULL, &facts, &error)) return report_error("ledger", &error, EXIT_USAGE);
    if (!read_run(facts.run, what, &depth, &c.total, &position)) {
        tabia_fail(&error, "%.100s: of a count that this program does not know: %.200s", file_name, facts.run);
        return report_error("ledger", &error, EXIT_USAGE);
    }
    c.seen = calloc(c.total + 1, sizeof *c.seen);
    if (!c.seen || !ledger_read(file_name, count_unit, &c, &facts, &error)) {
        if (!c.seen) tabia_fail(&error, "not enough memory for %ju units", (uintmax_t)c.total);
        free(c.seen);
        return report_error("ledger", &error, EXIT_OUTSIDE);
    }
    printf("%s %d of %s\n", what, depth, position);
    print_facts(&facts, &c);
    free(c.seen);
    return EXIT_GOOD;
}

int command_ledger(int argc, char **argv) {
    const OptionRow rows[] = {{0}};
    TabiaError error;
    bool wants_help;
    if (!option_rows(argc, argv, rows, &wants_help, &error)) return report_error("ledger", &error, EXIT_USAGE);
    if (wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (optind + 1 != argc) {
        tabia_fail(&error, "one FILE is needed; for example: tabia ledger eleven.ledger");
        return report_error("ledger", &error, EXIT_USAGE);
    }
    return tell(argv[optind]);
}
