/* SPDX-License-Identifier: MIT */
/* tabia: which subcommand? */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "version.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} commands[] = {
    {"perft", command_perft, "count the positions a number of plies ahead; check suites and other programs"},
    {"gensfen", command_gensfen, "training data: games against itself, the same bytes on any number of threads"},
    {"table", command_table, "measure, audit and stress the transposition table"},
    {"bench", command_bench, "search a fixed list of positions; prints nodes and nodes a second"},
    {"data", command_data, "files of training data: convert, verify, shuffle, dedupe, split, sample, stats"},
    {"network", command_network, "describe networks, import and export them"},
    {"train", command_train, "fit the network of the evaluation to training data"},
    {"tune", command_tune, "fit the weights of the evaluation to training data"},
    {"simulate", command_simulate, "what a cluster would cost, by a model and a recorded trace"},
    {"uci", command_uci, "the chess engine; also without any command"},
    {"unique", command_unique, "count the different positions after each ply"},
};

static int usage(FILE *to, int status) {
    fputs("usage: tabia COMMAND ...\n\n", to);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].about);
    fputs("\ntabia COMMAND --help tells more; tabia --version prints the version.\n"
          "First steps: tabia perft 7     tabia perft 5 --divide     man tabia\n",
          to);
    return status;
}

static int run(int argc, char **argv) {
    if (argc < 2) return command_uci(argc, argv);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return usage(stdout, EXIT_GOOD);
    if (!strcmp(argv[1], "--version")) return version_print("tabia"), EXIT_GOOD;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    if (strchr(argv[1], ' ')) return command_uci(argc, argv); /* lines of UCI, as `tabia "go depth 5" quit` */
    fprintf(stderr, "tabia: there is no command '%s'; tabia --help lists them\n", argv[1]);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    return close_output("tabia", run(argc, argv));
}
