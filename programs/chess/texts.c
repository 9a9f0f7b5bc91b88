/* SPDX-License-Identifier: MIT */
/* What tabia and tabia-mpi say of chess. */
#include "../perft_texts.h"
#include "../program.h"

#include <stddef.h>

static const char perft_help[] =
    "usage: tabia perft DEPTH [options]\n"
    "       tabia perft --suite FILE.epd [--max-nodes N] [options]\n"
    "       tabia perft DEPTH --against \"COMMAND\" [options]\n"
    "\n"
    "Counts the positions DEPTH plies ahead: the standard test of a move generator. The last line\n"
    "printed is `Nodes searched: N`.\n"
    "\n"
    "The position\n"
    "  --fen FEN          FEN, X-FEN or Shredder-FEN; default: the start position\n"
    "  --moves \"e2e4 c5\"  moves played first, in UCI or SAN\n"
    "  --chess960         print castling as the king taking its rook (e1h1); Chess960 positions are\n"
    "                     read in any case\n" PERFT_WORK_HELP
    "  --kernel NAME      avx512, avx2, scalar or portable; default: the fastest this CPU runs\n" PERFT_PRINT_HELP
    "Suites\n"
    "  --suite FILE.epd   lines of `FEN ;D1 20 ;D2 400`; prints what differs and a summary; exit status 1\n"
    "                     if anything does\n"
    "  --max-nodes N      leaves out depths with more than N leaves\n"
    "Somebody else's generator\n"
    "  --against \"CMD\"    compares with CMD, a UCI engine that knows `go perft` or a perftree script,\n"
    "                     goes down to the first position where the moves differ, and names them;\n"
    "                     with --suite for each of its positions\n"
    "  --protocol NAME    uci, perftree or auto (default)\n"
    "  --timeout SECONDS  how long to wait for an answer; default 600\n"
    "\n"
    "Examples\n"
    "  tabia perft 9                                          2439530234167 positions\n"
    "  tabia perft 6 --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\" --divide\n"
    "  tabia perft 11 --hash 16G --ledger eleven.ledger       for the night; Ctrl-C and again at will\n"
    "  tabia perft 5 --against stockfish\n";

static const char unique_help[] =
    "usage: tabia unique DEPTH [--fen FEN] [--moves \"e2e4 ...\"] [--threads N] [--keys SEED] [--json] [--quiet]\n"
    "                    [--progress SECONDS]\n"
    "\n"
    "Prints, for each ply up to DEPTH, how many different positions there are and by how many\n"
    "paths they are reached in all, which is perft of that ply. Positions are the same when board,\n"
    "side to move, castling rights and legal en passant captures are.\n"
    "\n"
    "  --threads N   default: one for each core          --keys SEED   other hash keys, to confirm a count\n"
    "\n"
    "Memory: about 100 bytes for each position of the last ply but one, and up to a third of the\n"
    "machine's (fewer passes go faster).\n";

static const char uci_help[] =
    "usage: tabia [uci [--network FILE]]\n"
    "       tabia [uci [--network FILE]] \"UCI LINE\" ...\n"
    "       tabia go depth 20\n"
    "\n"
    "The chess engine, spoken to by lines of the Universal Chess Interface: on standard input, until quit or its end,\n"
    "or each as an argument; a command whose words are arguments is one line. The line `help` lists the commands, "
    "`uci`\n"
    "the options with their defaults and limits.\n"
    "A search ends at its limit, also when the input ends before; stop and quit end it at once, and so does the end "
    "of\n"
    "the input where it has no limit. Depth 1 is always finished.\n"
    "\n"
    "  --network FILE   evaluates by the network of that file, as the option EvalFile; tabia network --help tells of\n"
    "                   such files. Default: the network that is built in\n"
    "\n"
    "Beside the protocol's own: d (the board), eval, flip, bench [DEPTH], go perft DEPTH, genfens.\n"
    "\n"
    "Examples\n"
    "  tabia \"setoption name Hash value 256\" \"go movetime 2000\"\n"
    "  printf 'position startpos moves e2e4\\ngo depth 15\\n' | tabia\n";

static const char bench_help[] =
    "usage: tabia bench [DEPTH]\n"
    "\n"
    "Searches a fixed list of positions (default depth 12) and prints nodes and nodes a second.\n";

const ProgramTexts program_texts = {
    .name = "tabia",
    .mpi_name = "tabia-mpi",
    .first_steps = "First steps: tabia perft 7     tabia perft 5 --divide     man tabia\n",
    .perft_help = perft_help,
    .unique_help = unique_help,
    .uci_help = uci_help,
    .bench_help = bench_help,
    .greeting =
        TABIA_VERSION ", a chess engine. help lists the commands, quit ends; tabia --help tells of what else it does.",
    .engine_command = "tabia uci",
    .train_example = "games.viri",
    .output_pieces = "",
    .more_training =
        "  tabia train games.viri --out small.network --width 128 --outputs 1 --mirrored off    # bullet's "
        "simple example\n",
    .position_options = "--fen, --moves, --chess960",
    .chess960_flag = "chess960",
};
