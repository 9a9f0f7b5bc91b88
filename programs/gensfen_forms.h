/* SPDX-License-Identifier: MIT */
/* What the parts of `tabia gensfen` share: its options, its help, its demonstration. */
#pragma once
#include "datagen/generate.h"

typedef struct {
    Settings settings;
    GenerateJob job;
    bool strict_said, random_name, demonstrate, json, quiet;
    uint64_t seconds, run_nodes; /* of each run of the demonstration; nodes 0: by seconds */
    const char *plot;            /* NULL: none */
    char path[4096];             /* of --random-file-name */
} GensfenOptions;

/* Prints the help; the exit status. */
int gensfen_help(void);

/* --demonstrate-collisions: its defaults, before options are read; do they make sense; the exit status. */
void gensfen_demonstration_begin(GensfenOptions *o);
bool gensfen_demonstration_check(GensfenOptions *o, TabiaError *error);
int gensfen_demonstrate(const GensfenOptions *o);
