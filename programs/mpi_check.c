/* SPDX-License-Identifier: MIT */
/* tabia-mpi simulate TRACE --check: the cost model beside a run of these ranks (lab/cluster_model/validation.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "cluster/transport.h"
#include "commands.h"
#include "json_document.h"
#include "lab/cluster_model/validation.h"
#include "mpi_commands.h"
#include "options.h"

enum { ROUNDS = 5 };

typedef struct {
    const char *trace_file;
    ValidationOptions validation;
    Trace trace;
    bool json, quiet;
} CheckCommand;

/* The constants are used after the measurement, which takes long; wrong ones are refused before it. */
static bool check_costs(const char *text, TabiaError *error) {
    ModelCosts costs = model_costs_default();
    return !text || model_costs_parse(&costs, text, error);
}

static bool parse_options(CheckCommand *c, int argc, char **argv, TabiaError *error) {
    bool check, wants_help; /* check: parsed already */
    const OptionRow rows[] = {flag_option("check", &check),
                              unsigned_option("rounds", &c->validation.rounds, 1, VALIDATION_ROUNDS_MAX),
                              text_option("costs", &c->validation.costs),
                              flag_option("json", &c->json),
                              flag_option("quiet", &c->quiet),
                              {0}};
    if (!option_rows(argc, argv, rows, &wants_help, error)) return false;
    if (wants_help) return tabia_fail(error, "--help goes without --check: tabia-mpi simulate --help");
    if (optind == argc)
        return tabia_fail(error, "--check needs a TRACE; tabia simulate --record 7 --out FILE makes one");
    c->trace_file = argv[optind++];
    if (optind < argc) return tabia_fail(error, "'%.100s': one TRACE is enough", argv[optind]);
    return check_costs(c->validation.costs, error);
}

static bool read_trace(CheckCommand *c, TabiaError *error) {
    return trace_read(&c->trace, c->trace_file, error) && validation_check_trace(&c->trace, error);
}

static void show(void *context, unsigned done, double seconds) {
    const CheckCommand *c = context;
    const unsigned rounds = c->validation.rounds;
    if (c->quiet || c->validation.transport->rank || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K");
    if (done < rounds) fprintf(stderr, "round %u of %u", done + 1, rounds);
    if (done && done < rounds) fprintf(stderr, ", %.0f s left", seconds / done * (rounds - done));
}

static bool print(const CheckCommand *c, const ModelCosts *costs, const Forecast *f, TabiaError *error) {
    const unsigned ranks = c->validation.transport->ranks;
    if (!c->json) {
        printf("%s\n%u ranks, %u rounds: predicted by the model, and measured\n\n", c->trace.text, ranks,
               c->validation.rounds);
        forecast_print(f, stdout);
        printf("message %.3g, entry %.3g, siblings %.3g, latency %.3g, empty poll %.3g us; poll interval %.3g us\n",
               costs->message, costs->entry, costs->siblings, costs->latency, costs->empty_poll, costs->poll_interval);
        return true;
    }
    Json j;
    json_document(&j, "simulate --check");
    tabia_json_text(&j, "trace", c->trace.text);
    tabia_json_count(&j, "ranks", ranks);
    tabia_json_count(&j, "rounds", c->validation.rounds);
    forecast_json(f, &j);
    tabia_json_object(&j, "constants");
#define COST_JSON(member, unit, value, text) tabia_json_real(&j, #member, costs->member);
    MODEL_COSTS(COST_JSON)
#undef COST_JSON
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, error);
}

/* Returns the exit status. */
static int compare(CheckCommand *c, const ValidationRound *round, TabiaError *error) {
    ModelCosts costs;
    Forecast f;
    if (!validation_predict(&c->validation, round, &costs, &f, error) || !print(c, &costs, &f, error))
        return EXIT_OUTSIDE;
    return forecast_holds(&f) ? EXIT_GOOD : EXIT_DIFFERS;
}

/* Returns the exit status; *orderly: all ranks end in the same way. */
static int run_check(CheckCommand *c, bool *orderly, TabiaError *error) {
    int status = EXIT_OUTSIDE;
    ValidationRound *round = calloc(c->validation.rounds, sizeof *round);
    if (!round) return tabia_fail(error, "no memory for %u rounds", c->validation.rounds), status;
    *orderly = validation_measure(&c->validation, round, error);
    if (*orderly) status = c->validation.transport->rank ? EXIT_GOOD : compare(c, round, error);
    free(round);
    return status;
}

int mpi_check(int argc, char **argv) {
    CheckCommand c = {.validation = {.trace = &c.trace,
                                     .program = "tabia-mpi " TABIA_VERSION,
                                     .rounds = ROUNDS,
                                     .ranks_per_processor = mpi_ranks_per_processor(),
                                     .progress = show,
                                     .context = &c}};
    TabiaError error = {0};
    unsigned place;
    bool orderly = false;
    if (!parse_options(&c, argc, argv, &error) || !read_trace(&c, &error))
        return mpi_is_root() ? mpi_report_error("simulate", &error, EXIT_USAGE) : EXIT_USAGE;
    if (tabia_transport_mpi(&c.validation.transport, &argc, &argv, &error))
        return mpi_report_error("simulate", &error, EXIT_OUTSIDE);
    TabiaTransport *t = c.validation.transport;
    tabia_stop_install(false);
    int status = EXIT_USAGE;
    if (t->ranks < 2 || !trace_find_partition(&c.trace, t->ranks, &place)) {
        tabia_fail(&error,
                   "--check: %u ranks, but the trace has partitions for others; record it with --owners, and run 2 or "
                   "more",
                   t->ranks);
        orderly = true;
    } else {
        status = run_check(&c, &orderly, &error);
    }
    if (error.text[0] && t->rank == 0) mpi_report_error("simulate", &error, status);
    if (tabia_stop_requested()) status = EXIT_STOPPED;
    trace_free(&c.trace);
    mpi_exit(t, orderly, status);
}
