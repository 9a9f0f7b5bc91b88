/* SPDX-License-Identifier: MIT */
/* tabia-mpi without a command, or with uci: one chess engine on all ranks (distributed/engine/distributed_engine.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "distributed/engine/distributed_engine.h"
#include "mpi_commands.h"
#include "options.h"

static const char help[] =
    "usage: mpirun -n RANKS tabia-mpi [uci [options]]\n"
    "\n"
    "One chess engine on all ranks, spoken to in UCI by standard input and output. The option Hash is the memory of\n"
    "each rank, Threads the threads of each; start one rank for each machine or memory node, with as many threads as\n"
    "it has cores.\n"
    "\n"
    "  --store-depth N    entries of depth N and more are sent to the rank that owns them; default: 5\n"
    "  --ask-depth N      what the own table knows too little of is asked of its owner from this depth on; default: 5\n"
    "  --linger MICROS    how long a message waits to be filled; default: 500\n"
    "  --patience SECONDS a rank that is silent for so long is given up; default: 30\n"
    "  --private          ranks share no table: for comparison\n"
    "\n"
    "Examples\n"
    "  mpirun -n 4 build/tabia-mpi\n"
    "  printf 'position startpos\\ngo movetime 2000\\n' | mpirun -n 2 build/tabia-mpi\n";

static bool read_options(int argc, char **argv, EnsembleWish *w, bool *wants_help, Fault *fault) {
    unsigned linger = 0, patience = 0;
    const OptionRow rows[] = {
        take_int("store-depth", &w->store_depth, 1, 100), take_int("ask-depth", &w->ask_depth, 1, 100),
        take_unsigned("linger", &linger, 1, 1000000),     take_unsigned("patience", &patience, 1, 100000),
        take_flag("private", &w->private_tables),         {0}};
    if (!option_rows(argc, argv, rows, wants_help, fault)) return false;
    w->linger = linger * 1e-6, w->patience = patience;
    return *wants_help || optind == argc || tabia_fault(fault, "'%s' is one argument too many", argv[optind]);
}

static int refuse(const Fault *fault) {
    return mpi_is_first() ? mpi_complain("uci", fault, EXIT_USAGE) : EXIT_USAGE;
}

int mpi_uci(int argc, char **argv) {
    EnsembleWish wish = {.program = "tabia-mpi " TABIA_VERSION " uci", .in = stdin, .out = stdout};
    Fault fault;
    TabiaReason why;
    bool wants_help = false, all_well;
    if (!read_options(argc, argv, &wish, &wants_help, &fault)) return refuse(&fault);
    if (wants_help) return mpi_is_first() && fputs(help, stdout), EXIT_GOOD;
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0); /* unless mpirun was told: a look for messages is no wait */
    if (tabia_transport_mpi(&wish.transport, &argc, &argv, &why)) {
        tabia_fault(&fault, "%s", why.text);
        return mpi_complain("uci", &fault, EXIT_OUTSIDE);
    }
    int status = EXIT_GOOD;
    if (!ensemble_run(&wish, &all_well, &fault)) {
        status = EXIT_OUTSIDE;
        if (mpi_is_first()) mpi_complain("uci", &fault, status);
    }
    mpi_leave(wish.transport, all_well, status);
}
