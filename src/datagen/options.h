/* SPDX-License-Identifier: MIT */
/*
 * Checks of a command line of the generator as a whole: options that need each other or exclude each other, and what
 * follows from the options that were not given. Ranges of single values are checked where they are parsed.
 */
#pragma once
#include "generate.h"

typedef struct {
    const char *const *names; /* of the options on the command line, without dashes */
    unsigned count;
} DatagenGivenOptions;

/* Checks the options, and sets the start position, the format and strict generations where they follow from others. The
   settings have been checked afterwards. False with an error that names an option. */
bool datagen_options_check(const DatagenGivenOptions *given, DatagenSettings *s, const DatagenJob *job,
                           TabiaError *error);

enum { DATAGEN_PATH_MAX = 4096 };

/* Puts the seed into a file name: "data.viri" becomes "data-0000000000000007.viri". False with an error: too long. */
bool datagen_path_with_seed(const char *path, uint64_t seed, char out[DATAGEN_PATH_MAX], TabiaError *error);
