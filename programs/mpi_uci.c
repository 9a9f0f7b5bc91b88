/* SPDX-License-Identifier: MIT */
/* tabia-mpi without a command, or with uci: one chess engine on all ranks (ensemble/ensemble.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "ensemble/ensemble.h"
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
    "  printf 'position startpos\\ngo movetime 2000\\nquit\\n' | mpirun -n 2 build/tabia-mpi\n";

static bool take_number(const char *name, const char *value, uint64_t most, uint64_t *n, Fault *fault) {
    if (!value) return tabia_fault(fault, "%s: what follows it?", name);
    return option_number(name, value, 1, most, n, fault);
}

/* True also for what is no option of these: *known says. */
static bool take_option(const char *name, const char *value, EnsembleWish *w, bool *known, Fault *fault) {
    uint64_t n = 0;
    *known = true;
    if (!strcmp(name, "--store-depth"))
        return take_number(name, value, 100, &n, fault) && (w->store_depth = (int)n, true);
    if (!strcmp(name, "--ask-depth")) return take_number(name, value, 100, &n, fault) && (w->ask_depth = (int)n, true);
    if (!strcmp(name, "--linger"))
        return take_number(name, value, 1000000, &n, fault) && (w->linger = (double)n * 1e-6, true);
    if (!strcmp(name, "--patience"))
        return take_number(name, value, 100000, &n, fault) && (w->patience = (double)n, true);
    return *known = false, true;
}

static bool read_options(int argc, char **argv, EnsembleWish *w, bool *wants_help, Fault *fault) {
    for (int i = 1; i < argc; i++) {
        bool known;
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return *wants_help = true;
        if (!strcmp(argv[i], "--private")) {
            w->private_tables = true;
            continue;
        }
        if (!take_option(argv[i], argv[i + 1], w, &known, fault)) return false;
        if (!known) return tabia_fault(fault, "no option '%s'; --help lists them", argv[i]);
        i++;
    }
    return true;
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
    if (wants_help) return mpi_is_first() && fputs(help, stdout) < 0 ? EXIT_OUTSIDE : EXIT_GOOD;
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
