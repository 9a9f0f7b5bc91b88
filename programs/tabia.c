/* SPDX-License-Identifier: MIT */
/* tabia, and the program of each other game: which subcommand? */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "program.h"
#include "version.h"

static int usage(FILE *to, int status) {
    const char *name = program_texts.name;
    fprintf(to, "usage: %s COMMAND ...\n\n", name);
    for (const ProgramCommand *c = program_commands; c->name; c++) fprintf(to, "  %-8s %s\n", c->name, c->about);
    fprintf(to, "\n%s COMMAND --help tells more; %s --version prints the version.\n%s", name, name,
            program_texts.first_steps);
    return status;
}

static int run(int argc, char **argv) {
    if (argc < 2) return program_without_command(argc, argv);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return usage(stdout, EXIT_GOOD);
    if (!strcmp(argv[1], "--version")) return version_print(program_texts.name), EXIT_GOOD;
    for (const ProgramCommand *c = program_commands; c->name; c++)
        if (!strcmp(argv[1], c->name)) return c->run(argc - 1, argv + 1);
    if (strchr(argv[1], ' ')) return program_without_command(argc, argv); /* as `tabia "go depth 5" quit` */
    const char *name = program_texts.name;
    fprintf(stderr, "%s: there is no command '%s'; %s --help lists them\n", name, argv[1], name);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    return close_output(program_texts.name, run(argc, argv));
}
