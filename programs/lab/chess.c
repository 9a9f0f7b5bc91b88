/* SPDX-License-Identifier: MIT */
/* The commands of tabia-lab. */
#include <stdio.h>

#include "../program.h"
#include "../subcommands.h"
#include "lab.h"

/* Of the transposition table: which experiment? */
static const Subcommand table_rows[] = {
    {"bench", table_bench, "how fast: probes a second, what protection costs, single calls"},
    {"audit", table_audit, "how true: false hits by the width of the key"},
    {"stress", table_stress, "threads and processes tear entries on purpose; are mixed ones ever believed?"},
    {0},
};

static void usage(FILE *to) {
    fputs("usage: tabia-lab table EXPERIMENT ...\n\n", to);
    subcommands_print(table_rows, to);
    fputs("\ntabia-lab table EXPERIMENT --help explains its options.\n", to);
}

static int lab_table(int argc, char **argv) {
    const Subcommands experiments = {"tabia-lab table", "experiment", table_rows, usage, NULL};
    return subcommands_run(&experiments, argc, argv);
}

const Subcommand program_commands[] = {
    {"table", lab_table, "measure, audit and stress the transposition table"},
    {"hazard", lab_hazard, "how false hits stop a generator of training data, and which fix helps"},
    {"simulate", lab_simulate, "predict the cost of a cluster by simulation"},
    {0},
};

const ProgramTexts program_texts = {.name = "tabia-lab"};
