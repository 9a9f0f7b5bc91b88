/* SPDX-License-Identifier: MIT */
/* What the help of `perft` says of every game: how the work is done, and what is printed. The kernels stand between. */
#pragma once

#define PERFT_WORK_HELP                                                                                                \
    "The work\n"                                                                                                       \
    "  --threads N        default: one for each core\n"                                                                \
    "  --hash SIZE        the shared table: 512M, 8G, ...; off: every path is counted, nothing is merged;\n"           \
    "                     default: 1G, or an eighth of the memory\n"                                                   \
    "  --replacement RULE which entry of a full bucket gives way: always (the smallest), depth-and-age\n"              \
    "                     (default: the smallest, halved for each stored since)\n"                                     \
    "  --table NAME       the table lies in memory of that name: processes that give the same name, --hash\n"          \
    "                     and --keys share what they count\n"                                                          \
    "  --private          each thread has a table of its own, all of --hash together: for comparison\n"                \
    "  --keys SEED        other hash keys, to confirm a count by a second run\n"

#define PERFT_PRINT_HELP                                                                                               \
    "  --ledger FILE      finished units are recorded there; a run killed at any moment and started\n"                 \
    "                     again goes on where it was\n"                                                                \
    "What is printed\n"                                                                                                \
    "  --divide           the count below each move\n"                                                                 \
    "  --mates            counts those of the positions that are mate; the last line is `Mates: N`\n"                  \
    "  --json             one JSON object\n"                                                                           \
    "  --quiet            no progress, only the last line\n"                                                           \
    "  --progress SECONDS a line of progress each so many seconds, on standard error, also where that is no\n"         \
    "                     terminal; SIGUSR1 prints one in any case (kill -USR1 PID)\n"
