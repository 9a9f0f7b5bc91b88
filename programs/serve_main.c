/* SPDX-License-Identifier: MIT */
/* tabia-serve, and that of each other game: serves the page until Ctrl-C. */
#include <stdio.h>

#include "base/stop.h"
#include "commands.h"
#include "program.h"
#include "serve_options.h"

static int run(int argc, char **argv) {
    ServeSettings settings;
    TabiaError error;
    int status;
    if (!serve_read_command_line(argc, argv, &settings, &status)) return status;
    tabia_stop_install(false);
    Serve *s = serve_open(&settings, &error);
    if (!s) return report_error("serve", &error, EXIT_OUTSIDE);
    printf("%s\nOpen it in a browser on this machine; Ctrl-C ends it.\n", serve_address(s));
    /* Without its address nobody could open the page; close_output() says so. */
    const bool good = fflush(stdout) != 0 || serve_run(s, &error);
    serve_close(s);
    return good ? EXIT_GOOD : report_error("serve", &error, EXIT_OUTSIDE);
}

int main(int argc, char **argv) {
    return program_main(program_texts.name, run, argc, argv);
}
