/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi-lab, and what its help says of shogi. */
#include <stddef.h>

#include "../program.h"
#include "lab.h"

const Subcommand program_commands[] = {
    {"hazard", lab_hazard, "how false hits stop a generator of training data, and which cure helps"},
    {"path-keys", lab_path_keys, "each form of path key: its nodes, and right answers near repetitions"},
    {0},
};

const ProgramTexts program_texts = {.name = "tabia-shogi-lab"};

const LabTexts lab_texts = {
    .answers = "               same position without the game before it. A draw is right within 50 centipawns; a win\n"
               "               from 150 on\n"
               "  moves        right moves (bm, am of the file)\n"
               "  false mates  announced though the position is a draw\n",
    .forms =
        "`occurrences` distinguishes how often the position has occurred in the game, `checks` also who has given\n"
        "nothing but checks.\n",
    .positions = "games in which repetitions of four to eight plies, or perpetual checks, are about to end the game.\n",
};
