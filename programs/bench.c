/* SPDX-License-Identifier: MIT */
/* tabia bench: which of its forms? */
#include <string.h>

#include "bench_forms.h"
#include "commands.h"

int command_bench(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--path-keys-exact")) return bench_exact(argc, argv);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--threads") || !strncmp(argv[i], "--threads=", 10)) return bench_threads(argc, argv);
    if (argc > 1 && argv[1][0] == '-') return bench_path_keys(argc, argv);
    return bench_positions(argc, argv);
}
