/* SPDX-License-Identifier: MIT */
/* tabia-lab and tabia-shogi-lab: experiments with the table and the search. Which? */
#include <stdio.h>
#include <string.h>

#include "../commands.h"
#include "../options.h"
#include "../program.h"
#include "../version.h"

static void usage(FILE *to) {
    const char *name = program_texts.name;
    fprintf(to, "usage: %s COMMAND ...\n\n", name);
    subcommands_print(program_commands, to);
    fprintf(to, "\n%s help COMMAND tells more; the guide: docs/laboratory.md\n", name);
}

static int run(int argc, char **argv) {
    const Subcommands commands = {program_texts.name, "command", program_commands, usage, NULL};
    if (argc > 1 && !strcmp(argv[1], "--version")) return version_print(program_texts.name), EXIT_GOOD;
    return subcommands_run(&commands, argc, argv);
}

int main(int argc, char **argv) {
    return program_main(program_texts.name, run, argc, argv);
}
