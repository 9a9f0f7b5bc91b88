/* SPDX-License-Identifier: MIT */
/* The command line of a perft, on threads and on ranks. */
#include <string.h>

#include "notation/protocol.h"
#include "options.h"
#include "perft_forms.h"
#include "program.h"

static bool choose_kernel(const char *name, const PerftKernel **kernel, TabiaError *error) {
    *kernel = perft_kernel_named(name);
    if (*kernel) return true;
    char known[100] = "";
    for (unsigned i = 0; perft_kernel_at(i); i++) strcat(strcat(known, i ? ", " : ""), perft_kernel_at(i)->name);
    return tabia_fail(error, "--kernel: this CPU has no kernel '%s'; it can run %s", name, known);
}

/* What is left on the line is the depth: needed but for a suite. */
static bool read_depth(int argc, char **argv, PerftOptions *o, TabiaError *error) {
    uint64_t depth;
    if (optind == argc && o->suite) return true;
    if (optind == argc) return tabia_fail(error, "how deep? for example: %s perft 6", program_texts.name);
    if (optind + 1 < argc)
        return tabia_fail(error, "'%s' is one argument too many; a %s goes in quotes behind --%s", argv[optind + 1],
                          protocol_words.position_title, protocol_words.position_name);
    if (!option_number("DEPTH", argv[optind], 0, 60, &depth, error)) return false;
    o->job.depth = (int)depth;
    return true;
}

/* False with an error where a count by kinds would pass over an option in silence: it has neither a table nor a ledger. */
static bool kinds_fit(const PerftOptions *o, const OptionRow *rows, uint64_t seen, TabiaError *error) {
    const char *const others[] = {"hash", "replacement", "table", "private", "ledger", "mates", "suite", "against"};
    for (unsigned r = 0; o->job.kinds && rows[r].name; r++)
        for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
            if (seen >> r & 1 && !strcmp(rows[r].name, others[i]) && (i || o->job.hash_bytes))
                return tabia_fail(error, "--kinds and --%s: --kinds is one count, without table and ledger", others[i]);
    return true;
}

bool perft_read_command_line(int argc, char **argv, const char *command, const OptionRow *more, PerftOptions *o,
                             TabiaError *error) {
    const char *kernel = NULL;
    unsigned timeout = 0;
    uint64_t seen;
    OptionRow rows[OPTION_ROWS_MAX] = {text_option(protocol_words.position_name, &o->fen),
                                       text_option("moves", &o->moves),
                                       unsigned_option("threads", &o->job.threads, 1, 4096),
                                       hash_option("hash", &o->job.hash_bytes),
                                       replacement_option("replacement", &o->job.table.replacement),
                                       text_option("table", &o->job.table.name),
                                       flag_option("private", &o->job.private_tables),
                                       uint64_option("keys", &o->job.keys_seed, 0, UINT64_MAX),
                                       text_option("kernel", &kernel),
                                       file_option("ledger", &o->job.ledger),
                                       flag_option("divide", &o->divide),
                                       flag_option("mates", &o->job.mates),
                                       flag_option("kinds", &o->job.kinds),
                                       flag_option("json", &o->json),
                                       flag_option("quiet", &o->quiet),
                                       progress_option(&o->progress),
                                       text_option("suite", &o->suite),
                                       uint64_option("max-nodes", &o->max_nodes, 1, UINT64_MAX),
                                       text_option("against", &o->against),
                                       text_option("protocol", &o->protocol),
                                       unsigned_option("timeout", &timeout, 1, 1000000),
                                       flag_option(program_texts.chess960_flag, &o->chess960)};
    for (OptionRow *row = rows; more && more->name; more++) {
        while (row->name) row++;
        *row = *more;
    }
    if (!option_rows_seen(argc, argv, command, rows, &seen, error) || !kinds_fit(o, rows, seen, error)) return false;
    if (timeout) o->timeout = timeout;
    return read_depth(argc, argv, o, error) && choose_kernel(kernel, &o->job.kernel, error) &&
           option_position(o->fen, o->moves, &o->job.root, error);
}

PerftOptions perft_default_options(void) {
    return (PerftOptions){.job.hash_bytes = default_hash_bytes(), .job.keys_seed = 1, .max_nodes = UINT64_MAX};
}

bool perft_check_form(const PerftOptions *o, bool has_depth, TabiaError *error) {
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {o->against && !o->suite && o->progress, "--progress: one position that is compared has none; a suite has"},
        {!o->suite && o->max_nodes != UINT64_MAX, "--max-nodes belongs to --suite"},
        {!o->against && o->protocol, "--protocol belongs to --against"},
        {!o->against && o->timeout > 0, "--timeout belongs to --against"},
        {o->job.private_tables && o->job.table.name, "--private and --table: a table with a name is shared"},
        {!o->job.hash_bytes && o->job.table.name, "--table and --hash off: one or the other"},
        {!o->job.hash_bytes && o->job.table.replacement, "--replacement and --hash off: one or the other"},
        {!o->job.hash_bytes && o->job.private_tables, "--private and --hash off: one or the other"},
        {o->suite && !o->against && o->chess960, "--chess960 and --suite: castling is read from each position"},
        {o->suite && has_depth, "DEPTH and --suite: the suite has depths of its own"},
        {o->suite && o->moves, "--moves and --suite: the suite has positions of its own"},
        {(o->suite || o->against) && o->divide, "--divide is for one count, without --suite and --against"},
        {(o->suite || o->against) && o->job.mates, "--mates is for one count, without --suite and --against"},
        {(o->suite || o->against) && o->job.ledger, "--ledger is for one count, without --suite and --against"},
    };
    if (o->suite && o->fen)
        return tabia_fail(error, "--%s and --suite: the suite has positions of its own", protocol_words.position_name);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong) return tabia_fail(error, "%s", rules[i].why);
    return true;
}
