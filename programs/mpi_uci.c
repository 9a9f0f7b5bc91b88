/* SPDX-License-Identifier: MIT */
/* tabia-mpi without a command, or with uci: one chess engine on all ranks (distributed/engine/distributed_engine.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "distributed/engine/distributed_engine.h"
#include "mpi_commands.h"
#include "options.h"
#include "uci/engine.h"

static bool read_options(int argc, char **argv, DistributedEngineOptions *o, const char **network, TabiaError *error) {
    unsigned delay = 0, timeout = 0;
    const OptionRow rows[] = {int_option("store-depth", &o->store_depth, 1, 100),
                              int_option("probe-depth", &o->probe_depth, 1, 100),
                              unsigned_option("batching-delay", &delay, 1, 1000000),
                              unsigned_option("rank-timeout", &timeout, 1, 100000),
                              flag_option("private", &o->private_tables),
                              flag_option("unserved", &o->unserved),
                              text_option("network", network),
                              {0}};
    if (!option_rows(argc, argv, "mpi uci", rows, error)) return false;
    o->batching_delay = delay * 1e-6, o->timeout = timeout;
    return true;
}

/* What the client would say: a line for each argument, or one of all where they are the words of a command. NULL: no
   memory. */
static FILE *lines_of_arguments(int count, char **words) {
    bool takes_arguments = false;
    const bool one_line = engine_knows(words[0], &takes_arguments) && takes_arguments;
    size_t room = 1;
    for (int i = 0; i < count; i++) room += strlen(words[i]) + 1;
    FILE *lines = fmemopen(NULL, room, "w+");
    for (int i = 0; lines && i < count; i++) fprintf(lines, "%s%c", words[i], one_line && i + 1 < count ? ' ' : '\n');
    if (lines) rewind(lines);
    return lines;
}

static int refuse(const TabiaError *error) {
    return mpi_is_root() ? mpi_report_error("uci", error, EXIT_USAGE) : EXIT_USAGE;
}

int mpi_uci(int argc, char **argv) {
    DistributedEngineOptions options = {.program = "tabia-mpi " TABIA_VERSION " uci", .in = stdin, .out = stdout};
    TabiaError error;
    const char *network_file = NULL;
    bool orderly;
    if (!read_options(argc, argv, &options, &network_file, &error)) return refuse(&error);
    if (optind < argc && !(options.in = lines_of_arguments(argc - optind, argv + optind)))
        return tabia_fail(&error, "no memory for the lines"), mpi_report_error("uci", &error, EXIT_OUTSIDE);
    if (network_file && !(options.network = evaluation_network_read(network_file, EVALUATION_SCALE, &error)))
        return mpi_report_error("uci", &error, EXIT_USAGE);
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0); /* unless set for mpirun: a poll is not a wait */
    if (!mpi_begin(&options.transport, &argc, &argv, &error)) return mpi_report_error("uci", &error, EXIT_OUTSIDE);
    int status = EXIT_GOOD;
    if (!distributed_engine_run(&options, &orderly, &error)) {
        status = EXIT_OUTSIDE;
        if (mpi_is_root() || !orderly) mpi_report_error("uci", &error, status);
    }
    mpi_exit(options.transport, orderly, status);
}
