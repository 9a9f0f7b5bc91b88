/* SPDX-License-Identifier: MIT */
/* tabia simulate TRACE: what a recorded trace would cost on many ranks; and recording one. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/text.h"
#include "commands.h"
#include "options.h"
#include "simulate_forms.h"

#define COST_LINE(member, unit, value, text) "    " #member "=" #value " " unit ": " text "\n"

static const char help[] =
    "usage: tabia simulate TRACE [options]\n"
    "       tabia simulate --record DEPTH --out TRACE [options]\n"
    "\n"
    "Replays what a perft asked of its table through a model of a cluster, on 2 to 4096 ranks, and prints\n"
    "what the cluster would cost: nothing of it is measured but the trace and the constants.\n"
    "\n"
    "  --ranks LIST      numbers of ranks; default: 2,4,8,... up to 1024\n"
    "  --fixed           the recorded work is shared out among the ranks; without it each rank has as much\n"
    "                    work as was recorded, as for a deeper perft\n"
    "  --costs LIST      constants of the model, as latency=50,batch=64 (below)\n"
    "  --plot FILE.svg   draws overhead and efficiency\n"
    "  --json            one JSON object instead of text\n"
    "\n"
    "  --record DEPTH    counts a perft on one thread, as a rank of a cluster would, and writes the trace\n"
    "  --out FILE        where to; it appears when it is whole\n"
    "  --fen FEN         default: the start position\n"
    "  --ask-depth N     positions so many plies above the leaves are asked for; default 4, at most DEPTH - 2\n"
    "  --units N         at least so many units of work, if there are; default 300\n"
    "  --hash SIZE       of the table that remembers what was counted; default 256M\n"
    "  --quiet           no progress\n"
    "\n"
    "Columns. overhead: processor time beyond the work, as a share of the work; it is the sum of asking\n"
    "(requests, stores and answers), serving (those of others), looking (for messages) and handing out\n"
    "units. waiting, tail: of all ranks' time, what passes without work before and after a rank's last\n"
    "unit. efficiency: work / (ranks * time).\n"
    "\n"
    "The model and what it leaves out: docs/cluster.md. Its constants and their defaults:\n" SIMULATE_COSTS(
        COST_LINE) "\n"
                   "Examples\n"
                   "  tabia simulate --record 7 --out start7.trace\n"
                   "  tabia simulate start7.trace --plot start7.svg\n"
                   "  tabia simulate start7.trace --ranks 2,4 --costs latency=500\n";

enum {
    OPT_RANKS = 256,
    OPT_FIXED,
    OPT_COSTS,
    OPT_PLOT,
    OPT_JSON,
    OPT_RECORD,
    OPT_OUT,
    OPT_FEN,
    OPT_ASK,
    OPT_UNITS,
    OPT_HASH,
    OPT_QUIET
};

static const struct option long_options[] = {
    {"ranks", required_argument, NULL, OPT_RANKS},
    {"fixed", no_argument, NULL, OPT_FIXED},
    {"costs", required_argument, NULL, OPT_COSTS},
    {"plot", required_argument, NULL, OPT_PLOT},
    {"json", no_argument, NULL, OPT_JSON},
    {"record", required_argument, NULL, OPT_RECORD},
    {"out", required_argument, NULL, OPT_OUT},
    {"fen", required_argument, NULL, OPT_FEN},
    {"ask-depth", required_argument, NULL, OPT_ASK},
    {"units", required_argument, NULL, OPT_UNITS},
    {"hash", required_argument, NULL, OPT_HASH},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

enum { ROWS_MAX = 64 };

typedef struct {
    TraceJob job;
    const char *trace, *out, *plot, *costs_text;
    SimulateCosts costs;
    char about[120]; /* where they come from */
    unsigned ranks[ROWS_MAX], rows;
    bool fixed, json, quiet, wants_help;
    double start;
} Command;

/* ---- the command line ---- */

static bool read_ranks(Command *c, const char *text, Fault *fault) {
    char word[16];
    for (c->rows = 0; *text; text += *text == ',') {
        const size_t length = strcspn(text, ",");
        uint64_t n;
        if (c->rows == ROWS_MAX) return tabia_fault(fault, "--ranks: more than %d numbers", ROWS_MAX);
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, text);
        if (!option_number("--ranks", word, 1, SIMULATE_RANKS_MAX, &n, fault)) return false;
        c->ranks[c->rows++] = (unsigned)n;
        text += length;
    }
    return c->rows || tabia_fault(fault, "--ranks: a list of numbers is needed, as 2,4,8");
}

static bool read_number(int option, Command *c, Fault *fault) {
    static const struct {
        const char *name;
        uint64_t least, most;
    } numbers[] = {{"--record", 4, 12}, {"--ask-depth", 2, 10}, {"--units", 1, 60000}};
    const unsigned which = option == OPT_RECORD ? 0 : option == OPT_ASK ? 1 : 2;
    uint64_t n = 0;
    if (!option_number(numbers[which].name, optarg, numbers[which].least, numbers[which].most, &n, fault)) return false;
    if (which == 0) c->job.depth = (int)n;
    if (which == 1) c->job.ask_depth = (int)n;
    if (which == 2) c->job.units = (unsigned)n;
    return true;
}

static bool read_option(int option, Command *c, Fault *fault) {
    switch (option) {
    case OPT_RANKS:
        return read_ranks(c, optarg, fault);
    case OPT_FIXED:
        return c->fixed = true;
    case OPT_COSTS:
        c->costs_text = optarg;
        return true;
    case OPT_PLOT:
        c->plot = optarg;
        return true;
    case OPT_JSON:
        return c->json = true;
    case OPT_OUT:
        c->out = optarg;
        return true;
    case OPT_FEN:
        c->job.fen = optarg;
        return true;
    case OPT_QUIET:
        return c->quiet = true;
    case OPT_HASH:
        return option_hash(optarg, &c->job.hash_bytes, fault);
    case OPT_RECORD:
    case OPT_ASK:
    case OPT_UNITS:
        return read_number(option, c, fault);
    case 'h':
        return c->wants_help = true;
    default:
        return tabia_fault(fault, "unknown option, or one without its value; tabia simulate --help lists them");
    }
}

static bool read_record(Command *c, Fault *fault) {
    enum { ASK_DEPTH = 4 };
    Position root;
    const int most = c->job.depth - 2;
    if (!c->out) return tabia_fault(fault, "--out FILE is needed: where should the trace go?");
    if (!c->job.ask_depth) c->job.ask_depth = most < ASK_DEPTH ? most : ASK_DEPTH;
    if (c->job.ask_depth > most)
        return tabia_fault(fault, "--ask-depth: %d is too much for depth %d, at most %d", c->job.ask_depth,
                           c->job.depth, most);
    return option_position(c->job.fen, NULL, &root, fault);
}

static bool read_command_line(int argc, char **argv, Command *c, Fault *fault) {
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1)
        if (!read_option(option, c, fault)) return false;
    if (c->wants_help) return true;
    const bool has_list = c->rows;
    for (unsigned ranks = 2; !has_list && ranks <= 1024; ranks *= 2) c->ranks[c->rows++] = ranks;
    if (c->job.depth) {
        if (optind < argc) return tabia_fault(fault, "'%.100s': --record takes no TRACE; --out names it", argv[optind]);
        return read_record(c, fault);
    }
    if (optind + 1 != argc)
        return tabia_fault(fault, "one TRACE is needed; tabia simulate --record 7 --out start7.trace makes one");
    c->trace = argv[optind];
    return true;
}

/* ---- recording ---- */

static void show(void *context, double share) {
    const Command *c = context;
    const double passed = tabia_clock_wall() - c->start;
    char left[SHORT_TEXT_MAX];
    if (c->quiet || !isatty(STDERR_FILENO) || passed < 2) return;
    tabia_duration_text(passed * (1 - share) / share, left);
    fprintf(stderr, "\r\033[Krecording: %.0f %%, %s left", 100 * share, left);
}

static bool print_recorded(const Command *c, const Trace *t, uint64_t leaves, Fault *fault) {
    const TraceSums s = trace_sums(t);
    if (!c->json)
        return printf("%s: %ju leaves\n%ju units, %ju asks, %ju stores; %.3f s of work\n", t->text, (uintmax_t)leaves,
                      (uintmax_t)s.of_kind[TRACE_UNIT], (uintmax_t)s.of_kind[TRACE_ASK],
                      (uintmax_t)s.of_kind[TRACE_STORE], s.work) > 0 ||
               tabia_fault(fault, "cannot write the result");
    Json j;
    tabia_json_begin(&j, stdout);
    tabia_json_object(&j, NULL);
    tabia_json_text(&j, "file", c->out);
    tabia_json_text(&j, "of", t->text);
    tabia_json_count(&j, "leaves", leaves);
    tabia_json_count(&j, "units", s.of_kind[TRACE_UNIT]);
    tabia_json_count(&j, "asks", s.of_kind[TRACE_ASK]);
    tabia_json_count(&j, "stores", s.of_kind[TRACE_STORE]);
    tabia_json_real(&j, "work_seconds", s.work);
    tabia_json_close(&j);
    return tabia_json_end(&j, fault);
}

static bool record(Command *c, Fault *fault) {
    Trace t = {0};
    uint64_t leaves;
    c->job.progress = show, c->job.context = c;
    bool good = trace_make(&t, &c->job, &leaves, fault);
    if (!c->quiet && isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    good = good && trace_write(&t, c->out, fault) && print_recorded(c, &t, leaves, fault);
    trace_free(&t);
    return good;
}

/* ---- simulating ---- */

static void print_text(const Command *c, const Trace *t, const Sheet *sheet) {
    printf("simulated, not measured. Trace: %s. Constants: %s.\n%s\n", t->text, c->about,
           c->fixed ? "The recorded work is shared out among the ranks.\n"
                    : "Each rank has as much work as was recorded.\n");
    sheet_print(sheet, stdout);
#define COST_PRINT(member, unit, value, text) printf("%-8s %9.4g %-8s %s\n", #member, c->costs.member, unit, text);
    SIMULATE_COSTS(COST_PRINT)
#undef COST_PRINT
}

static bool print_json(const Command *c, const Trace *t, const Sheet *sheet, Fault *fault) {
    Json j;
    tabia_json_begin(&j, stdout);
    tabia_json_object(&j, NULL);
    tabia_json_boolean(&j, "measured", false);
    tabia_json_text(&j, "trace", t->text);
    tabia_json_boolean(&j, "fixed_work", c->fixed);
    tabia_json_text(&j, "constants_from", c->about);
    tabia_json_object(&j, "constants");
#define COST_JSON(member, unit, value, text) tabia_json_real(&j, #member, c->costs.member);
    SIMULATE_COSTS(COST_JSON)
#undef COST_JSON
    tabia_json_close(&j);
    sheet_json(sheet, &j);
    tabia_json_close(&j);
    return tabia_json_end(&j, fault);
}

static bool simulate_rows(const Command *c, const Trace *t, SimulateRow *row, Fault *fault) {
    for (unsigned i = 0; i < c->rows; i++)
        if (!simulate_run(t, &c->costs, c->ranks[i], c->fixed ? 1 : c->ranks[i], &row[i], fault)) return false;
    return true;
}

static bool get_costs(Command *c, SimulateMeasure *measure, void *context, Fault *fault) {
    c->costs = simulate_defaults();
    snprintf(c->about, sizeof c->about, "defaults%s", c->costs_text ? " and --costs" : "");
    if (measure && !measure(context, &c->costs, c->about, fault)) return false;
    return !c->costs_text || simulate_costs_parse(&c->costs, c->costs_text, fault);
}

static bool simulate(Command *c, Fault *fault) {
    Trace t;
    SimulateRow row[ROWS_MAX];
    Sheet sheet = {0};
    if (!trace_read(&t, c->trace, fault)) return false;
    bool good = simulate_rows(c, &t, row, fault) && simulate_sheet(row, c->rows, &sheet, fault);
    if (good && c->plot) good = sheets_plot(&sheet, 1, c->plot, fault);
    if (good && !c->json) print_text(c, &t, &sheet);
    if (good && c->json) good = print_json(c, &t, &sheet, fault);
    sheet_free(&sheet);
    trace_free(&t);
    return good;
}

int simulate_command(int argc, char **argv, SimulateMeasure *measure, void *context) {
    Command c = {.start = tabia_clock_wall()};
    Fault fault;
    if (!read_command_line(argc, argv, &c, &fault)) return complain("simulate", &fault, EXIT_USAGE);
    if (c.wants_help) return fputs(help, stdout) < 0 ? EXIT_OUTSIDE : EXIT_GOOD;
    tabia_stop_install();
    if (!c.job.depth && !get_costs(&c, measure, context, &fault)) return complain("simulate", &fault, EXIT_USAGE);
    if (c.job.depth ? record(&c, &fault) : simulate(&c, &fault)) return EXIT_GOOD;
    return tabia_stop_requested() ? EXIT_STOPPED : complain("simulate", &fault, EXIT_OUTSIDE);
}

int command_simulate(int argc, char **argv) {
    return simulate_command(argc, argv, NULL, NULL);
}
