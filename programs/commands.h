/* SPDX-License-Identifier: MIT */
/*
 * The subcommands of `tabia`. Each has a file of its own that reads options, calls the library and prints; nothing is
 * worked out here. argv[0] is the subcommand's name. Each returns the program's exit status:
 *
 *   0  done                          2  the command line or the input is wrong
 *   1  done, and something differs   3  something outside failed: memory, a file, another program
 *   130  ended by Ctrl-C
 */
#pragma once

enum { EXIT_GOOD = 0, EXIT_DIFFERS = 1, EXIT_USAGE = 2, EXIT_OUTSIDE = 3, EXIT_STOPPED = 130 };

int command_bench(int argc, char **argv);
int command_data(int argc, char **argv);
int command_gensfen(int argc, char **argv);
int command_ledger(int argc, char **argv);
int command_mate(int argc, char **argv);
int command_network(int argc, char **argv);
int command_train(int argc, char **argv);
int command_uci(int argc, char **argv);
int command_perft(int argc, char **argv);
int command_referee(int argc, char **argv);
int command_serve(int argc, char **argv);
int command_unique(int argc, char **argv);
