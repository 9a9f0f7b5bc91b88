/* SPDX-License-Identifier: MIT */
/* tabia ledger: how far a count is. */
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "commands.h"
#include "json_document.h"
#include "options.h"
#include "perft/ledger_summary.h"
#include "program.h"

static void print_facts(const LedgerSummary *s) {
    char ago[SHORT_TEXT_MAX];
    tabia_duration_text(s->facts.seconds, ago);
    printf("%s %d of %s\n", s->what, s->depth, s->position);
    printf("%ju of %ju units, %.1f %%; the last %s ago%s\n", (uintmax_t)s->units_done, (uintmax_t)s->units,
           s->units ? 100 * (double)s->units_done / (double)s->units : 100.0, ago,
           s->facts.in_use            ? ", in use by a process"
           : s->units_done < s->units ? ", not in use"
                                      : "");
    if (s->facts.damaged_bytes)
        printf("%ju bytes hold no good record; %s\n", (uintmax_t)s->facts.damaged_bytes,
               s->units_done < s->units ? "their units will be counted again" : "no unit is missing");
}

static bool print_json(const LedgerSummary *s, TabiaError *error) {
    Json j;
    json_document(&j, "ledger");
    tabia_json_text(&j, "count", s->what);
    tabia_json_integer(&j, "depth", s->depth);
    tabia_json_text(&j, "position", s->position);
    tabia_json_count(&j, "units", s->units);
    tabia_json_count(&j, "units_done", s->units_done);
    tabia_json_real(&j, "seconds_since", s->facts.seconds);
    tabia_json_boolean(&j, "in_use", s->facts.in_use);
    tabia_json_count(&j, "damaged_bytes", s->facts.damaged_bytes);
    return tabia_json_end(&j, error);
}

static int print_summary(const char *file_name, bool json) {
    LedgerSummary s;
    TabiaError error;
    bool outside;
    bool good = ledger_summary_read(&s, file_name, &outside, &error);
    if (good && !json) print_facts(&s);
    outside = outside || good;
    if (good && json) good = print_json(&s, &error);
    return good ? EXIT_GOOD : report_error("ledger", &error, outside ? EXIT_OUTSIDE : EXIT_USAGE);
}

int command_ledger(int argc, char **argv) {
    bool json = false;
    const OptionRow rows[] = {flag_option("json", &json), {0}};
    TabiaError error;
    if (!option_rows(argc, argv, "ledger", rows, &error)) return report_error("ledger", &error, EXIT_USAGE);
    if (optind + 1 != argc)
        return tabia_fail(&error, "one FILE is needed; for example: %s ledger eleven.ledger", program_texts.name),
               report_error("ledger", &error, EXIT_USAGE);
    return print_summary(argv[optind], json);
}
