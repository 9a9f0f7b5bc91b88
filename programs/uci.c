/* SPDX-License-Identifier: MIT */
/* tabia without a command, or with UCI lines as arguments: the chess engine. */
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "bench_forms.h"
#include "commands.h"
#include "options.h"
#include "uci/engine.h"

static const char uci_help[] =
    "usage: tabia [uci]\n"
    "       tabia [uci] \"UCI LINE\" ...\n"
    "\n"
    "The chess engine, spoken to by lines of the Universal Chess Interface: on standard input, until quit or its end,\n"
    "or each as an argument. The line `uci` lists the options with their defaults and limits.\n"
    "A search ends at its limit, also when the input ends before; stop and quit end it at once, and so does the end "
    "of\n"
    "the input where it has no limit. Depth 1 is always finished.\n"
    "\n"
    "Beside the protocol's own: d (the board), eval, flip, bench [DEPTH], go perft DEPTH, genfens.\n"
    "\n"
    "Examples\n"
    "  tabia \"setoption name Hash value 256\" \"go movetime 2000\"\n"
    "  printf 'position startpos moves e2e4\\ngo depth 15\\n' | tabia\n";

int command_uci(int argc, char **argv) {
    if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) return fputs(uci_help, stdout), EXIT_GOOD;
    TabiaError error;
    Engine *e = engine_create(stdout, NULL, &error);
    if (!e) return report_error("uci", &error, EXIT_OUTSIDE);
    bool more = true;
    for (int i = 1; i < argc && more; i++) {
        more = engine_execute(e, argv[i]);
        engine_wait(e);
    }
    if (argc < 2) engine_loop(e, stdin);
    engine_destroy(e);
    return EXIT_GOOD;
}

int command_bench(int argc, char **argv) {
    TabiaError error;
    uint64_t depth = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--path-keys-exact")) return bench_exact(argc, argv);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--threads") || !strncmp(argv[i], "--threads=", 10)) return bench_threads(argc, argv);
    if (argc > 1 && argv[1][0] == '-') return bench_path_keys(argc, argv);
    if (argc > 2) tabia_fail(&error, "one argument at most: the depth");
    if (argc > 2 || (argc == 2 && !option_number("DEPTH", argv[1], 1, 40, &depth, &error)))
        return report_error("bench", &error, EXIT_USAGE);
    Engine *e = engine_create(stdout, NULL, &error);
    if (!e) return report_error("bench", &error, EXIT_OUTSIDE);
    tabia_stop_install(true);
    const bool good = engine_bench(e, (int)depth);
    engine_destroy(e);
    if (tabia_stop_requested()) return EXIT_STOPPED;
    return good ? EXIT_GOOD : EXIT_OUTSIDE;
}
