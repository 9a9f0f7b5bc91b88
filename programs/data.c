/* SPDX-License-Identifier: MIT */
/* tabia data: chooses the command. */
#include <stdio.h>

#include "commands.h"
#include "data/format.h"
#include "data_commands.h"
#include "help.h"
#include "program.h"
#include "subcommands.h"

static const Subcommand rows[] = {
    {"info", data_info_command, "describe a file: format, size, first record, fields"},
    {"verify", data_verify_command, "replay every record and name each fault with record and byte"},
    {"convert", data_convert_command, "convert between formats; list what is lost"},
    {"shuffle", data_shuffle_command, "shuffle files, also larger than memory"},
    {"dedupe", data_dedupe_command, "remove duplicate positions"},
    {"filter", data_filter_command, "remove the records that match rules; count them by rule"},
    {"split", data_split_command, "distribute games to several files, for training and testing"},
    {"sample", data_sample_command, "choose records or games at random"},
    {"rescore", data_rescore_command, "replace scores by those of a new search"},
    {"view", data_view_command, "show records as boards, by number"},
    {"stats", data_stats_command, "print histograms of material, score, result, length and others"},
    {0},
};

static void usage(FILE *to) {
    fprintf(to, "usage: %s data COMMAND FILE... [options]\n\n", program_texts.name);
    subcommands_print(rows, to);
    fputs("\nFormats (detected from content or extension; --from and --to name them)\n", to);
    for (unsigned i = 0; i < DATA_FORMATS_N; i++)
        fprintf(to, "  %-8s %s\n", data_format(i)->name, data_format(i)->description);
    fprintf(to, "\n%s%s data COMMAND --help lists all options.\n", help_text("data"), program_texts.name);
}

int command_data(int argc, char **argv) {
    char name[32];
    snprintf(name, sizeof name, "%s data", program_texts.name);
    const Subcommands commands = {name, "command", rows, usage, NULL};
    return subcommands_run(&commands, argc, argv);
}
