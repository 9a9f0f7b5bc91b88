/* SPDX-License-Identifier: MIT */
/* What tabia-shogi says. */
#include "../perft_texts.h"
#include "../program.h"

#include <stddef.h>

static const char perft_help[] =
    "usage: tabia-shogi perft DEPTH [options]\n"
    "       tabia-shogi perft --suite FILE.epd [--max-nodes N] [options]\n"
    "       tabia-shogi perft DEPTH --against \"COMMAND\" [options]\n"
    "\n"
    "Counts the positions DEPTH plies ahead: the standard test of a move generator. All legal moves count,\n"
    "refusals to promote too; a pawn drop that mates is none. The last line printed is `Nodes searched: N`.\n"
    "\n"
    "The position\n"
    "  --sfen SFEN          default: the start position\n"
    "  --moves \"7g7f 3c3d\"  moves played first, in USI or as P7g-7f\n" PERFT_WORK_HELP
    "  --kernel NAME      avx512, avx2 or portable; default: the fastest this CPU runs\n" PERFT_PRINT_HELP "Suites\n"
    "  --suite FILE.epd   lines of `SFEN ;D1 30 ;D2 900`; prints what differs and a summary; exit status 1\n"
    "                     if anything does\n"
    "  --max-nodes N      leaves out depths with more than N leaves\n"
    "Somebody else's generator\n"
    "  --against \"CMD\"    compares with CMD, a USI engine that knows `go perft` or a perftree script,\n"
    "                     goes down to the first position where the moves differ, and names them;\n"
    "                     with --suite for each of its positions\n"
    "  --protocol NAME    usi, perftree or auto (default)\n"
    "  --timeout SECONDS  how long to wait for an answer; default 600\n"
    "\n"
    "Examples\n"
    "  tabia-shogi perft 6                                    547581517 positions\n"
    "  tabia-shogi perft 8 --mates                            3420 of them are mate\n"
    "  tabia-shogi perft 9 --hash 8G --ledger nine.ledger     Ctrl-C and again at will\n"
    "  tabia-shogi perft 4 --against fairy-stockfish\n";

static const char unique_help[] =
    "usage: tabia-shogi unique DEPTH [--sfen SFEN] [--moves \"7g7f ...\"] [--threads N] [--keys SEED] [--json] "
    "[--quiet]\n"
    "                          [--progress SECONDS]\n"
    "\n"
    "Prints, for each ply up to DEPTH, how many different positions there are and by how many\n"
    "paths they are reached in all, which is perft of that ply. Positions are the same when board,\n"
    "hands and side to move are.\n"
    "\n"
    "  --threads N   default: one for each core          --keys SEED   other hash keys, to confirm a count\n"
    "\n"
    "Memory: about 200 bytes for each position of the last ply but one, and up to a third of the\n"
    "machine's (fewer passes go faster).\n";

static const char usi_help[] =
    "usage: tabia-shogi [usi [--network FILE]]\n"
    "       tabia-shogi [usi [--network FILE]] \"USI LINE\" ...\n"
    "       tabia-shogi go depth 12\n"
    "\n"
    "The shogi engine, spoken to by lines of the Universal Shogi Interface: on standard input, until quit or its end,\n"
    "or each as an argument; a command whose words are arguments is one line. The line `help` lists the commands, "
    "`usi`\n"
    "the options with their defaults and limits.\n"
    "A search ends at its limit, also when the input ends before; stop, gameover and quit end it at once, and so does\n"
    "the end of the input where it has no limit. Depth 1 is always finished.\n"
    "It answers `bestmove win` where it may declare a win by 27 points, and `bestmove resign` without a legal move;\n"
    "`go mate MS` with `checkmate` and the moves, `checkmate timeout`, or `checkmate nomate` without a legal move.\n"
    "\n"
    "  --network FILE   evaluates by the network of that file, made by `tabia-shogi train`, instead of the one that\n"
    "                   is built in, as the option EvalFile\n"
    "\n"
    "Beside the protocol's own: d (the board), eval, flip, bench [DEPTH], go perft DEPTH, genfens.\n"
    "\n"
    "Examples\n"
    "  tabia-shogi \"setoption name USI_Hash value 256\" \"go movetime 2000\"\n"
    "  printf 'position startpos moves 7g7f\\ngo depth 10\\n' | tabia-shogi\n";

static const char bench_help[] =
    "usage: tabia-shogi bench [DEPTH]\n"
    "\n"
    "Searches a fixed list of positions (default depth 8) and prints nodes and nodes a second.\n";

const ProgramTexts program_texts = {
    .name = "tabia-shogi",
    .mpi_name = "tabia-shogi-mpi",
    .first_steps = "First steps: tabia-shogi perft 6     tabia-shogi go depth 10     tabia-shogi perft 3 --divide     "
                   "man tabia-shogi\n",
    .perft_help = perft_help,
    .unique_help = unique_help,
    .uci_help = usi_help,
    .bench_help = bench_help,
    .engine_command = "tabia-shogi usi",
    .train_example = "games.psv",
    .output_pieces = " in hand or promoted",
    .more_training = "",
    .position_options = "--sfen, --moves",
    .greeting = TABIA_VERSION
    ", a shogi engine. help lists the commands, quit ends; tabia-shogi --help tells of what else it does.",
};
