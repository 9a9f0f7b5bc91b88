/* SPDX-License-Identifier: MIT */
/* The commands of tabia-lab, and what its help says of chess. */
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

const LabTexts lab_texts = {
    .answers = "               same position with the clock of the 50-move rule at 0. A draw is right within 50\n"
               "               centipawns; a win from 150 on, or as a mate that the clock allows\n"
               "  moves        right moves (bm, am of the file)\n"
               "  false mates  announced though the position is a draw, or though the clock forbids them\n",
    .forms =
        "`guard` is that table, but at a halfmove clock of 90 and more no score from it ends a search, other than a\n"
        "proven mate.\n",
    .positions = "queen or rook against the bare king, where mate falls on the 100th ply or one ply later, and locked\n"
                 "positions that neither side can win.\n",
};
