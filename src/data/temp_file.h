/* SPDX-License-Identifier: MIT */
/*
 * Temporary files of the tools. They have no name, so that they disappear however the program ends.
 *
 * Threads: no shared state; any thread may call it.
 */
#pragma once
#include "base/error.h"

#include <stdio.h>

/* A new file in the folder of that file name, to be written and read. Null with an error. */
FILE *data_temp_file(const char *prefix, TabiaError *error);
