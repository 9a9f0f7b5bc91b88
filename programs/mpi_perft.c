/* SPDX-License-Identifier: MIT */
/* perft on many ranks: the command line and the figures of perft on one machine, the work on ranks (distributed/perft/). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/stop.h"
#include "base/threads.h"
#include "commands.h"
#include "distributed/perft/distributed_perft.h"
#include "mpi_commands.h"
#include "options.h"
#include "perft_forms.h"
#include "program.h"

typedef struct {
    PerftOptions perft;
    unsigned rank_timeout;
} MpiPerftOptions;

static bool refuse_unsupported(const PerftOptions *o, TabiaError *error) {
    if (o->suite || o->against) return tabia_fail(error, "suites and comparisons are for %s perft", program_texts.name);
    if (o->job.mates) return tabia_fail(error, "--mates is for %s perft", program_texts.name);
    if (o->job.kinds) return tabia_fail(error, "--kinds is for %s perft", program_texts.name);
    if (o->job.table.name) return tabia_fail(error, "--table: ranks share their tables by messages, not by a name");
    return perft_check_form(o, true, error);
}

/* The figures of all ranks. */
static void print_members(const void *context, Json *j) {
    const DistributedPerftStats *s = context;
    tabia_json_count(j, "ranks", s->ranks);
    tabia_json_count(j, "unknown_positions", s->probes - s->hits);
    tabia_json_count(j, "sibling_sets_sent", s->sibling_sets_sent);
    tabia_json_count(j, "sibling_sets_served", s->sibling_sets_served);
    tabia_json_count(j, "sibling_sets_recounted", s->sibling_sets_recounted);
    tabia_json_count(j, "idle_steps", s->idle_steps);
    tabia_json_real(j, "frontier_seconds", s->frontier_seconds);
    tabia_json_count(j, "messages", s->messages.messages);
    tabia_json_count(j, "bytes", s->messages.bytes);
    tabia_json_count(j, "received", s->messages.received);
    tabia_json_count(j, "polls", s->messages.polls);
    tabia_json_count(j, "corrupt_messages", s->messages.corrupt_messages);
}

/* MPI binds ranks to cores unasked, and then all threads of one share a core. */
static void warn_of_binding(const MpiPerftOptions *o) {
    const unsigned usable = tabia_threads_usable();
    if (o->perft.job.threads > usable && !o->perft.quiet && mpi_is_root())
        fprintf(stderr, "%s perft: %u threads, but MPI lets this rank use %u core%s: mpirun --bind-to none\n",
                program_texts.mpi_name, o->perft.job.threads, usable, usable == 1 ? "" : "s");
}

/* Returns the exit status; *is_orderly: did all ranks come to the end together? */
static int count_on_ranks(MpiPerftOptions *o, TabiaTransport *transport, bool *is_orderly) {
    TabiaError error = {0};
    PerftState state;
    char program[64];
    snprintf(program, sizeof program, "%s " TABIA_VERSION, program_texts.mpi_name);
    PerftWatch w = {.quiet = o->perft.quiet, .every = o->perft.progress};
    tabia_stop_install(false);
    o->perft.job.watch = perft_watch, o->perft.job.context = &w;
    const DistributedPerftJob job = {.job = &o->perft.job,
                                     .transport = transport,
                                     .program = program,
                                     .timeout = o->rank_timeout,
                                     .private_tables = o->perft.job.private_tables,
                                     .log = o->perft.quiet ? NULL : stderr,
                                     .log_name = program_texts.mpi_name};
    const bool first = mpi_is_root();
    warn_of_binding(o);
    DistributedPerft *perft = NULL;
    *is_orderly = false;
    if (!(perft = distributed_perft_create(&job, &state, &error)))
        return mpi_report_error("perft", &error, EXIT_OUTSIDE);
    bool good = distributed_perft_run(perft, &error) == DISTRIBUTED_PERFT_DONE;
    *is_orderly = distributed_perft_is_orderly(perft);
    const DistributedPerftStats stats = distributed_perft_stats(perft);
    perft_watch_end(&w);
    if (!distributed_perft_close(perft, &error)) good = false;
    o->perft.ranks = tabia_transport_ranks(transport), o->perft.more = print_members, o->perft.more_context = &stats;
    if (good && first) good = perft_report(&o->perft, &state, &error);
    const bool complete = state.complete || !first;
    perft_state_free(&state);
    if (!good && error.text[0]) mpi_report_error("perft", &error, EXIT_OUTSIDE);
    return !good ? EXIT_OUTSIDE : complete ? EXIT_GOOD : EXIT_STOPPED;
}

static int refuse(const TabiaError *error) {
    return mpi_is_root() ? mpi_report_error("perft", error, EXIT_USAGE) : EXIT_USAGE;
}

int mpi_perft(int argc, char **argv) {
    MpiPerftOptions o = {.perft = perft_default_options()};
    TabiaError error;
    TabiaTransport *transport;
    bool is_orderly;
    const OptionRow own[] = {unsigned_option("rank-timeout", &o.rank_timeout, 1, 100000), {0}};
    o.perft.job.hash_bytes /= mpi_local_ranks();
    if (!perft_read_command_line(argc, argv, "mpi perft", own, &o.perft, &error)) return refuse(&error);
    if (!refuse_unsupported(&o.perft, &error)) return refuse(&error);
    if (!mpi_begin(&transport, &argc, &argv, &error)) return mpi_report_error("perft", &error, EXIT_OUTSIDE);
    const int status = count_on_ranks(&o, transport, &is_orderly);
    mpi_exit(transport, is_orderly, status);
}
