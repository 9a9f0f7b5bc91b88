/* SPDX-License-Identifier: MIT */
/* The commands of tabia. */
#include "../commands.h"

#include <stddef.h>

#include "../program.h"

const Subcommand program_commands[] = {
    {"perft", command_perft, "count the positions DEPTH plies ahead; check suites and other programs"},
    {"gensfen", command_gensfen, "generate training data by self-play, reproducibly on any number of threads"},
    {"bench", command_bench, "search a fixed list of positions; prints nodes and nodes a second"},
    {"data", command_data, "files of training data: info, verify, convert, shuffle, filter, rescore, stats ..."},
    {"mate", command_mate, "solve mate problems by proof numbers"},
    {"network", command_network, "describe networks, import and export them"},
    {"train", command_train, "fit the network of the evaluation to training data"},
    {"serve", command_serve, "a page for a browser on this machine: live analysis, counts, training data"},
    {"uci", command_uci, "the chess engine; also without any command"},
    {"ledger", command_ledger, "show the progress of a long count, from its ledger"},
    {"unique", command_unique, "count the unique positions of each ply"},
    {0},
};
