/* SPDX-License-Identifier: MIT */
/* The commands of tabia-lab. */
#include <stddef.h>

#include "../program.h"
#include "lab.h"

const Subcommand program_commands[] = {
    {"table", lab_table, "measure, audit and stress the transposition table"},
    {"hazard", lab_hazard, "how false hits stop a generator of training data, and which cure helps"},
    {"path-keys", lab_path_keys, "each form of path key: its nodes, and right answers near the 50-move rule"},
    {"path-keys-exact", lab_path_keys_exact, "the same against the exact results of solved endings"},
    {"simulate", lab_simulate, "what a cluster would cost, by a model"},
    {0},
};

const ProgramTexts program_texts = {.name = "tabia-lab"};
