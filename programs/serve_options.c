/* SPDX-License-Identifier: MIT */
#include "serve_options.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/process.h"
#include "base/threads.h"
#include "commands.h"
#include "data/recognize.h"
#include "notation/protocol.h"
#include "perft/ledger_summary.h"

enum { AGAINST_SECONDS = 60 };

/* Files of training data of a format that is known. An empty one may be of any. */
static bool can_be_read(const ServeSettings *s, TabiaError *error) {
    for (unsigned i = 0; i < s->files_n; i++) {
        DataReader *reader = data_reader_open(s->files[i], NULL, error);
        if (!reader) return false;
        data_reader_close(reader);
    }
    return true;
}

/* The ledger of a count, if it has begun. */
static bool is_ledger(const char *name, TabiaError *error) {
    struct stat status;
    LedgerSummary summary;
    bool outside;
    if (!name || stat(name, &status) != 0 || status.st_size == 0) return true;
    return ledger_summary_read(&summary, name, &outside, error);
}

/* The program that is compared with. Whether it exists is checked now; it starts later. */
static bool read_against(AgainstProgram *against, const char *protocol, unsigned timeout, TabiaError *error) {
    char name[200];
    if (!against->command && protocol) return tabia_fail(error, "--protocol belongs to --against");
    if (!against->command && timeout) return tabia_fail(error, "--timeout belongs to --against");
    against->seconds = timeout ? timeout : AGAINST_SECONDS;
    if (against->command && !tabia_process_exists(against->command, name, sizeof name))
        return tabia_fail(error, "--against: there is no program '%s'; name one by its path, or one that PATH has",
                          name);
    return protocol_parse(protocol, &against->protocol, error);
}

bool serve_read_command_line(int argc, char **argv, ServeSettings *settings, int *status) {
    *settings = (ServeSettings){.hash_bytes = 256 << 20, .threads = tabia_threads_usable()};
    const char *protocol = NULL;
    unsigned timeout = 0;
    const OptionRow rows[] = {
        unsigned_option("port", &settings->port, 1, 65535), unsigned_option("threads", &settings->threads, 1, 1024),
        search_hash_option("hash", &settings->hash_bytes),  text_option("ledger", &settings->ledger),
        text_option("against", &settings->against.command), text_option("protocol", &protocol),
        unsigned_option("timeout", &timeout, 1, 1000000),   {0}};
    TabiaError error;
    bool good = option_rows(argc, argv, "serve", rows, &error);
    settings->files = (const char *const *)argv + optind;
    settings->files_n = (unsigned)(argc - optind);
    good = good && can_be_read(settings, &error) && is_ledger(settings->ledger, &error) &&
           read_against(&settings->against, protocol, timeout, &error);
    *status = good ? EXIT_GOOD : report_error("serve", &error, EXIT_USAGE);
    return good;
}
