/* SPDX-License-Identifier: MIT */
/* The commands of tabia-shogi. */
#include "../commands.h"

#include <stddef.h>

#include "../program.h"

const Subcommand program_commands[] = {
    {"bench", command_bench, "search a fixed list of positions; prints nodes and nodes a second"},
    {"data", command_data, "files of training data: info, verify, convert, shuffle, filter, rescore, stats ..."},
    {"gensfen", command_gensfen, "generate training data by self-play, reproducibly on any number of threads"},
    {"ledger", command_ledger, "show the progress of a long count, from its ledger"},
    {"mate", command_mate, "solve mate problems by proof numbers"},
    {"network", command_network, "describe networks"},
    {"perft", command_perft, "count the positions DEPTH plies ahead; check suites and other programs"},
    {"referee", command_referee, "judge games by the rules, for programs that run matches"},
    {"train", command_train, "fit a network to training data"},
    {"serve", command_serve, "a page for a browser on this machine: live analysis, counts, training data"},
    {"usi", command_uci, "the shogi engine; also without any command"},
    {"unique", command_unique, "count the unique positions of each ply"},
    {0},
};
