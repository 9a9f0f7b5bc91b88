/* SPDX-License-Identifier: MIT */
/* tabia-lab table: of the transposition table. Which experiment? */
#include <stdio.h>

#include "../commands.h"
#include "../subcommands.h"
#include "lab.h"

static const Subcommand rows[] = {
    {"bench", table_bench, "how fast: probes a second, what protection costs, single calls"},
    {"audit", table_audit, "how true: false hits by the width of the key"},
    {"stress", table_stress, "threads and processes tear entries on purpose; are mixed ones ever believed?"},
    {0},
};

static void usage(FILE *to) {
    fputs("usage: tabia-lab table EXPERIMENT ...\n\n", to);
    subcommands_print(rows, to);
    fputs("\ntabia-lab table EXPERIMENT --help explains its options.\n", to);
}

int lab_table(int argc, char **argv) {
    const Subcommands experiments = {"tabia-lab table", "experiment", rows, usage, NULL};
    return subcommands_run(&experiments, argc, argv);
}
