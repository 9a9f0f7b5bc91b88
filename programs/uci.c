/* SPDX-License-Identifier: MIT */
/* tabia without a command, or with UCI lines as arguments: the chess engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "bench_forms.h"
#include "commands.h"
#include "options.h"
#include "uci/engine.h"

static const char uci_help[] =
    "usage: tabia [uci [--network FILE]]\n"
    "       tabia [uci [--network FILE]] \"UCI LINE\" ...\n"
    "       tabia go depth 20\n"
    "\n"
    "The chess engine, spoken to by lines of the Universal Chess Interface: on standard input, until quit or its end,\n"
    "or each as an argument; a command whose words are arguments is one line. The line `help` lists the commands, "
    "`uci`\n"
    "the options with their defaults and limits.\n"
    "A search ends at its limit, also when the input ends before; stop and quit end it at once, and so does the end "
    "of\n"
    "the input where it has no limit. Depth 1 is always finished.\n"
    "\n"
    "  --network FILE   evaluates by the network of that file, as the option EvalFile; tabia network --help tells of\n"
    "                   such files. Default: the network that is built in\n"
    "\n"
    "Beside the protocol's own: d (the board), eval, flip, bench [DEPTH], go perft DEPTH, genfens.\n"
    "\n"
    "Examples\n"
    "  tabia \"setoption name Hash value 256\" \"go movetime 2000\"\n"
    "  printf 'position startpos moves e2e4\\ngo depth 15\\n' | tabia\n";

/* A command in several arguments, as a shell makes them of `tabia go depth 3`: one line of all, to be freed. NULL: each
   argument is a line, or there is no memory. */
static char *join_command(int count, char **words) {
    bool takes_arguments = false;
    if (count < 2 || !engine_knows(words[0], &takes_arguments) || !takes_arguments) return NULL;
    size_t room = 1;
    for (int i = 0; i < count; i++) room += strlen(words[i]) + 1;
    char *line = calloc(room, 1);
    for (int i = 0; line && i < count; i++) strcat(i ? strcat(line, " ") : line, words[i]);
    return line;
}

/* Executes lines, or, without any, those of standard input. */
static void converse(Engine *e, int count, char **lines) {
    bool more = true;
    char *joined = join_command(count, lines);
    if (joined) lines = &joined, count = 1;
    if (!count && isatty(STDIN_FILENO))
        fputs("Tabia " TABIA_VERSION ", a chess engine. help lists the commands, quit ends; tabia --help tells of what "
              "else it does.\n",
              stdout);
    for (int i = 0; i < count && more; i++) {
        more = engine_execute(e, lines[i]);
        engine_wait(e);
    }
    if (!count) engine_loop(e, stdin);
    free(joined);
}

int command_uci(int argc, char **argv) {
    const char *network = NULL;
    const OptionRow rows[] = {text_option("network", &network), {0}};
    TabiaError error;
    bool wants_help;
    if (!option_rows(argc, argv, rows, &wants_help, &error)) return report_error("uci", &error, EXIT_USAGE);
    if (wants_help) return fputs(uci_help, stdout), EXIT_GOOD;
    Engine *e = engine_create(stdout, NULL, &error);
    if (!e) return report_error("uci", &error, EXIT_OUTSIDE);
    if (network && !engine_load_network(e, network, &error)) {
        engine_destroy(e);
        return report_error("uci", &error, EXIT_USAGE);
    }
    converse(e, argc - optind, argv + optind);
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
