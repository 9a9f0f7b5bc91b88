/* SPDX-License-Identifier: MIT */
#include "serve_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "commands.h"
#include "program.h"

static const char help[] =
    "usage: %s serve [FILE...] [options]\n"
    "\n"
    "Serves a page to a browser on this machine, and prints its address: a board whose position is analysed while you\n"
    "watch, perft counts that open move by move, and the games and distributions of each FILE, training data of any\n"
    "format. Ctrl-C ends it. Only who knows the address, which has a random token in it, is answered, and only on "
    "this\n"
    "machine. The page is in the program: no other file is read, and nothing is fetched from elsewhere.\n"
    "\n"
    "  --port N     default: any that is free\n"
    "  --threads N  of an analysis, and of a count; default: one for each core\n"
    "  --hash SIZE  of the table of each; default 256M. It is made when the first one begins\n"
    "  --ledger FILE  of a long perft, which may be going on: the page shows how far it is\n"
    "  --plots FOLDER shows its files *.svg, as docs/results has them\n"
    "\n"
    "It is a program of its own, tabia-serve, which is built where libmicrohttpd is installed.\n";

static bool can_be_read(const ServeSettings *s, TabiaError *error) {
    for (unsigned i = 0; i < s->files_n; i++)
        if (access(s->files[i], R_OK) != 0)
            return tabia_fail(error, "%.300s: cannot be read: %s", s->files[i], strerror(errno));
    return true;
}

bool serve_read_command_line(int argc, char **argv, ServeSettings *settings, int *status) {
    *settings = (ServeSettings){.hash_bytes = 256 << 20, .threads = tabia_threads_usable()};
    const OptionRow rows[] = {unsigned_option("port", &settings->port, 1, 65535),
                              unsigned_option("threads", &settings->threads, 1, 1024),
                              search_hash_option("hash", &settings->hash_bytes),
                              text_option("ledger", &settings->ledger),
                              text_option("plots", &settings->plots),
                              {0}};
    TabiaError error;
    bool wants_help;
    bool good = option_rows(argc, argv, rows, &wants_help, &error);
    settings->files = (const char *const *)argv + optind;
    settings->files_n = (unsigned)(argc - optind);
    good = good && can_be_read(settings, &error);
    *status = good ? EXIT_GOOD : report_error("serve", &error, EXIT_USAGE);
    if (good && wants_help) printf(help, program_texts.name);
    return good && !wants_help;
}
