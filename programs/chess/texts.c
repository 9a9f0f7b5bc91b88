/* SPDX-License-Identifier: MIT */
/* What tabia and tabia-mpi say of chess. */
#include "../program.h"

#include <stddef.h>

const ProgramTexts program_texts = {
    .name = "tabia",
    .mpi_name = "tabia-mpi",
    .first_steps = "First steps: tabia perft 7     tabia perft 5 --divide     man tabia\n",
    .greeting =
        TABIA_VERSION ", a chess engine. help lists the commands, quit ends; tabia --help lists the other commands.",
    .chess960_flag = "chess960",
};
