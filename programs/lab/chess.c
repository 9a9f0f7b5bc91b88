/* SPDX-License-Identifier: MIT */
/* The commands of tabia-lab, and what its help says of chess. */
#include <stddef.h>

#include "../program.h"
#include "lab.h"

const Subcommand program_commands[] = {
    {"table", lab_table, "measure, audit and stress the transposition table"},
    {"path-keys", lab_path_keys, "each form of path key: its nodes, and right answers near the 50-move rule"},
    {"path-keys-exact", lab_path_keys_exact, "the same against the exact results of solved endings"},
    {"smp", lab_smp, "the speedup of the search by threads, for each SMP mode"},
    {"simulate", lab_simulate, "what a cluster would cost, by a model"},
    {0},
};

const ProgramTexts program_texts = {.name = "tabia-lab"};

static const char path_keys_help[] =
    "usage: tabia-lab path-keys [--positions FILE.epd] [--form NAME] [--nodes N | --answer-depth N]\n"
    "                           [--depth N] [--hash SIZE] [--json] [--progress SECONDS]\n"
    "\n"
    "Shows for each form of the option PathKey\n"
    "\n"
    "  nodes        to a fixed depth, and their ratio to `off`\n"
    "  draws, wins  right answers, cold / warm: with a fresh table, and with one that has just searched the\n"
    "               same position with the clock of the 50-move rule at 0. A draw is right within 50\n"
    "               centipawns; a win from 150 on, or as a mate that the clock allows\n"
    "  moves        right moves (bm, am of the file)\n"
    "  false mates  announced though the position is a draw, or though the clock forbids them\n"
    "\n"
    "`off` keeps one score for all paths: the classic table. `guard` is that table, but at a halfmove clock of 90 and\n"
    "more no score from it ends a search, other than a proven mate.\n"
    "\n"
    "Without a file it asks positions whose answer it works out itself: queen or rook against the bare king,\n"
    "where mate falls on the 100th ply or one ply later, and locked positions that neither side can win.\n"
    "\n"
    "  --positions FILE   instead; operations: expect win, expect draw, draw, bm, am; pv: moves to play first\n"
    "  --form NAME        this form only, or several, separated by commas\n"
    "  --nodes N          for each answer; default 30000\n"
    "  --answer-depth N   search to this depth instead\n"
    "  --depth N          of the count of nodes; default 9\n"
    "  --hash SIZE        default 16M\n"
    "  --json             one JSON document\n"
    "  --progress SECONDS\n"
    "                     a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Examples\n"
    "  tabia-lab path-keys                                         less than a minute\n"
    "  tabia-lab path-keys --form off,fifty-count --nodes 1000000  what more nodes see\n";

const LabTexts lab_texts = {
    .path_keys_help = path_keys_help,
};
