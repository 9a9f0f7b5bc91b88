/* SPDX-License-Identifier: MIT */
/* tabia without a command, or with UCI lines as arguments: the chess engine. */
#include <stdio.h>
#include <string.h>

#include "bench_forms.h"
#include "commands.h"
#include "options.h"
#include "protocol/engine.h"

int command_uci(int argc, char **argv) {
    Fault fault;
    Engine *e = engine_create(stdout, NULL, &fault);
    if (!e) return complain("uci", &fault, EXIT_OUTSIDE);
    bool more = true;
    for (int i = 1; i < argc && more; i++) {
        more = engine_line(e, argv[i]);
        engine_finish(e);
    }
    if (argc < 2) engine_converse(e, stdin);
    engine_destroy(e);
    return EXIT_GOOD;
}

int command_bench(int argc, char **argv) {
    Fault fault;
    uint64_t depth = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--threads") || !strncmp(argv[i], "--threads=", 10)) return bench_threads(argc, argv);
    if (argc > 1 && argv[1][0] == '-') return bench_history(argc, argv);
    if (argc > 2) tabia_fault(&fault, "one argument at most: the depth");
    if (argc > 2 || (argc == 2 && !option_number("DEPTH", argv[1], 1, 40, &depth, &fault)))
        return complain("bench", &fault, EXIT_USAGE);
    Engine *e = engine_create(stdout, NULL, &fault);
    if (!e) return complain("bench", &fault, EXIT_OUTSIDE);
    const bool good = engine_bench(e, (int)depth);
    engine_destroy(e);
    return good ? EXIT_GOOD : EXIT_OUTSIDE;
}
