/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi. */
#include "../commands.h"

#include <stdio.h>

#include "../program.h"

const Subcommand program_commands[] = {
    {"perft", command_perft, "count the positions a number of plies ahead; check suites and other programs"},
    {"referee", command_referee, "what the rules say of games, for programs that let others play"},
    {"unique", command_unique, "count the different positions after each ply"},
    {0},
};

int program_without_command(int argc, char **argv) {
    (void)argc, (void)argv;
    fprintf(stderr, "%s: a command is needed; %s --help lists them\n", program_texts.name, program_texts.name);
    return EXIT_USAGE;
}

bool program_takes(const char *word) {
    (void)word;
    return false;
}
