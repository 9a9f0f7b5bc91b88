/* SPDX-License-Identifier: MIT */
/* What tabia-shogi says. */
#include "../program.h"

#include <stddef.h>

#include "formats/kif_write.h"

const ProgramTexts program_texts = {
    .name = "tabia-shogi",
    .mpi_name = "tabia-shogi-mpi",
    .first_steps = "First steps: tabia-shogi perft 6     tabia-shogi go depth 10     tabia-shogi perft 3 --divide     "
                   "man tabia-shogi\n",
    .greeting = TABIA_VERSION
    ", a shogi engine. help lists the commands, quit ends; tabia-shogi --help lists the other commands.",
    .games_flag = "kif",
    .write_solution = kif_write_solution,
};
