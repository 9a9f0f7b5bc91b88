/* SPDX-License-Identifier: MIT */
/* The commands of tabia-mpi. */
#include "../mpi_commands.h"

#include <stddef.h>
#include <string.h>

#include "uci/engine.h"

const Subcommand mpi_commands[] = {
    {"uci", mpi_uci, "a chess engine on all ranks (without a command, the same)"},
    {"perft", mpi_perft, "count the positions DEPTH plies ahead, on all ranks together"},
    {0},
};

const Subcommand *const mpi_command_alone = mpi_commands;

bool mpi_command_takes(const char *word) {
    bool takes_arguments;
    return strchr(word, ' ') || engine_knows(word, &takes_arguments);
}
