/* SPDX-License-Identifier: MIT */
#include "validation.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/stop.h"
#include "base/time.h"
#include "calibration_work.h"
#include "cluster/timed_transport.h"
#include "notation/fen.h"
#include "rank_barrier.h"

enum { LEAF_PARENT_DEPTH = 4 }; /* of tabia-mpi perft */

typedef struct {
    const ValidationOptions *options;
    Position root;
    ModelCosts costs;
    double positions_per_message; /* that a rank counts from one message to the next */
    uint64_t barriers;            /* so far */
} Validation;

bool validation_check_trace(const Trace *trace, TabiaError *error) {
    const TraceSource *source = &trace->source;
    Position root;
    if (source->leaf_parent_depth != LEAF_PARENT_DEPTH || source->depth < LEAF_PARENT_DEPTH + 2)
        return tabia_fail(error,
                          "--check: the trace is of depth %ju with leaf parents at %ju; depth %d and more with leaf "
                          "parents at %d can be checked",
                          (uintmax_t)source->depth, (uintmax_t)source->leaf_parent_depth, LEAF_PARENT_DEPTH + 2,
                          LEAF_PARENT_DEPTH);
    return fen_parse(&root, source->fen, error);
}

static bool barrier(Validation *v, double figure[BARRIER_FIGURES], TabiaError *error) {
    return rank_barrier(v->options->transport, v->barriers++, figure, error);
}

/* ---- a transport of one rank: there is no other to send to ---- */

static bool single_send(TabiaTransport *t, unsigned destination, const void *bytes, size_t n) {
    (void)t, (void)destination, (void)bytes, (void)n;
    return false;
}
static unsigned single_poll(TabiaTransport *t, TransportReceive *receive, void *context) {
    (void)t, (void)receive, (void)context;
    return 0;
}
static bool single_is_empty(TabiaTransport *t) {
    (void)t;
    return true;
}
static double single_now(TabiaTransport *t) {
    (void)t;
    return tabia_clock_wall();
}
static void single_close(TabiaTransport *t, bool orderly) {
    (void)t, (void)orderly;
}

/* ---- counting ---- */

static bool count_all(const Validation *v, TabiaTransport *t, PerftState *state, DistributedPerftStats *stats,
                      TabiaError *error) {
    const TraceSource *source = &v->options->trace->source;
    const PerftJob job = {.root = v->root,
                          .depth = (int)source->depth,
                          .threads = 1,
                          .hash_bytes = source->hash_bytes / t->ranks,
                          .keys_seed = 1};
    const DistributedPerftJob distributed = {.job = &job,
                                             .transport = t,
                                             .program = v->options->program,
                                             .target_units = source->target_units,
                                             .time_scheduling = true};
    DistributedPerft *perft = distributed_perft_create(&distributed, state, error);
    if (!perft) return false;
    const bool good =
        distributed_perft_run(perft, error) == DISTRIBUTED_PERFT_DONE && distributed_perft_is_orderly(perft);
    *stats = distributed_perft_stats(perft);
    return distributed_perft_close(perft, error) && good;
}

static bool count_alone(Validation *v, ValidationRound *r, TabiaError *error) {
    TabiaTransport single = {0, 1, single_send, single_poll, single_is_empty, single_now, single_close};
    PerftState state;
    DistributedPerftStats stats;
    if (!count_all(v, &single, &state, &stats, error)) return false;
    double figure[BARRIER_FIGURES] = {stats.cpu, state.wall, (double)stats.table.polls, stats.scheduling};
    r->nodes = state.nodes;
    perft_state_free(&state);
    const unsigned ranks = v->options->transport->ranks;
    if (!barrier(v, figure, error)) return false;
    r->alone_cpu = figure[0] / ranks, r->alone_wall = figure[1] / ranks, r->polls = figure[2] / ranks;
    r->scheduling = figure[3] / ranks;
    return true;
}

static bool count_together(Validation *v, ValidationRound *r, TabiaError *error) {
    TabiaTransport *transport = v->options->transport;
    TimedTransport timed = tabia_timed_transport(transport, tabia_clock_cpu);
    PerftState state;
    DistributedPerftStats stats;
    if (!count_all(v, &timed.base, &state, &stats, error)) return false;
    const bool same = transport->rank || state.nodes == r->nodes;
    r->cpu = stats.cpu, r->wall = state.wall;
    r->counted = (double)(stats.probes - stats.hits), r->sibling_sets = (double)stats.sibling_sets_sent;
    r->remote_probes = (double)stats.table.remote_probes, r->remote_hits = (double)stats.table.remote_hits;
    r->remote_stores = (double)stats.table.remote_stores;
    r->messages = (double)stats.table.messages, r->bytes = (double)stats.table.bytes;
    perft_state_free(&state);
    double figure[BARRIER_FIGURES] = {timed.busy_seconds};
    if (!barrier(v, figure, error)) return false;
    r->calls = figure[0];
    return same || tabia_stop_requested() ||
           tabia_fail(error, "the ranks together count something else than one alone");
}

/* In each round: what messages cost depends on what else the machine does. */
static bool calibrate(Validation *v, ValidationRound *r, TabiaError *error) {
    Calibration measured;
    double none[BARRIER_FIGURES] = {0};
    const ValidationOptions *o = v->options;
    const CalibrationWork work = {&v->root, o->trace->source.hash_bytes / o->transport->ranks, v->positions_per_message,
                                  o->ranks_per_processor};
    if (!calibrate_while_counting(o->transport, &work, &measured, error)) return false;
    r->message = measured.message, r->entry = measured.entry, r->latency = measured.latency;
    r->empty_poll = measured.empty_poll;
    return barrier(v, none, error);
}

/* The number of messages does not depend on what they cost. */
static bool predict_messages(Validation *v, TabiaError *error) {
    const ModelCosts costs = model_costs_default();
    ModelResult result;
    if (!model_run(v->options->trace, &costs, v->options->transport->ranks, 1, &result, error)) return false;
    const double messages = (double)result.traffic.messages + result.traffic.control;
    v->positions_per_message = messages > 0 ? result.counted / messages : 0;
    return true;
}

static bool measure_round(Validation *v, ValidationRound *r, TabiaError *error) {
    if (!calibrate(v, r, error)) return false;
    for (unsigned times = 0; times < 2; times++)
        if (!count_alone(v, r, error)) return false;
    if (!count_together(v, r, error)) return false;
    return !tabia_stop_requested() || tabia_fail(error, "stopped");
}

static void report(const ValidationOptions *o, unsigned done, double began) {
    if (o->progress) o->progress(o->context, done, tabia_clock_wall() - began);
}

bool validation_measure(const ValidationOptions *options, ValidationRound *round, TabiaError *error) {
    Validation v = {.options = options};
    const double began = tabia_clock_wall();
    double none[BARRIER_FIGURES] = {0};
    assert(options->rounds && options->rounds <= VALIDATION_ROUNDS_MAX);
    if (!fen_parse(&v.root, options->trace->source.fen, error)) return false;
    if (!predict_messages(&v, error) || !barrier(&v, none, error)) return false;
    for (unsigned i = 0; i < options->rounds; i++) {
        report(options, i, began);
        if (!measure_round(&v, &round[i], error)) return false;
    }
    report(options, options->rounds, began);
    return true;
}

/* ---- medians, and the prediction ---- */

typedef struct {
    double median, least, most;
} RoundSpread;

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double figure_at(const ValidationRound *round, size_t offset) {
    return *(const double *)((const char *)round + offset);
}

/* Of a figure over all rounds; divided in each by another one if `by` is not 0 (nodes, no figure, lie at 0). */
static RoundSpread spread_of(const ValidationRound *round, unsigned n, size_t figure, size_t by) {
    double sample[VALIDATION_ROUNDS_MAX];
    assert(n && n <= VALIDATION_ROUNDS_MAX);
    for (unsigned i = 0; i < n; i++) sample[i] = figure_at(&round[i], figure) / (by ? figure_at(&round[i], by) : 1);
    qsort(sample, n, sizeof *sample, compare_doubles);
    return (RoundSpread){n % 2 ? sample[n / 2] : (sample[n / 2 - 1] + sample[n / 2]) / 2, sample[0], sample[n - 1]};
}

static double median_of(const ValidationRound *round, unsigned n, size_t figure) {
    return spread_of(round, n, figure, 0).median;
}

ForecastRun validation_summarise(const ValidationRound *round, unsigned n, bool has_processors) {
    const size_t alone_cpu = offsetof(ValidationRound, alone_cpu), alone_wall = offsetof(ValidationRound, alone_wall);
    const RoundSpread cpu = spread_of(round, n, offsetof(ValidationRound, cpu), alone_cpu);
    return (ForecastRun){.has_processors = has_processors,
                         .alone_cpu = median_of(round, n, alone_cpu),
                         .alone_wall = median_of(round, n, alone_wall),
                         .ratio_cpu = cpu.median,
                         .ratio_cpu_min = cpu.least,
                         .ratio_cpu_max = cpu.most,
                         .ratio_wall = spread_of(round, n, offsetof(ValidationRound, wall), alone_wall).median,
                         .scheduling = median_of(round, n, offsetof(ValidationRound, scheduling)),
                         .calls = median_of(round, n, offsetof(ValidationRound, calls)),
                         .counted = median_of(round, n, offsetof(ValidationRound, counted)),
                         .sibling_sets = median_of(round, n, offsetof(ValidationRound, sibling_sets)),
                         .remote_probes = median_of(round, n, offsetof(ValidationRound, remote_probes)),
                         .remote_hits = median_of(round, n, offsetof(ValidationRound, remote_hits)),
                         .remote_stores = median_of(round, n, offsetof(ValidationRound, remote_stores)),
                         .messages = median_of(round, n, offsetof(ValidationRound, messages)),
                         .bytes = median_of(round, n, offsetof(ValidationRound, bytes))};
}

static Calibration median_calibration(const ValidationRound *round, unsigned n) {
    return (Calibration){.message = median_of(round, n, offsetof(ValidationRound, message)),
                         .entry = median_of(round, n, offsetof(ValidationRound, entry)),
                         .latency = median_of(round, n, offsetof(ValidationRound, latency)),
                         .empty_poll = median_of(round, n, offsetof(ValidationRound, empty_poll))};
}

/* The work takes as long as it does without recording; a rank polls no more often than its steps are long. */
bool validation_predict(const ValidationOptions *o, const ValidationRound *round, ModelCosts *costs, Forecast *forecast,
                        TabiaError *error) {
    const ForecastRun run = validation_summarise(round, o->rounds, o->ranks_per_processor == 1);
    const double work = trace_sums(o->trace).work,
                 polls = median_of(round, o->rounds, offsetof(ValidationRound, polls));
    const double step = polls > 0 ? run.alone_cpu / polls * 1e6 : 0;
    const Calibration calibration = median_calibration(round, o->rounds);
    ModelResult result;
    *costs = model_costs_default();
    if (!model_costs_calibrate(costs, &calibration, error)) return false;
    if (costs->poll_interval < step) costs->poll_interval = step;
    if (o->costs && !model_costs_parse(costs, o->costs, error)) return false;
    if (work > 0) trace_scale(o->trace, run.alone_cpu / work);
    if (!model_run(o->trace, costs, o->transport->ranks, 1, &result, error)) return false;
    *forecast = forecast_make(&result, &run);
    return true;
}
