/* SPDX-License-Identifier: MIT */
/* tabia perft: reads the options, and hands the work to one of its three forms (perft_forms.h). */
#include <stdio.h>

#include "commands.h"
#include "options.h"
#include "perft_forms.h"

int command_perft(int argc, char **argv) {
    PerftOptions o = perft_default_options();
    TabiaError error;
    if (!perft_read_command_line(argc, argv, "perft", NULL, &o, &error))
        return report_error("perft", &error, EXIT_USAGE);
    if (!perft_check_form(&o, optind < argc, &error)) return report_error("perft", &error, EXIT_USAGE);
    if (o.against) return perft_against(&o);
    return o.suite ? perft_suite(&o) : perft_count(&o);
}
