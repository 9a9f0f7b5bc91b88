/* SPDX-License-Identifier: MIT */
/* The command line of a perft, on threads and on ranks. */
#include <getopt.h>
#include <string.h>

#include "options.h"
#include "perft_forms.h"

enum {
    OPT_FEN = 256,
    OPT_MOVES,
    OPT_CHESS960,
    OPT_THREADS,
    OPT_HASH,
    OPT_INTEGRITY,
    OPT_TABLE,
    OPT_KEYS,
    OPT_PATH,
    OPT_LEDGER,
    OPT_DIVIDE,
    OPT_JSON,
    OPT_QUIET,
    OPT_SUITE,
    OPT_MAX_NODES,
    OPT_AGAINST,
    OPT_PROTOCOL,
    OPT_TIMEOUT,
};

static const struct option long_options[] = {
    {"fen", required_argument, NULL, OPT_FEN},
    {"moves", required_argument, NULL, OPT_MOVES},
    {"chess960", no_argument, NULL, OPT_CHESS960},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"hash", required_argument, NULL, OPT_HASH},
    {"integrity", required_argument, NULL, OPT_INTEGRITY},
    {"table", required_argument, NULL, OPT_TABLE},
    {"keys", required_argument, NULL, OPT_KEYS},
    {"path", required_argument, NULL, OPT_PATH},
    {"ledger", required_argument, NULL, OPT_LEDGER},
    {"divide", no_argument, NULL, OPT_DIVIDE},
    {"json", no_argument, NULL, OPT_JSON},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"suite", required_argument, NULL, OPT_SUITE},
    {"max-nodes", required_argument, NULL, OPT_MAX_NODES},
    {"against", required_argument, NULL, OPT_AGAINST},
    {"protocol", required_argument, NULL, OPT_PROTOCOL},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct {
    const char *fen, *moves, *path;
} Texts;

static bool choose_path(const char *name, const PerftPath **path, Fault *fault) {
    *path = perft_path_named(name);
    if (*path) return true;
    char known[100] = "";
    for (unsigned i = 0; perft_path_at(i); i++) strcat(strcat(known, i ? ", " : ""), perft_path_at(i)->name);
    return tabia_fault(fault, "--path: this CPU has no path '%s'; it can run %s", name, known);
}

static bool read_option(int option, PerftOptions *o, Texts *t, Fault *fault) {
    uint64_t n = 0;
    switch (option) {
    case OPT_FEN:
        t->fen = optarg;
        return true;
    case OPT_MOVES:
        t->moves = optarg;
        return true;
    case OPT_CHESS960:
        o->chess960 = true;
        return true;
    case OPT_HASH:
        return option_hash(optarg, &o->job.hash_bytes, fault);
    case OPT_INTEGRITY:
        return option_integrity(optarg, &o->job.table.integrity, fault);
    case OPT_TABLE:
        o->job.table.name = optarg;
        return true;
    case OPT_KEYS:
        return option_number("--keys", optarg, 0, UINT64_MAX, &o->job.keys_seed, fault);
    case OPT_PATH:
        t->path = optarg;
        return true;
    case OPT_LEDGER:
        o->job.ledger = optarg;
        return true;
    case OPT_DIVIDE:
        o->divide = true;
        return true;
    case OPT_JSON:
        o->json = true;
        return true;
    case OPT_QUIET:
        o->quiet = true;
        return true;
    case OPT_SUITE:
        o->suite = optarg;
        return true;
    case OPT_MAX_NODES:
        return option_number("--max-nodes", optarg, 1, UINT64_MAX, &o->max_nodes, fault);
    case OPT_AGAINST:
        o->against = optarg;
        return true;
    case OPT_PROTOCOL:
        o->protocol = optarg;
        return true;
    case OPT_THREADS:
        if (!option_number("--threads", optarg, 1, 4096, &n, fault)) return false;
        o->job.threads = (unsigned)n;
        return true;
    case OPT_TIMEOUT:
        if (!option_number("--timeout", optarg, 1, 1000000, &n, fault)) return false;
        o->timeout = (double)n;
        return true;
    default:
        return tabia_fault(fault, "tabia perft --help lists the options");
    }
}

/* What is left on the line is the depth: needed but for a suite. */
static bool read_depth(int argc, char **argv, PerftOptions *o, Fault *fault) {
    uint64_t depth;
    if (optind == argc && o->suite) return true;
    if (optind == argc) return tabia_fault(fault, "how deep? for example: tabia perft 6");
    if (optind + 1 < argc)
        return tabia_fault(fault, "'%s' is one argument too many; a FEN goes in quotes behind --fen", argv[optind + 1]);
    if (!option_number("DEPTH", argv[optind], 0, 60, &depth, fault)) return false;
    o->job.depth = (int)depth;
    return true;
}

bool perft_read_command_line(int argc, char **argv, PerftOptions *o, bool *wants_help, Fault *fault) {
    Texts texts = {0};
    int option;
    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == 'h') return *wants_help = true;
        if (!read_option(option, o, &texts, fault)) return false;
    }
    o->fen = texts.fen;
    o->moves = texts.moves;
    return read_depth(argc, argv, o, fault) && choose_path(texts.path, &o->job.path, fault) &&
           option_position(texts.fen, texts.moves, &o->job.root, fault);
}

PerftOptions perft_default_options(void) {
    return (PerftOptions){
        .job.hash_bytes = default_hash_bytes(), .job.keys_seed = 1, .max_nodes = UINT64_MAX, .timeout = 600};
}
