/* SPDX-License-Identifier: MIT */
/* The help of `gensfen`, with the options of datagen/settings.h and what is the game's. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "gensfen_options.h"
#include "program.h"

static const char adjudication[] =
    "  --resign CP,PLIES  won by the side that is at least CP ahead for so many successive plies; default 2500,4; or\n"
    "                     off\n"
    "  --draw CP,PLIES,FROM\n"
    "                     drawn after so many successive plies with scores of at most CP, counted from ply FROM on;\n"
    "                     default 4,12,80; or off\n";

static const char output[] =
    "\n"
    "What is written\n"
    "  --filter LIST      positions that are not written, separated by commas: check, capture, promotion (of the\n"
    "                     move), quiet (these three), mate, draw (games), score=CP (beyond it); default none. In\n"
    "                     formats that store games a removed position starts a new game\n";

static const char table[] = "\n"
                            "Transposition table\n"
                            "  --hash SIZE        of each thread's table; default 1M\n";

static const char rest[] =
    "\n"
    "What is printed\n"
    "  --json             one JSON object\n"
    "  --quiet            no progress\n"
    "  --progress SECONDS a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Exit status: 0 done, 2 wrong options, 3 memory, disk or a file failed (complete blocks stay), 130 Ctrl-C.\n";

/* An option and its help, which may have several lines. */
static void print_number(const DatagenNumber *n) {
    char left[80];
    const int width = snprintf(left, sizeof left, "  --%s %s", n->option, n->argument);
    if (width > 20)
        printf("%s\n%21s", left, "");
    else
        printf("%-21s", left);
    for (const char *at = n->help; *at; at++) {
        putchar(*at);
        if (*at == '\n') printf("%21s", "");
    }
    if (n->initial && !strstr(n->help, "default")) printf("; default %ju", (uintmax_t)n->initial);
    putchar('\n');
}

static void print_numbers(DatagenSection section) {
    for (unsigned i = 0; datagen_number(i); i++)
        if (datagen_number(i)->section == section) print_number(datagen_number(i));
}

static void print_head(void) {
    const char *name = program_texts.name;
    printf(
        "usage: %s gensfen --positions N --out FILE [options]\n"
        "\n"
        "Plays games against itself and writes positions with move, score and result, for trainers of evaluations. "
        "The\n"
        "same options and seed give the same bytes, for any number of threads and after any number of kills and\n"
        "--resume. With FILE come FILE.json (options, version, statistics) and FILE.sums (checksums of its blocks).\n"
        "`%s data` verifies, converts, shuffles and counts such files.\n"
        "\n"
        "  --positions N      at least so many: the run ends with the game that reaches N. With --resume and a larger "
        "N\n"
        "                     a file is extended\n"
        "  --out FILE         must not exist, unless with --resume; FILE.zst is compressed by zstd\n"
        "  --format NAME      %s"
        "  --seed N|random    default 1; `random` draws a seed, which FILE.json stores\n"
        "  --threads N        default: one for each core\n"
        "  --resume           continues behind the last complete block; all options but --threads and --positions "
        "must\n"
        "                     be as before\n"
        "  --network FILE     evaluates by the network of that file; default: by the one that is built in\n"
        "  --evaluation NAME  network (default), or " EVALUATION_HANDCRAFTED_NAME
        ", which needs no network: for the first games of a new one\n"
        "\n"
        "Search of each position (centipawns, plies; all limits hold together)\n",
        name, name, gensfen_texts.formats);
}

static void print_openings(void) {
    printf("\n"
           "Openings. Something must make games differ: %s"
           "YaneuraOu's spellings are also accepted: --random-move-minply, --random-move-maxply, --write-minply,\n"
           "--write-maxply.\n"
           "%s",
           gensfen_texts.differences, gensfen_texts.starts);
}

int gensfen_help(void) {
    print_head();
    print_numbers(SECTION_SEARCH);
    print_openings();
    print_numbers(SECTION_OPENING);
    printf("\nEnd of games, besides %s\n%s", gensfen_texts.endings, adjudication);
    print_numbers(SECTION_ADJUDICATION);
    fputs(output, stdout);
    print_numbers(SECTION_OUTPUT);
    fputs(table, stdout);
    fputs(rest, stdout);
    return fputs(gensfen_texts.examples, stdout), EXIT_GOOD;
}
