/* SPDX-License-Identifier: MIT */
/* tabia-shogi data: chooses the command, and says what each is for in shogi. */
#include <stdio.h>
#include <string.h>

#include "../commands.h"
#include "../data_commands.h"
#include "../subcommands.h"
#include "data/format.h"

static const Subcommand rows[] = {
    {"info", data_info_command, "describe a file: format, size, first record, fields"},
    {"verify", data_verify_command, "replay every record and name each fault with record and byte"},
    {"convert", data_convert_command, "from any format to any other; list what is lost"},
    {"shuffle", data_shuffle_command, "random order, for files larger than memory"},
    {"dedupe", data_dedupe_command, "remove duplicate positions"},
    {"filter", data_filter_command, "without the records that rules remove; count them by rule"},
    {"split", data_split_command, "into several files, for training and testing"},
    {"sample", data_sample_command, "some records or games, chosen at random"},
    {"view", data_view_command, "show records as boards; browse them by number"},
    {"stats", data_stats_command, "histograms of hands, material, score, result and length"},
    {0},
};

#define INPUT_HELP                                                                                                     \
    "  --from FORMAT    of the input files; default: detected from content or extension\n"                             \
    "  --json           one JSON object instead of text\n"                                                             \
    "  --quiet          no progress\n"
#define OUTPUT_HELP                                                                                                    \
    INPUT_HELP                                                                                                         \
    "  --out FILE       \"-\" is standard output\n"                                                                    \
    "  --to FORMAT      default: by the extension of --out, or as the first file\n"                                    \
    "  --checksums      writes the checksums of all blocks to FILE.sums\n"                                             \
    "  --skip-bad       skips bad records and counts them; default: stop at the first\n"
#define SEED_HELP "  --seed N         default 1\n"
#define MEMORY_HELP "  --memory SIZE    default: an eighth of the machine's, at most 1G\n"
#define BY_HELP "  --by games|records  what is chosen or moved\n"

/* The texts of --help, by command. */
static const struct {
    const char *command, *text;
} help[] = {
    {"info",
     "FILE... [options]\n\nShows a file's format, its size, the number of records where it follows from the size, "
     "the\nfirst record, and the fields that the format stores and loses. Reads only the beginning.\n\n" INPUT_HELP},
    {"verify",
     "FILE... [options]\n\nReads every record, validates its position, requires a legal move, follows games from "
     "record to\nrecord, and compares the checksums beside the file. Each fault is a line. Kinds of faults:\n"
     "record, score, unused, continuity, result, checksum.\n\n"
     "  --faults N       prints at most N for each file; default 20; all are counted\n"
     "  --ignore KIND,...  counts faults of these kinds, and forgives them\n"
     "  --score-limit N  the greatest absolute score; default 32000\n" INPUT_HELP
     "\nExit status: 0 no fault, 1 faults, 2 a missing file or an unknown format, 3 reading fails.\n"},
    {"convert",
     "FILE... --out FILE [options]\n\nReads records of any format and writes them in another, in their order. The "
     "report lists the\nfields that the format does not store. psv and hcpe hold no position without a king, or "
     "with\nmore pieces than a set: such records are rejected and counted. hcpe stores no move number.\n\n" OUTPUT_HELP
     "\nExample\n  tabia-shogi data convert games.psv --out games.hcpe\n"},
    {"shuffle",
     "FILE... --out FILE [options]\n\nWrites the records of all files in random order, which depends on seed and "
     "input only. What\ndoes not fit into memory is kept in temporary files beside --out, 60 bytes a "
     "record.\n\n" OUTPUT_HELP SEED_HELP MEMORY_HELP BY_HELP},
    {"dedupe",
     "FILE... --out FILE [options]\n\nKeeps the first of equal positions: equal in board, hands and side to move, by "
     "128-bit keys.\n\n" OUTPUT_HELP MEMORY_HELP},
    {"filter",
     "FILE... --out FILE [options]\n\nRemoves the records that rules tell, and says how many each rule removed. Each "
     "rule is an option\n(--min-ply 16) and a line of a file (min_ply = 16); `data filter --list-options` lists them. "
     "Material\nis counted as a pawn 1, lance 3, knight 4, silver 5, gold and what moves like it 6, bishop 8, rook\n"
     "and horse 10, dragon 12, in hand too.\n\n"
     "  --rules FILE     lines 'rule = value'\n" OUTPUT_HELP SEED_HELP
     "\nExample\n  tabia-shogi data filter games.psv --out train.psv --min-ply 16 --max-eval 3000 --filter-check\n"},
    {"split",
     "FILE... --out FILE --out FILE ... [options]\n\nDistributes games to several files at random, in proportion to "
     "their weights.\n\n" OUTPUT_HELP SEED_HELP BY_HELP
     "  --weights A,B,... one number for each --out; default: equal\n"},
    {"sample",
     "FILE... --out FILE --count N | --fraction X [options]\n\nWrites a random sample of the records, in their "
     "order.\n\n" OUTPUT_HELP SEED_HELP BY_HELP "  --count N        exactly N; the files are read twice\n"
     "  --fraction X     each with this probability, above 0, at most 1\n"},
    {"view",
     "FILE [options]\n\nShows records as boards, with move, score and result.\n\n"
     "  --record N       the first one, from 1; default 1\n"
     "  --count K        so many; default 1\n"
     "  --browse         then others, by lines of standard input: a number, an empty line for the next record, p\n"
     "                   for the one before, g for the next that starts a game, q to end\n" INPUT_HELP},
    {"stats",
     "FILE... [options]\n\nCounts records, games and results; histograms of hands, promoted pieces, material, legal "
     "moves,\nscore, ply and length; and where kings stand, pieces move and drop.\n\n"
     "  --plot FILE.svg  plots all histograms\n"
     "  --skip-bad       skips bad records and counts them; default: stop at the first\n" INPUT_HELP},
};

static void usage(FILE *to) {
    fputs("usage: tabia-shogi data COMMAND FILE... [options]\n\n", to);
    subcommands_print(rows, to);
    fputs("\nFormats (detected from content or extension; --from and --to name them)\n", to);
    for (unsigned i = 0; i < DATA_FORMATS_N; i++)
        fprintf(to, "  %-8s %s\n", data_format(i)->name, data_format(i)->description);
    fputs("\nFirst steps: tabia-shogi data info games.psv     tabia-shogi data verify games.psv\n"
          "tabia-shogi data COMMAND --help shows all options.\n",
          to);
}

/* The command that help is asked of, as `data help convert` or `data convert --help`; NULL: none. */
static const char *asked_of(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "help")) return argv[2];
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return argv[1];
    return NULL;
}

int command_data(int argc, char **argv) {
    const Subcommands commands = {"tabia-shogi data", "command", rows, usage};
    const char *command = asked_of(argc, argv);
    for (unsigned i = 0; command && i < sizeof help / sizeof *help; i++)
        if (!strcmp(command, help[i].command))
            return printf("usage: tabia-shogi data %s %s", command, help[i].text), EXIT_GOOD;
    return subcommands_run(&commands, argc, argv);
}
