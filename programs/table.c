/* SPDX-License-Identifier: MIT */
/* tabia table: the laboratory of the transposition table. Which experiment? */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "table_forms.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} forms[] = {
    {"bench", table_bench, "how fast: probes a second, what protection costs, pages, saving and loading"},
    {"audit", table_audit, "how true and how useful: false hits by key width, hit rates by shape and size"},
    {"stress", table_stress, "threads and processes tear entries on purpose; are mixed ones ever believed?"},
    {"record", table_record, "record the keys of a real perft, for audit to replay"},
};

static int usage(FILE *to, int status) {
    fputs("usage: tabia table EXPERIMENT ...\n\n", to);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) fprintf(to, "  %-8s %s\n", forms[i].name, forms[i].about);
    fputs("\ntabia table EXPERIMENT --help tells more.\n", to);
    return status;
}

int command_table(int argc, char **argv) {
    if (argc < 2) return usage(stderr, EXIT_USAGE);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return usage(stdout, EXIT_GOOD);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(argv[1], forms[i].name)) return forms[i].run(argc - 1, argv + 1);
    fprintf(stderr, "tabia table: there is no experiment '%s'; tabia table --help lists them\n", argv[1]);
    return EXIT_USAGE;
}
