/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi-lab, and what its help says of shogi. */
#include <stddef.h>

#include "../program.h"
#include "lab.h"

const Subcommand program_commands[] = {
    {"path-keys", lab_path_keys, "each form of path key: its nodes, and right answers near repetitions"},
    {0},
};

const ProgramTexts program_texts = {.name = "tabia-shogi-lab"};

static const char path_keys_help[] =
    "usage: tabia-shogi-lab path-keys [--positions FILE] [--form NAME] [--nodes N | --answer-depth N]\n"
    "                           [--depth N] [--hash SIZE] [--json] [--progress SECONDS]\n"
    "\n"
    "Shows for each form of the option PathKey\n"
    "\n"
    "  nodes        to a fixed depth, and their ratio to `off`\n"
    "  draws, wins  right answers, cold / warm: with a fresh table, and with one that has just searched the\n"
    "               same position without the game before it. A draw is right within 50 centipawns; a win\n"
    "               from 150 on\n"
    "  moves        right moves (bm, am of the file)\n"
    "  false mates  announced though the position is a draw\n"
    "\n"
    "`off` keeps one score for all paths: the classic table. `occurrences` distinguishes how often the position has\n"
    "occurred in the game, `checks` also who has given nothing but checks.\n"
    "\n"
    "Without a file it asks games in which repetitions of four to eight plies, or perpetual checks, are about to\n"
    "end the game.\n"
    "\n"
    "  --positions FILE   instead, lines of SFEN and operations: expect win, expect draw, draw, bm, am; pv: moves\n"
    "                     to play first\n"
    "  --form NAME        this form only, or several, separated by commas\n"
    "  --nodes N          for each answer; default 30000\n"
    "  --answer-depth N   search to this depth instead\n"
    "  --depth N          of the count of nodes; default 9\n"
    "  --hash SIZE        default 16M\n"
    "  --json             one JSON document\n"
    "  --progress SECONDS\n"
    "                     a line of progress each so many seconds, on a terminal or not\n";

const LabTexts lab_texts = {
    .path_keys_help = path_keys_help,
};
