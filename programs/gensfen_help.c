/* SPDX-License-Identifier: MIT */
/* The help of `tabia gensfen`, put together from the lists of settings. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "gensfen_forms.h"

static const char head[] =
    "usage: tabia gensfen --positions N --out FILE [options]\n"
    "\n"
    "Plays games against itself and writes the positions, each with move, score and result, for trainers of\n"
    "evaluations. The same options and seed give the same bytes for any number of threads, and after any number\n"
    "of kills and --resume. Beside FILE lie FILE.json (options, version, seed, counts) and FILE.sums (checksums of\n"
    "its blocks). `tabia data` checks, converts, shuffles and counts such files.\n"
    "\n"
    "  --positions N      at least so many: the run ends with the game that reaches it. With --resume and a larger\n"
    "                     N a file is continued\n"
    "  --out FILE         must not exist, but for --resume\n"
    "  --format NAME      viri, marlin, bin, bullet, binpack, plain, binpack960; default: as FILE's ending says, or\n"
    "                     viri. In binpack positions with castling rights of Chess960 lose all rights, and castling\n"
    "                     moves there are left out, as in Stockfish's tools; binpack960 keeps them, for Tabia alone\n"
    "  --random-file-name puts the seed into the name: data.viri becomes data-SEED.viri\n"
    "  --seed N|random    default 1; `random` draws one, which FILE.json keeps\n"
    "  --threads N        default: one for each core\n"
    "  --resume           goes on behind the last whole block; all but --threads and --positions must be as before\n"
    "\n"
    "Search of each position (centipawns, plies; all limits given hold)\n";

static const char opening[] =
    "\n"
    "Openings. Something must make games differ: random moves, a book of more than one position, Chess960, or "
    "--depth2.\n"
    "The original's spellings are also understood: --random-move-minply, --random-move-maxply, --write-minply,\n"
    "--write-maxply.\n"
    "  --book FILE        games begin there: a FEN or EPD on each line, or a file of training data by its ending\n"
    "  --chess960, --dfrc they begin with one of the 960 arrangements, or one for each side\n";

static const char ending[] =
    "\n"
    "Ends of games, besides mate, stalemate, threefold repetition and fifty moves\n"
    "  --resign CP,PLIES  one side at least CP ahead for so many plies running: it has won; default 2500,4; or off\n"
    "  --draw CP,PLIES,FROM\n"
    "                     no more than CP for so many plies running, counted from ply FROM on: drawn; default\n"
    "                     4,12,80; or off\n";

static const char writing[] =
    "\n"
    "What is written\n"
    "  --filter LIST      leaves positions out, a comma apart: check, capture, promotion (of the move played), quiet\n"
    "                     (those three), mate, draw (games), score=CP (beyond it); default none. In viri and\n"
    "                     binpack, where a game is a chain, what is left out costs a new beginning\n"
    "  --dedupe           leaves out what was written before, as far as --dedupe-slots remember\n";

static const char tables[] =
    "\n"
    "Transposition table\n"
    "  --hash SIZE        of each thread's table (shared: of the one); default 1M\n"
    "  --table KIND       partition: each thread a part of one memory, wiped before each game; private: a memory of "
    "its\n"
    "                     own, the same bytes are written; shared: all threads one table, never wiped: what is\n"
    "                     written then depends on the threads and repeats with one of them only\n"
    "  --strict-generation on|off\n"
    "                     on: a search finds nothing of the searches before it; default on, but for shared\n";

static const char rest[] =
    "\n"
    "Experiment\n"
    "  --demonstrate-collisions\n"
    "                     what false hits do to a generator: games from the start position in one table that nobody\n"
    "                     clears, with narrow signatures and with wide ones, and in partitions with strict\n"
    "                     generations; prints the rate over time, and whether it falls and stays as it should.\n"
    "                     Defaults here: --depth 1 --eval-limit 1500 --random-move-min-ply 5 --random-move-max-ply 24\n"
    "                     --random-move-count 5 --write-min-ply 16 --hash 64K (of all threads together)\n"
    "                     --signature-bits 8 (of the narrow ones; up to 32) --threads 1. It has tables of its own\n"
    "                     and writes no data: options of files, books and tables are refused\n"
    "  --seconds N        of processor time of each thread, for each of its three runs; default 30\n"
    "  --run-nodes N      a run ends after N nodes instead: with one thread it repeats\n"
    "  --plot FILE.svg    draws it\n"
    "\n"
    "What is printed\n"
    "  --json             one JSON object\n"
    "  --quiet            no progress\n"
    "\n"
    "Exit status: 0 done, 1 a rate of the experiment did not fall or stay as it should, 2 wrong options, 3 something\n"
    "outside failed (a full disk: what is written stays whole), 130 stopped by Ctrl-C.\n"
    "\n"
    "Examples\n"
    "  tabia gensfen --positions 1000000 --out data.viri --soft-nodes 5000 --dfrc --seed 7\n"
    "  tabia gensfen --positions 1000000 --out data.viri --soft-nodes 5000 --dfrc --seed 7 --resume\n"
    "  tabia gensfen --positions 1000000 --out data.bin --depth 6 --filter quiet,mate --dedupe\n"
    "  as YaneuraOu did: --depth 3 --random-move-max-ply 24 --random-move-count 5 --write-min-ply 16 --opening-limit "
    "0\n"
    "      --resign off --draw off\n"
    "  as Stockfish's tools: --depth 9 --eval-limit 0 --resign 3000,4 --draw 0,8,80 --write-min-ply 16 --format "
    "binpack\n"
    "  tabia data verify data.viri; tabia data stats data.viri\n";

/* One option, its help beside it, each line of which is its own. */
static void put_number(const char *option, uint64_t initial, const char *argument, const char *help) {
    char left[80];
    const int n = snprintf(left, sizeof left, "  --%s %s", option, argument);
    if (n > 20)
        printf("%s\n%21s", left, "");
    else
        printf("%-21s", left);
    for (const char *at = help; *at; at++) {
        putchar(*at);
        if (*at == '\n') printf("%21s", "");
    }
    if (initial && !strstr(help, "default")) printf("; default %ju", (uintmax_t)initial);
    putchar('\n');
}

int gensfen_help(void) {
#define PUT(option, member, initial, least, most, argument, help) put_number(option, initial, argument, help);
    fputs(head, stdout);
    SETTINGS_SEARCH(PUT)
    fputs(opening, stdout);
    SETTINGS_OPENING(PUT)
    fputs(ending, stdout);
    SETTINGS_END(PUT)
    fputs(writing, stdout);
    SETTINGS_WRITE(PUT)
    fputs(tables, stdout);
    SETTINGS_TABLE(PUT)
#undef PUT
    return fputs(rest, stdout), EXIT_GOOD;
}
