/* SPDX-License-Identifier: MIT */
/* What `collisions` and `hazard` take: the games of their generator, the length of a run, what is printed. */
#pragma once
#include "../options.h"
#include "datagen/settings.h"

typedef struct {
    DatagenSettings settings;
    unsigned threads;   /* 0: one for each core */
    uint64_t run_nodes; /* of each run; 0: by seconds */
    bool json, quiet, wants_help;
    unsigned progress; /* seconds between its lines; 0: on a terminal only */
} GamesOptions;

enum { GAMES_OPTIONS_MORE = 2 };

/* Reads the command line: these options, whose defaults are set, and GAMES_OPTIONS_MORE of the command's own. */
bool games_options_read(int argc, char **argv, GamesOptions *o, const OptionRow *more, TabiaError *error);

/* Prints the help: usage and what is measured, the options of the games with these defaults, the command's own. */
void games_options_help(const char *head, const GamesOptions *defaults, const char *own);
