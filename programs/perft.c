/* SPDX-License-Identifier: MIT */
/* tabia perft: one count (perft_count.c), or counts compared with those of a suite, and with those of another program. */
#include <stdio.h>

#include "base/stop.h"
#include "commands.h"
#include "compare/against.h"
#include "compare/suite.h"
#include "json_document.h"
#include "options.h"
#include "perft_forms.h"

static bool watch(void *context, const PerftState *state) {
    (void)context, (void)state;
    return tabia_stop_requested();
}

/* A PerftCount as the options have it: threads, table, path. What takes no time is counted on the spot. */
static bool count_leaves(void *context, const Position *p, int depth, U128 *nodes, TabiaError *error) {
    const PerftOptions *o = context;
    if (depth == 1 || depth == 2) {
        *nodes = depth == 1 ? o->job.kernel->last_one(p) : o->job.kernel->last_two(p);
        return true;
    }
    PerftJob job = o->job;
    PerftState state;
    job.root = *p;
    job.depth = depth;
    job.ledger = NULL;
    job.watch = watch;
    const bool good = perft_run(&job, &state, error) && state.complete;
    *nodes = state.nodes;
    perft_state_free(&state);
    return good;
}

static SuiteOptions suite_options(PerftOptions *o, const JsonOrigin *origin) {
    return (SuiteOptions){
        .file_name = o->suite,
        .max_nodes = o->max_nodes == UINT64_MAX ? 0 : o->max_nodes,
        .json = o->json ? origin : NULL,
        .count = count_leaves,
        .context = o,
        .out = stdout,
        .messages = stderr,
        .progress = o->quiet ? NULL : stderr,
        .every = o->progress,
    };
}

static int perft_suite(PerftOptions *o) {
    const JsonOrigin origin = json_origin("perft --suite");
    const SuiteOptions options = suite_options(o, &origin);
    TabiaError error;
    tabia_stop_install(true);
    const int status = suite_run(&options, &error);
    return error.text[0] ? report_error("perft", &error, status) : status;
}

static int perft_against(PerftOptions *o) {
    enum { TIMEOUT = 600 };
    const JsonOrigin origin = json_origin("perft --against");
    AgainstOptions options = {.command = o->against,
                              .seconds = o->timeout > 0 ? o->timeout : TIMEOUT,
                              .depth = o->job.depth,
                              .fen = o->fen,
                              .moves = o->moves,
                              .chess960 = o->chess960,
                              .suite = suite_options(o, &origin)};
    TabiaError error;
    if (!protocol_parse(o->protocol, &options.protocol, &error)) return report_error("perft", &error, EXIT_USAGE);
    if (!o->suite && o->job.depth < 1)
        return tabia_fail(&error, "--against: DEPTH 1 or more"), report_error("perft", &error, EXIT_USAGE);
    tabia_stop_install(true);
    const int status = against_run(&options, &error);
    return error.text[0] ? report_error("perft", &error, status) : status;
}

int command_perft(int argc, char **argv) {
    PerftOptions o = perft_default_options();
    bool explain = false;
    const OptionRow more[] = {flag_option("explain", &explain), {0}};
    TabiaError error;
    if (!perft_read_command_line(argc, argv, "perft", more, &o, &error))
        return report_error("perft", &error, EXIT_USAGE);
    if (explain && (o.suite || o.against || o.divide || o.quiet || o.progress))
        return tabia_fail(&error,
                          "--explain is for one count, without --divide, --suite, --against, --quiet and --progress"),
               report_error("perft", &error, EXIT_USAGE);
    if (!perft_check_form(&o, optind < argc, &error)) return report_error("perft", &error, EXIT_USAGE);
    if (explain) return perft_explain(&o);
    if (o.against) return perft_against(&o);
    return o.suite ? perft_suite(&o) : perft_count(&o);
}
