/* SPDX-License-Identifier: MIT */
/* tabia data: tools for files of training data. Which one? */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "data/format.h"
#include "data_forms.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} forms[] = {
    {"info", data_info, "what a file is: format, size, first record, what it can hold"},
    {"verify", data_verify, "replay every record and name each fault with record and byte"},
    {"convert", data_convert_form, "from any format to any other; lists what is lost"},
    {"shuffle", data_shuffle_form, "random order, for files larger than memory"},
    {"dedupe", data_dedupe_form, "leave out duplicate positions"},
    {"split", data_split_form, "into several files, for training and testing"},
    {"sample", data_sample_form, "some records or games, chosen at random"},
    {"stats", data_stats_form, "histograms of phase, pieces, material, score, result and length"},
};

static int usage(FILE *to, int status) {
    fputs("usage: tabia data FORM FILE... [options]\n\n", to);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) fprintf(to, "  %-8s %s\n", forms[i].name, forms[i].about);
    fputs("\nFormats (told from a file's name or content; --from and --to name them)\n", to);
    for (unsigned i = 0; i < DATA_FORMATS_N; i++)
        fprintf(to, "  %-8s %s\n", data_format(i)->name, data_format(i)->description);
    fputs("\nFirst steps: tabia data info games.viri     tabia data verify games.viri\n"
          "             tabia data convert games.viri --out games.bin\n"
          "tabia data FORM --help shows all options.\n",
          to);
    return status;
}

int command_data(int argc, char **argv) {
    if (argc < 2) return usage(stderr, EXIT_USAGE);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return usage(stdout, EXIT_GOOD);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(argv[1], forms[i].name)) return forms[i].run(argc - 1, argv + 1);
    fprintf(stderr, "tabia data: there is no form '%s'; tabia data --help lists them\n", argv[1]);
    return EXIT_USAGE;
}
