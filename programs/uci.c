/* SPDX-License-Identifier: MIT */
/* The program without a command, or with lines of the protocol as arguments: the engine. And its bench. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "commands.h"
#include "options.h"
#include "program.h"
#include "protocol/engine_protocol.h"
#include "uci/engine.h"

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
    if (!count && isatty(STDIN_FILENO)) printf("Tabia %s\n", program_texts.greeting);
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
    if (!option_rows(argc, argv, "uci", rows, &error)) return report_error(PROTOCOL_HELLO, &error, EXIT_USAGE);
    Engine *e = engine_create(stdout, NULL, &error);
    if (!e) return report_error(PROTOCOL_HELLO, &error, EXIT_OUTSIDE);
    if (network && !engine_load_network(e, network, &error)) {
        engine_destroy(e);
        return report_error(PROTOCOL_HELLO, &error, EXIT_USAGE);
    }
    converse(e, argc - optind, argv + optind);
    engine_destroy(e);
    return EXIT_GOOD;
}

int command_bench(int argc, char **argv) {
    const OptionRow none[] = {{0}};
    TabiaError error;
    uint64_t depth = 0;
    if (!option_rows(argc, argv, "bench", none, &error)) return report_error("bench", &error, EXIT_USAGE);
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
