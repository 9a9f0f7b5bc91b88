/* SPDX-License-Identifier: MIT */
/* tabia-lab simulate TRACE: what a recorded trace would cost on many ranks; and recording one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../commands.h"
#include "../json_document.h"
#include "../options.h"
#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/stop.h"
#include "base/text.h"
#include "lab.h"
#include "lab/cluster_model/model.h"
#include "plot/plot.h"

#define COST_LINE(member, unit, value, text) "    " #member "=" #value " " unit ": " text "\n"

static const char help[] =
    "usage: tabia-lab simulate TRACE [options]\n"
    "       tabia-lab simulate --record DEPTH --out TRACE [options]\n"
    "\n"
    "Predicts by a cost model what a recorded perft would cost on 2 to 4096 ranks of a cluster. Nothing is\n"
    "measured but the trace and the constants.\n"
    "\n"
    "  --ranks LIST      numbers of ranks; default: those that the trace has partitions for\n"
    "  --fixed           the recorded work is divided among the ranks; without it each rank has as much\n"
    "                    work as was recorded, as for a deeper perft\n"
    "  --costs LIST      constants of the model, as latency=50,batch_keys=64 (below)\n"
    "  --plot FILE.svg   draws where the time goes, overhead and efficiency\n"
    "                    (or .png; .gp: the "
    "script for gnuplot)\n"
    "  --json            one JSON object instead of text\n"
    "\n"
    "  --record DEPTH    counts a perft on one thread, as a rank of a cluster would, and writes the trace\n"
    "  --out FILE        where to; it appears when it is whole\n"
    "  --fen FEN         default: the start position\n"
    "  --leaf-parents N  positions so many plies above the leaves send their siblings to the owners, positions\n"
    "                    above them are probed; default 4, at most DEPTH - 2\n"
    "  --owners LIST     counts again with so many owners, each with a table of its own, to see what they count\n"
    "                    twice and request from each other; default: 2,4,16,64,256,1024; none\n"
    "  --units N         at least so many units of work, if there are; default 20000\n"
    "  --hash SIZE       of the tables of all owners together; default 256M\n"
    "  --quiet           no progress\n"
    "  --progress SECONDS\n"
    "                    a line of progress each so many seconds, on a terminal or not\n"
    "\n"
    "Columns. overhead: processor time beyond the work, as a share of the work; it is the sum of recounted\n"
    "(positions that several owners count), requesting (messages sent, and their answers), serving (those of\n"
    "others), polling (without result) and scheduling (of units). waiting, tail: elapsed time of all ranks\n"
    "without work, before and after a rank's last unit. efficiency: work / (ranks * time). imbalance: what the\n"
    "busiest owner counts, as a multiple of the mean; no run is shorter than that takes.\n"
    "\n"
    "The model and what it leaves out: docs/cluster.md. Its constants and their defaults:\n" MODEL_COSTS(
        COST_LINE) "\n"
                   "Examples\n"
                   "  tabia-lab simulate --record 7 --out start7.trace\n"
                   "  tabia-lab simulate start7.trace --plot start7.svg\n"
                   "  tabia-lab simulate start7.trace --ranks 2,4 --costs latency=500\n";

enum { ROWS_MAX = 64 };

typedef struct {
    TraceOptions record;
    const char *trace, *out, *plot, *costs_text;
    ModelCosts costs;
    char about[120]; /* the source of the costs */
    unsigned ranks[ROWS_MAX], results, owners[TRACE_PARTITIONS_MAX];
    bool fixed, json, quiet, wants_help;
    Progress progress;
    unsigned every; /* seconds between its lines; 0: on a terminal only */
} SimulateCommand;

/* ---- the command line ---- */

/* A list of numbers that an option takes: the smallest that is valid, and where they go. */
typedef struct {
    const char *option;
    uint64_t least;
    unsigned *number, *n, max;
} NumberList;

/* Parses numbers separated by commas. */
static bool parse_list(const NumberList *list, const char *text, TabiaError *error) {
    char word[16];
    for (*list->n = 0; *text; text += *text == ',') {
        const size_t length = strcspn(text, ",");
        uint64_t n;
        if (*list->n == list->max) return tabia_fail(error, "%s: more than %u numbers", list->option, list->max);
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, text);
        if (!option_number(list->option, word, list->least, MODEL_RANKS_MAX, &n, error)) return false;
        list->number[(*list->n)++] = (unsigned)n;
        text += length;
    }
    return *list->n || tabia_fail(error, "%s: a list of numbers is needed, as 2,4,8", list->option);
}

static bool parse_ranks(void *to, const char *text, TabiaError *error) {
    SimulateCommand *c = to;
    const NumberList list = {"--ranks", 1, c->ranks, &c->results, ROWS_MAX};
    return parse_list(&list, text, error);
}

static bool parse_owners(void *to, const char *text, TabiaError *error) {
    SimulateCommand *c = to;
    const NumberList list = {"--owners", 2, c->owners, &c->record.partitions, TRACE_PARTITIONS_MAX - 1};
    c->record.owners = c->owners, c->record.partitions = 0;
    return !strcmp(text, "none") || parse_list(&list, text, error);
}

static bool check_record(SimulateCommand *c, TabiaError *error) {
    enum { LEAF_PARENT_DEPTH = 4 };
    Position root;
    const int most = c->record.depth - 2;
    if (!c->out) return tabia_fail(error, "--out FILE is needed: where should the trace go?");
    if (!c->record.owners && !parse_owners(c, "2,4,16,64,256,1024", error)) return false;
    if (!c->record.leaf_parent_depth) c->record.leaf_parent_depth = most < LEAF_PARENT_DEPTH ? most : LEAF_PARENT_DEPTH;
    if (c->record.leaf_parent_depth > most)
        return tabia_fail(error, "--leaf-parents: %d is too much for depth %d, at most %d", c->record.leaf_parent_depth,
                          c->record.depth, most);
    return option_position(c->record.fen, NULL, &root, error);
}

/* An option of the other form is not passed over in silence. */
static bool check_form(const SimulateCommand *c, TabiaError *error) {
    if (c->record.depth && (c->results || c->fixed || c->costs_text || c->plot))
        return tabia_fail(error, "--ranks, --fixed, --costs and --plot are for a TRACE: --record only writes one");
    if (!c->record.depth && (c->out || c->record.fen || c->record.leaf_parent_depth || c->record.owners ||
                             c->record.target_units || c->record.hash_bytes))
        return tabia_fail(error, "--out, --fen, --leaf-parents, --owners, --units and --hash belong to --record");
    return true;
}

static bool parse_options(int argc, char **argv, SimulateCommand *c, TabiaError *error) {
    const OptionRow rows[] = {reader_option("ranks", parse_ranks, c),
                              flag_option("fixed", &c->fixed),
                              text_option("costs", &c->costs_text),
                              text_option("plot", &c->plot),
                              flag_option("json", &c->json),
                              int_option("record", &c->record.depth, 5, 12),
                              text_option("out", &c->out),
                              text_option("fen", &c->record.fen),
                              int_option("leaf-parents", &c->record.leaf_parent_depth, 3, 10),
                              reader_option("owners", parse_owners, c),
                              unsigned_option("units", &c->record.target_units, 1, 1000000),
                              hash_option("hash", &c->record.hash_bytes),
                              flag_option("quiet", &c->quiet),
                              progress_option(&c->every),
                              {0}};
    if (!option_rows(argc, argv, rows, &c->wants_help, error)) return false;
    if (c->wants_help) return true;
    if (!check_form(c, error)) return false;
    if (c->record.depth) {
        if (optind < argc) return tabia_fail(error, "'%.100s': --record takes no TRACE; --out names it", argv[optind]);
        return check_record(c, error);
    }
    if (optind + 1 != argc)
        return tabia_fail(error, "one TRACE is needed; tabia-lab simulate --record 7 --out start7.trace makes one");
    c->trace = argv[optind];
    return true;
}

/* ---- recording ---- */

static void show(void *context, double share) {
    SimulateCommand *c = context;
    double passed;
    char left[SHORT_TEXT_MAX];
    if (!tabia_progress_is_due(&c->progress, &passed) || share <= 0) return;
    tabia_duration_text(passed * (1 - share) / share, left);
    tabia_progress_show(&c->progress, "recording: %.0f %%, %s left", 100 * share, left);
}

static bool print_recorded_text(const Trace *t, const TraceSums *s, uint64_t leaves) {
    printf("%s: %ju leaves\n%ju units, %ju probes, %ju sibling sets, %ju stores; %.3f s of work,"
           " as without recording (%.2f times that while recording)\n",
           t->text, (uintmax_t)leaves, (uintmax_t)s->of_type[TRACE_UNIT], (uintmax_t)s->of_type[TRACE_PROBE],
           (uintmax_t)s->of_type[TRACE_SIBLINGS], (uintmax_t)s->of_type[TRACE_STORE], s->work, t->slowdown);
    for (unsigned i = 0; i < t->partitions; i++)
        printf("%4ju owners count %ju positions, %.2f %% of them again; they request %ju keys from each other and find "
               "%ju\n",
               (uintmax_t)t->partition[i].owners, (uintmax_t)t->partition[i].counted,
               100 * ((double)t->partition[i].counted / (double)t->partition[0].counted - 1),
               (uintmax_t)t->partition[i].remote_probes, (uintmax_t)t->partition[i].remote_hits);
    return true;
}

static bool print_recorded(const SimulateCommand *c, const Trace *t, uint64_t leaves, TabiaError *error) {
    const TraceSums s = trace_sums(t);
    if (!c->json) return print_recorded_text(t, &s, leaves);
    Json j;
    json_document(&j, "simulate --record");
    tabia_json_text(&j, "file", c->out);
    tabia_json_text(&j, "of", t->text);
    tabia_json_count(&j, "leaves", leaves);
    tabia_json_count(&j, "units", s.of_type[TRACE_UNIT]);
    tabia_json_count(&j, "probes", s.of_type[TRACE_PROBE]);
    tabia_json_count(&j, "sibling_sets", s.of_type[TRACE_SIBLINGS]);
    tabia_json_count(&j, "stores", s.of_type[TRACE_STORE]);
    tabia_json_array(&j, "partitions");
    for (unsigned i = 0; i < t->partitions; i++) {
        tabia_json_object(&j, NULL);
        tabia_json_count(&j, "owners", t->partition[i].owners);
        tabia_json_count(&j, "counted", t->partition[i].counted);
        tabia_json_count(&j, "remote_probes", t->partition[i].remote_probes);
        tabia_json_count(&j, "remote_hits", t->partition[i].remote_hits);
        tabia_json_close(&j);
    }
    tabia_json_close(&j);
    tabia_json_real(&j, "work_seconds", s.work);
    tabia_json_real(&j, "recording_slowdown", t->slowdown);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static bool record(SimulateCommand *c, TabiaError *error) {
    Trace t = {0};
    uint64_t leaves;
    c->record.progress = show, c->record.context = c;
    bool good = trace_record(&t, &c->record, &leaves, error);
    tabia_progress_end(&c->progress);
    good = good && trace_write(&t, c->out, error) && print_recorded(c, &t, leaves, error);
    trace_free(&t);
    return good;
}

/* ---- simulating ---- */

static void print_text(const SimulateCommand *c, const Trace *t, const Sheet *sheet) {
    printf("simulated, not measured. Trace: %s. Constants: %s.\n%s\n", t->text, c->about,
           c->fixed ? "The recorded work is divided among the ranks.\n"
                    : "Each rank has as much work as was recorded.\n");
    sheet_print(sheet, stdout);
#define COST_PRINT(member, unit, value, text) printf("%-15s %9.4g %-8s %s\n", #member, c->costs.member, unit, text);
    MODEL_COSTS(COST_PRINT)
#undef COST_PRINT
}

static bool print_json(const SimulateCommand *c, const Trace *t, const Sheet *sheet, TabiaError *error) {
    Json j;
    json_document(&j, "simulate");
    tabia_json_boolean(&j, "measured", false);
    tabia_json_text(&j, "trace", t->text);
    tabia_json_boolean(&j, "fixed_work", c->fixed);
    tabia_json_text(&j, "constants_from", c->about);
    tabia_json_object(&j, "constants");
#define COST_JSON(member, unit, value, text) tabia_json_real(&j, #member, c->costs.member);
    MODEL_COSTS(COST_JSON)
#undef COST_JSON
    tabia_json_close(&j);
    sheet_json(sheet, &j);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

static void choose_ranks(SimulateCommand *c, const Trace *t) {
    if (c->results) return;
    for (unsigned i = 1; i < t->partitions; i++) c->ranks[c->results++] = (unsigned)t->partition[i].owners;
    for (unsigned ranks = 2; t->partitions <= 1 && ranks <= 1024; ranks *= 2) c->ranks[c->results++] = ranks;
}

static bool simulate_all(SimulateCommand *c, const Trace *t, ModelResult *result, TabiaError *error) {
    bool good = true;
    for (unsigned i = 0; good && i < c->results; i++) {
        if (tabia_progress_is_due(&c->progress, NULL))
            tabia_progress_show(&c->progress, "simulating %u ranks, %u of %u", c->ranks[i], i + 1, c->results);
        good = model_run(t, &c->costs, c->ranks[i], c->fixed ? 1 : c->ranks[i], &result[i], error);
    }
    tabia_progress_end(&c->progress);
    return good;
}

static bool get_costs(SimulateCommand *c, TabiaError *error) {
    c->costs = model_costs_default();
    snprintf(c->about, sizeof c->about, "defaults%s", c->costs_text ? " and --costs" : "");
    return !c->costs_text || model_costs_parse(&c->costs, c->costs_text, error);
}

/* Where the time goes; overhead and efficiency. */
static bool draw(const SimulateCommand *c, const ModelResult *result, const Sheet *shares, TabiaError *error) {
    Sheet time = {0};
    bool good = model_time_sheet(result, c->results, &time, error);
    const Sheet both[] = {time, *shares};
    good = good && sheets_plot(both, 2, c->plot, error);
    sheet_free(&time);
    return good;
}

/* Returns the exit status; a failure has its error. Ranks that the trace has no partition for are wrong input. */
static int simulate(SimulateCommand *c, Trace *t, TabiaError *error) {
    ModelResult result[ROWS_MAX];
    Sheet sheet = {0};
    if (!trace_read(t, c->trace, error)) return EXIT_USAGE;
    choose_ranks(c, t);
    const bool known = simulate_all(c, t, result, error);
    bool good = known && model_sheet(result, c->results, &sheet, error);
    good = good && (!c->plot || draw(c, result, &sheet, error));
    if (good && !c->json) print_text(c, t, &sheet);
    if (good && c->json) good = print_json(c, t, &sheet, error);
    sheet_free(&sheet);
    trace_free(t);
    return good ? EXIT_GOOD : known ? EXIT_OUTSIDE : EXIT_USAGE;
}

int lab_simulate(int argc, char **argv) {
    SimulateCommand c = {0};
    Trace trace;
    TabiaError error;
    bool outside;
    if (!parse_options(argc, argv, &c, &error)) return report_error("simulate", &error, EXIT_USAGE);
    if (c.wants_help) return fputs(help, stdout), EXIT_GOOD;
    if (c.plot && !plot_is_possible(c.plot, &outside, &error))
        return report_error("simulate", &error, outside ? EXIT_OUTSIDE : EXIT_USAGE);
    if (c.out && !tabia_atomic_file_possible(c.out, &error)) return report_error("simulate", &error, EXIT_OUTSIDE);
    tabia_stop_install(true);
    option_progress_begin(&c.progress, c.quiet, c.every, NULL);
    if (!c.record.depth && !get_costs(&c, &error)) return report_error("simulate", &error, EXIT_USAGE);
    const int status = !c.record.depth ? simulate(&c, &trace, &error) : record(&c, &error) ? EXIT_GOOD : EXIT_OUTSIDE;
    if (!status) return EXIT_GOOD;
    if (!tabia_stop_requested()) return report_error("simulate", &error, status);
    return report_stopped("simulate", c.record.depth ? "no trace is written" : "nothing is printed");
}
