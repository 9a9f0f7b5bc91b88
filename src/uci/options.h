/* SPDX-License-Identifier: MIT */
/* The UCI options, written once. */
#pragma once

/* name in UCI, member, default, least, most */
#define SPIN_OPTIONS(X)                                                                                                \
    X("Hash", hash, 16, 1, 33554432)                                                                                   \
    X("Threads", threads, 1, 1, 1024)                                                                                  \
    X("MultiPV", multi_pv, 1, 1, 256)                                                                                  \
    X("Move Overhead", overhead, 10, 0, 10000)                                                                         \
    X("UCI_Elo", elo, 2400, 1000, 3200)                                                                                \
    X("nodestime", nodes_time, 0, 0, 100000)

/* name, member, default */
#define CHECK_OPTIONS(X)                                                                                               \
    X("Ponder", ponder, false)                                                                                         \
    X("UCI_Chess960", chess960, false)                                                                                 \
    X("UCI_ShowWDL", show_wdl, false)                                                                                  \
    X("UCI_LimitStrength", limit_strength, false)
