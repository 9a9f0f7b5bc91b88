/* SPDX-License-Identifier: MIT */
/* tabia, and the program of each other game: which subcommand? */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "program.h"
#include "uci/engine.h"
#include "version.h"

static void usage(FILE *to) {
    const char *name = program_texts.name;
    fprintf(to, "usage: %s COMMAND ...\n\n", name);
    subcommands_print(program_commands, to);
    fprintf(to, "\n%s help COMMAND tells more; %s --version prints version, commit, compiler and kernel.\n%s", name,
            name, program_texts.first_steps);
}

/* Is the first argument a line of the engine's protocol, as `tabia "go depth 5" quit`, or a command of it: `tabia go
   depth 5`? */
static bool is_protocol(const char *word) {
    bool takes_arguments;
    return strchr(word, ' ') || engine_knows(word, &takes_arguments);
}

static int run(int argc, char **argv) {
    if (argc < 2) return command_uci(argc, argv);
    if (!strcmp(argv[1], "--version")) return version_print(program_texts.name), EXIT_GOOD;
    const bool command = subcommand_find(program_commands, argv[1]) || !strcmp(argv[1], "help");
    if (!command && is_protocol(argv[1])) return command_uci(argc, argv);
    const Subcommands commands = {program_texts.name, "command", program_commands, usage, engine_closest_command};
    return subcommands_run(&commands, argc, argv);
}

int main(int argc, char **argv) {
    return program_main(program_texts.name, run, argc, argv);
}
