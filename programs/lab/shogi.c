/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi-lab. */
#include <stddef.h>

#include "../program.h"
#include "lab.h"

const Subcommand program_commands[] = {
    {"hazard", lab_hazard, "how false hits stop a generator of training data, and which cure helps"},
    {"path-keys", lab_path_keys, "each form of path key: its nodes, and right answers near repetitions"},
    {0},
};

const ProgramTexts program_texts = {.name = "tabia-shogi-lab"};
