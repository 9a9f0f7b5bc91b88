/* SPDX-License-Identifier: MIT */
/*
 * tabia serve: becomes the program that serves the page, which lies beside this one and has `-serve` behind its name. It is
 * another program because libmicrohttpd brings a dozen libraries, which every start of the engine would load.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/process.h"
#include "base/system.h"
#include "commands.h"
#include "serve_options.h"

int command_serve(int argc, char **argv) {
    ServeSettings settings;
    TabiaError error;
    char path[PATH_MAX];
    int status;
    if (!serve_read_command_line(argc, argv, &settings, &status)) return status;
    const bool found = tabia_program_path("-serve", path, sizeof path);
    fflush(stdout);
    argv[0] = path;
    if (found) tabia_process_become(argv);
    if (!found)
        tabia_fail(&error, "cannot find the folder of this program");
    else if (errno == ENOENT)
        tabia_fail(&error, "there is no %.300s; Debian's package tabia-serve has it, make page builds it", path);
    else
        tabia_fail(&error, "%.300s: cannot be started: %s", path, strerror(errno));
    return report_error("serve", &error, EXIT_OUTSIDE);
}
