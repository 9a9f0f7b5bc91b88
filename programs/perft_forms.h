/* SPDX-License-Identifier: MIT */
/* The three forms of `tabia perft`: one count, a suite, and a comparison with another program. */
#pragma once
#include "perft/run.h"

typedef struct {
    PerftJob job;
    bool chess960, divide, json, quiet;
    const char *fen, *moves; /* as given, or NULL; job.root is the position they name */
    const char *suite;
    uint64_t max_nodes;
    const char *against, *protocol;
    double timeout; /* seconds */
} PerftOptions;

/* Each prints what it is for, and returns the exit status. */
int perft_count(PerftOptions *o);
int perft_suite(PerftOptions *o);
int perft_against(PerftOptions *o);
