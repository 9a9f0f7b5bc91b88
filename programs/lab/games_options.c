/* SPDX-License-Identifier: MIT */
#include "games_options.h"

#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "lab/table/collisions.h"

static OptionRow number_row(DatagenSettings *s, const char *name) {
    const DatagenNumber *n = datagen_number_named(name);
    return uint64_option(name, datagen_number_of(s, n), n->min, n->max);
}

bool games_options_read(int argc, char **argv, GamesOptions *o, const OptionRow *more, TabiaError *error) {
    DatagenSettings *s = &o->settings;
    bool no_network = false;
    const OptionRow rows[] = {number_row(s, "depth"),
                              number_row(s, "eval-limit"),
                              flag_option("no-network", &no_network),
                              hash_option("hash", &s->table.hash_bytes),
                              uint64_option("signature-bits", &s->table.signature_bits, 8, COLLISION_BITS_MOST),
                              uint64_option("seed", &s->seed, 0, UINT64_MAX),
                              unsigned_option("threads", &o->threads, 1, 4096),
                              uint64_option("run-nodes", &o->run_nodes, 1, 1000000000000),
                              flag_option("json", &o->json),
                              flag_option("quiet", &o->quiet),
                              progress_option(&o->progress),
                              more[0],
                              more[1],
                              {0}};
    if (!option_rows(argc, argv, rows, &o->wants_help, error)) return false;
    if (o->wants_help) return true;
    if (optind < argc) return tabia_fail(error, "'%s' is not understood: every argument is an option", argv[optind]);
    if (!s->table.hash_bytes) return tabia_fail(error, "--hash: a search needs a table; at least 64K");
    if (no_network) s->evaluation = EVALUATION_HANDCRAFTED;
    if (!o->threads) o->threads = tabia_threads_usable();
    return true;
}

void games_options_help(const char *head, const GamesOptions *defaults, const char *own) {
    const DatagenSettings *s = &defaults->settings;
    fputs(head, stdout);
    printf("  --depth D            of the search of each move; default %ju\n"
           "  --eval-limit CP      a game ends at the first score of CP; default %ju\n"
           "  --no-network         evaluates by " EVALUATION_HANDCRAFTED_NAME " alone\n"
           "  --hash SIZE          of the tables of all threads together; default %juK\n"
           "  --signature-bits N   of narrow signatures, 8 to %d; default %ju\n"
           "  --seed N             other games; default 1\n"
           "  --json               one JSON document\n"
           "  --quiet              no progress\n"
           "  --progress SECONDS   a line of progress each so many seconds, on a terminal or not\n",
           (uintmax_t)s->search.depth, (uintmax_t)s->adjudication.eval_limit, (uintmax_t)s->table.hash_bytes >> 10,
           COLLISION_BITS_MOST, (uintmax_t)s->table.signature_bits);
    fputs(own, stdout);
}
