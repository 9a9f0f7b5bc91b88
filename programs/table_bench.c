/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "commands.h"
#include "table_forms.h"

int table_bench(int argc, char **argv) {
    (void)argc, (void)argv;
    fputs("tabia table bench: not built yet\n", stderr);
    return EXIT_OUTSIDE;
}
