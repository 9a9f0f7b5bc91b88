/* SPDX-License-Identifier: MIT */
/* The options of the engine, written once. One whose name is NULL the game does not have: it keeps its default. */
#pragma once
#include "dialect/dialect.h"

/* name, member, default, least, most */
#define SPIN_OPTIONS(X)                                                                                                \
    X(DIALECT_OPTION_HASH, hash, 16, 1, 33554432)                                                                      \
    X("Threads", threads, 1, 1, 1024)                                                                                  \
    X("MultiPV", multi_pv, 1, 1, 256)                                                                                  \
    X("Move Overhead", overhead, 10, 0, 10000)                                                                         \
    X(DIALECT_OPTION_ELO, elo, 2400, 1000, 3200)                                                                       \
    X("nodestime", nodes_time, 0, 0, 100000)

/* name, member, default */
#define CHECK_OPTIONS(X)                                                                                               \
    X(DIALECT_OPTION_PONDER, ponder, false)                                                                            \
    X(DIALECT_OPTION_CHESS960, chess960, false)                                                                        \
    X(DIALECT_OPTION_SHOW_WDL, show_wdl, false)                                                                        \
    X(DIALECT_OPTION_LIMIT_STRENGTH, limit_strength, false)
