/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi. */
#include "../commands.h"

#include <stddef.h>

#include "../program.h"

const Subcommand program_commands[] = {
    {"bench", command_bench, "search a fixed list of positions; prints nodes and nodes a second"},
    {"data", command_data, "files of training data: convert, verify, shuffle, dedupe, split, sample, stats"},
    {"gensfen", command_gensfen, "training data: games against itself, the same bytes on any number of threads"},
    {"ledger", command_ledger, "how far a long count is, from its ledger"},
    {"mate", command_mate, "solve mate problems by proof numbers"},
    {"network", command_network, "describe networks"},
    {"perft", command_perft, "count the positions a number of plies ahead; check suites and other programs"},
    {"referee", command_referee, "what the rules say of games, for programs that let others play"},
    {"train", command_train, "fit a network, which is added to the evaluation's terms, to training data"},
    {"serve", command_serve, "a page for a browser on this machine: live analysis, counts, training data"},
    {"usi", command_uci, "the shogi engine; also without any command"},
    {"unique", command_unique, "count the different positions after each ply"},
    {0},
};
