/* SPDX-License-Identifier: MIT */
/* tabia data: chooses the command. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "data/format.h"
#include "data_commands.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"info", data_info_command, "describe a file: format, size, first record, fields"},
    {"verify", data_verify_command, "replay every record and name each fault with record and byte"},
    {"convert", data_convert_command, "from any format to any other; list what is lost"},
    {"shuffle", data_shuffle_command, "random order, for files larger than memory"},
    {"dedupe", data_dedupe_command, "remove duplicate positions"},
    {"filter", data_filter_command, "without the records that rules remove; count them by rule"},
    {"split", data_split_command, "into several files, for training and testing"},
    {"sample", data_sample_command, "some records or games, chosen at random"},
    {"rescore", data_rescore_command, "new scores, by a search of our own"},
    {"stats", data_stats_command, "histograms of phase, pieces, material, score, result and length"},
};

static int usage(FILE *to, int status) {
    fputs("usage: tabia data COMMAND FILE... [options]\n\n", to);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\nFormats (detected from content or extension; --from and --to name them)\n", to);
    for (unsigned i = 0; i < DATA_FORMATS_N; i++)
        fprintf(to, "  %-8s %s\n", data_format(i)->name, data_format(i)->description);
    fputs("\nFirst steps: tabia data info games.viri     tabia data verify games.viri\n"
          "             tabia data convert games.viri --out games.bin\n"
          "tabia data COMMAND --help shows all options.\n",
          to);
    return status;
}

int command_data(int argc, char **argv) {
    if (argc < 2) return usage(stderr, EXIT_USAGE);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return usage(stdout, EXIT_GOOD);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "tabia data: there is no command '%s'; tabia data --help lists them\n", argv[1]);
    return EXIT_USAGE;
}
