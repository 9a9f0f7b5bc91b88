/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi-mpi. */
#include "../mpi_commands.h"

#include <stddef.h>

const Subcommand mpi_commands[] = {
    {"perft", mpi_perft, "count the positions DEPTH plies ahead, on all ranks together"},
    {0},
};

const Subcommand *const mpi_command_alone = NULL;

bool mpi_command_takes(const char *word) {
    (void)word;
    return false;
}
