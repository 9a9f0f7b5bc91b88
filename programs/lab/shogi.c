/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi-lab. */
#include <stddef.h>

#include "../program.h"
#include "lab.h"

const Subcommand program_commands[] = {
    {"hazard", lab_hazard, "how false hits stop a generator of training data, and which fix helps"},
    {0},
};

const ProgramTexts program_texts = {.name = "tabia-shogi-lab"};
