/* SPDX-License-Identifier: MIT */
/* What the parts of `tabia gensfen` share: its options, its help, its demonstration. */
#pragma once
#include "generate/generate.h"

typedef struct {
    Settings settings;
    GenerateJob job;
    bool strict_said, random_name, demonstrate, json, quiet;
    uint64_t seconds; /* of each part of the demonstration */
    const char *plot; /* NULL: none */
    char path[4096];  /* of --random-file-name */
} GensfenOptions;

/* Prints the help; the exit status. */
int gensfen_help(void);

/* --demonstrate-collisions; the exit status. */
int gensfen_demonstrate(const GensfenOptions *o);
