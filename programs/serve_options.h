/* SPDX-License-Identifier: MIT */
/* The command line of `serve`, which two programs read: the one that is called, and the one that it starts. */
#pragma once
#include "options.h"
#include "serve/serve.h"

/* False: what is wrong was printed, or the help was; *status is the exit status. */
bool serve_read_command_line(int argc, char **argv, ServeSettings *settings, int *status);
