/* SPDX-License-Identifier: MIT */
/*
 * tabia-mpi simulate TRACE --check: is the model right where it can be measured? The ranks of this job count what the
 * trace was recorded of, and the model says from the trace what that should have cost.
 *
 *     meet | calibrate | meet | alone, all ranks at a time | meet | again | meet | together | meet | ... | compare
 *            \_____________________________ a round ______________________________________/
 *
 * Alone, every rank counts all of it with the table of all, while the others do the same: so that processors and
 * memory are as busy as later. From this comes how long the work takes, in the same minute. The first time is not
 * looked at: on a virtual machine that gives idle memory back, memory that nobody used lately costs as much as
 * counting.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/time.h"
#include "cluster/timed_transport.h"
#include "commands.h"
#include "lab/cluster_model/forecast.h"
#include "mpi_commands.h"
#include "notation/fen.h"
#include "options.h"

enum { ROUNDS_MAX = 99, ROUNDS = 5, FLOOR = 4, MEET = 0x6d656574, FIGURES = 4 };

typedef struct {
    const char *trace_path, *costs_text;
    uint64_t rounds;
    bool json, quiet;
    Trace trace;
    Position root;
    TabiaTransport *transport;
    SimulateCosts costs;
    double apart;      /* positions that a rank counts from one message to the next */
    uint64_t meetings; /* so far */
} Check;

/* Of a round, on rank 0. */
typedef struct {
    U128 nodes; /* first: no figure lies at 0 */
    double alone_cpu, alone_wall, polls, handing, cpu, wall, calls;
    double message, entry, latency, look; /* microseconds, as Calibration */
    double counted, sent, asked, known, stored, messages, bytes;
} Round;

/* ---- the command line ---- */

static bool read_words(Check *c, int argc, char **argv, Fault *fault) {
    bool check, wants_help; /* check: seen already */
    const OptionRow rows[] = {take_flag("check", &check),         take_whole("rounds", &c->rounds, 1, ROUNDS_MAX),
                              take_text("costs", &c->costs_text), take_flag("json", &c->json),
                              take_flag("quiet", &c->quiet),      {0}};
    if (!option_rows(argc, argv, rows, &wants_help, fault)) return false;
    if (wants_help) return tabia_fault(fault, "--help goes without --check: tabia-mpi simulate --help");
    if (optind == argc)
        return tabia_fault(fault, "--check needs a TRACE; tabia simulate --record 7 --out FILE makes one");
    c->trace_path = argv[optind++];
    return optind == argc || tabia_fault(fault, "'%.100s': one TRACE is enough", argv[optind]);
}

/* What the trace was recorded of must be what tabia-mpi perft does. */
static bool read_trace(Check *c, Fault *fault) {
    if (!trace_read(&c->trace, c->trace_path, fault)) return false;
    const TraceOf *of = &c->trace.of;
    if (of->floor != FLOOR || of->depth < FLOOR + 2)
        return tabia_fault(fault,
                           "--check: the trace is of depth %ju with the floor at %ju; depth %d and more with floor %d"
                           " can be checked",
                           (uintmax_t)of->depth, (uintmax_t)of->floor, FLOOR + 2, FLOOR);
    return fen_parse(&c->root, of->fen, fault);
}

/* ---- meeting ---- */

typedef struct {
    uint64_t magic, meeting;
    double figure[FIGURES];
} Greeting;

typedef struct {
    uint64_t meeting;
    unsigned came;
    bool *here; /* on rank 0, of each rank */
    double sum[FIGURES];
} Meeting;

/* Anything else is what was under way when a count ended. */
static void hear(void *context, unsigned from, const void *bytes, size_t n) {
    Meeting *m = context;
    Greeting word;
    if (n != sizeof word) return;
    memcpy(&word, bytes, n);
    if (word.magic != MEET || word.meeting != m->meeting || (m->here && m->here[from])) return;
    if (m->here) m->here[from] = true;
    for (unsigned i = 0; i < FIGURES; i++) m->sum[i] += word.figure[i];
    m->came++;
}

/* Polls, asleep between, until so many have come; says the word to rank 0 again and again, which may not have been
   listening yet. */
static bool wait_for(Check *c, Meeting *m, unsigned wanted, const Greeting *word, Fault *fault) {
    static const double give_up = 600, again = 0.05;
    TabiaTransport *t = c->transport;
    const double began = t->now(t);
    for (double said = -1; m->came < wanted;) {
        const double now = t->now(t);
        if (t->rank && now - said > again && t->send(t, 0, word, sizeof *word)) said = now;
        if (t->poll(t, hear, m)) continue;
        if (now - began > give_up) return tabia_fault(fault, "not all ranks have come within %.0f seconds", give_up);
        nanosleep(&(struct timespec){.tv_nsec = 200 * 1000}, NULL);
    }
    return true;
}

/* Waits for all ranks; in figure[] of rank 0 the sums over all. False with a fault if somebody does not come. */
static bool meet(Check *c, double figure[FIGURES], Fault *fault) {
    TabiaTransport *t = c->transport;
    Meeting m = {.meeting = c->meetings++, .here = t->rank ? NULL : calloc(t->ranks, sizeof(bool))};
    Greeting word = {MEET, m.meeting, {0}};
    memcpy(word.figure, figure, sizeof word.figure);
    if (!t->rank && !m.here) return tabia_fault(fault, "no memory for %u ranks", t->ranks);
    const bool good = wait_for(c, &m, t->rank ? 1 : t->ranks - 1, &word, fault);
    free(m.here);
    for (unsigned to = 1; good && !t->rank && to < t->ranks; to++)
        while (!t->send(t, to, &word, sizeof word)) t->is_empty(t);
    for (unsigned i = 0; i < FIGURES; i++) figure[i] += m.sum[i];
    while (!t->is_empty(t)) continue;
    return good;
}

/* ---- counting ---- */

/* One rank, with nobody to send anything to. */
static bool solo_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    (void)t, (void)to, (void)bytes, (void)n;
    return false;
}
static unsigned solo_poll(TabiaTransport *t, TransportReceive *take, void *context) {
    (void)t, (void)take, (void)context;
    return 0;
}
static bool solo_is_empty(TabiaTransport *t) {
    (void)t;
    return true;
}
static double solo_now(TabiaTransport *t) {
    (void)t;
    return tabia_clock_wall();
}
static void solo_close(TabiaTransport *t, bool all_well) {
    (void)t, (void)all_well;
}

/* All of it on the ranks of a transport. */
static bool count_all(const Check *c, TabiaTransport *t, PerftState *state, DistributedPerftStats *stats,
                      Fault *fault) {
    const PerftJob job = {.root = c->root,
                          .depth = (int)c->trace.of.depth,
                          .threads = 1,
                          .hash_bytes = c->trace.of.hash_bytes / t->ranks,
                          .keys_seed = 1};
    const DistributedPerftJob ranks_job = {.job = &job,
                                           .transport = t,
                                           .program = "tabia-mpi " TABIA_VERSION,
                                           .target_units = c->trace.of.units,
                                           .time_scheduling = true};
    DistributedPerft *perft = distributed_perft_create(&ranks_job, state, fault);
    if (!perft) return false;
    const bool good =
        distributed_perft_run(perft, fault) == DISTRIBUTED_PERFT_DONE && distributed_perft_is_orderly(perft);
    *stats = distributed_perft_stats(perft);
    return distributed_perft_close(perft, fault) && good;
}

static bool count_alone(Check *c, Round *r, Fault *fault) {
    TabiaTransport solo = {0, 1, solo_send, solo_poll, solo_is_empty, solo_now, solo_close};
    PerftState state;
    DistributedPerftStats stats;
    if (!count_all(c, &solo, &state, &stats, fault)) return false;
    double figure[FIGURES] = {stats.cpu, state.wall, (double)stats.table.polls, stats.scheduling};
    r->nodes = state.nodes;
    perft_state_free(&state);
    const unsigned ranks = c->transport->ranks;
    if (!meet(c, figure, fault)) return false;
    r->alone_cpu = figure[0] / ranks, r->alone_wall = figure[1] / ranks, r->polls = figure[2] / ranks;
    r->handing = figure[3] / ranks;
    return true;
}

static bool count_together(Check *c, Round *r, Fault *fault) {
    TimedTransport meter = tabia_timed_transport(c->transport, tabia_clock_cpu);
    PerftState state;
    DistributedPerftStats stats;
    if (!count_all(c, &meter.base, &state, &stats, fault)) return false;
    const bool same = c->transport->rank || state.nodes == r->nodes;
    r->cpu = stats.cpu, r->wall = state.wall;
    r->counted = (double)(stats.probes - stats.hits), r->sent = (double)stats.sibling_sets_sent;
    r->asked = (double)stats.table.remote_probes, r->known = (double)stats.table.remote_hits;
    r->stored = (double)stats.table.remote_stores;
    r->messages = (double)stats.table.messages, r->bytes = (double)stats.table.bytes;
    perft_state_free(&state);
    double figure[FIGURES] = {meter.busy_seconds};
    if (!meet(c, figure, fault)) return false;
    r->calls = figure[0];
    return same || tabia_stop_requested() ||
           tabia_fault(fault, "the ranks together count something else than one alone");
}

/* In each round: how dear messages are depends on what else the machine does. */
static bool calibrate(Check *c, Round *r, Fault *fault) {
    Calibration found;
    double none[FIGURES] = {0};
    const MpiWork like = {&c->root, c->trace.of.hash_bytes / c->transport->ranks, c->apart};
    if (!mpi_calibrate(c->transport, &like, &found, fault)) return false;
    r->message = found.message, r->entry = found.entry, r->latency = found.latency, r->look = found.empty_poll;
    return meet(c, none, fault);
}

static void show(const Check *c, uint64_t done, double passed) {
    if (c->quiet || c->transport->rank || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K");
    if (done < c->rounds) fprintf(stderr, "round %ju of %ju", (uintmax_t)done + 1, (uintmax_t)c->rounds);
    if (done && done < c->rounds) fprintf(stderr, ", %.0f s left", passed / (double)done * (double)(c->rounds - done));
}

/* How many messages there are does not depend on what they cost. */
static bool foretell_apart(Check *c, Fault *fault) {
    SimulateRow row;
    if (!simulate_run(&c->trace, &c->costs, c->transport->ranks, 1, &row, fault)) return false;
    const double messages = (double)row.messages + row.control;
    c->apart = messages > 0 ? row.counted / messages : 0;
    return true;
}

static bool run_rounds(Check *c, Round *round, Fault *fault) {
    const double began = tabia_clock_wall();
    double none[FIGURES] = {0};
    if (!foretell_apart(c, fault) || !meet(c, none, fault)) return false;
    for (uint64_t i = 0; i < c->rounds; i++) {
        show(c, i, tabia_clock_wall() - began);
        if (!calibrate(c, &round[i], fault)) return false;
        for (unsigned times = 0; times < 2; times++)
            if (!count_alone(c, &round[i], fault)) return false;
        if (!count_together(c, &round[i], fault)) return false;
        if (tabia_stop_requested()) return tabia_fault(fault, "stopped");
    }
    show(c, c->rounds, 0);
    return true;
}

/* ---- comparing ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Of a member in all rounds, the median; by: divided by that one, or 0. */
static double middle(const Round *round, uint64_t n, size_t member, size_t by, double *least, double *most) {
    double sample[ROUNDS_MAX];
    for (uint64_t i = 0; i < n; i++) {
        const char *at = (const char *)&round[i];
        sample[i] = *(const double *)(at + member) / (by ? *(const double *)(at + by) : 1);
    }
    qsort(sample, n, sizeof *sample, by_size);
    if (least) *least = sample[0];
    if (most) *most = sample[n - 1];
    return n % 2 ? sample[n / 2] : (sample[n / 2 - 1] + sample[n / 2]) / 2;
}

static double median_of(const Round *round, uint64_t n, size_t member) {
    return middle(round, n, member, 0, NULL, NULL);
}

static ForecastRun sum_up(const Round *round, uint64_t n) {
    const size_t alone_cpu = offsetof(Round, alone_cpu), alone_wall = offsetof(Round, alone_wall);
    ForecastRun run = {.room = mpi_ranks_a_processor() == 1,
                       .alone_cpu = median_of(round, n, alone_cpu),
                       .alone_wall = median_of(round, n, alone_wall),
                       .handing = median_of(round, n, offsetof(Round, handing)),
                       .calls = median_of(round, n, offsetof(Round, calls)),
                       .counted = median_of(round, n, offsetof(Round, counted)),
                       .sent = median_of(round, n, offsetof(Round, sent)),
                       .asked = median_of(round, n, offsetof(Round, asked)),
                       .known = median_of(round, n, offsetof(Round, known)),
                       .stored = median_of(round, n, offsetof(Round, stored)),
                       .messages = median_of(round, n, offsetof(Round, messages)),
                       .bytes = median_of(round, n, offsetof(Round, bytes))};
    run.ratio_cpu = middle(round, n, offsetof(Round, cpu), alone_cpu, &run.ratio_cpu_least, &run.ratio_cpu_most);
    run.ratio_wall = middle(round, n, offsetof(Round, wall), alone_wall, NULL, NULL);
    return run;
}

/* The work is as long as it takes unrecorded; a rank looks for messages no more often than its steps are long. */
static bool foretell(Check *c, const Round *round, const ForecastRun *run, SimulateRow *row, Fault *fault) {
    const double work = trace_sums(&c->trace).work, polls = median_of(round, c->rounds, offsetof(Round, polls));
    const double step = polls > 0 ? run->alone_cpu / polls * 1e6 : 0;
    const Calibration middle_one = {.message = median_of(round, c->rounds, offsetof(Round, message)),
                                    .entry = median_of(round, c->rounds, offsetof(Round, entry)),
                                    .latency = median_of(round, c->rounds, offsetof(Round, latency)),
                                    .empty_poll = median_of(round, c->rounds, offsetof(Round, look))};
    if (!mpi_measured_costs(&middle_one, &c->costs, fault)) return false;
    if (c->costs.poll < step) c->costs.poll = step;
    if (c->costs_text && !simulate_costs_parse(&c->costs, c->costs_text, fault)) return false;
    if (work > 0) trace_scale(&c->trace, run->alone_cpu / work);
    return simulate_run(&c->trace, &c->costs, c->transport->ranks, 1, row, fault);
}

static bool print(const Check *c, const Forecast *f, Fault *fault) {
    const unsigned ranks = c->transport->ranks;
    if (!c->json) {
        printf("%s\n%u ranks, %ju rounds: predicted by the model, and measured\n\n", c->trace.text, ranks,
               (uintmax_t)c->rounds);
        forecast_print(f, stdout);
        printf("message %.3g, entry %.3g, family %.3g, latency %.3g, look %.3g us; poll every %.3g us\n",
               c->costs.message, c->costs.entry, c->costs.family, c->costs.latency, c->costs.look, c->costs.poll);
        return true;
    }
    Json j;
    tabia_json_begin(&j, stdout);
    tabia_json_object(&j, NULL);
    tabia_json_text(&j, "trace", c->trace.text);
    tabia_json_count(&j, "ranks", ranks);
    tabia_json_count(&j, "rounds", c->rounds);
    forecast_json(f, &j);
    tabia_json_object(&j, "constants");
#define COST_JSON(member, unit, value, text) tabia_json_real(&j, #member, c->costs.member);
    SIMULATE_COSTS(COST_JSON)
#undef COST_JSON
    tabia_json_close(&j);
    tabia_json_close(&j);
    return tabia_json_end(&j, fault);
}

/* Returns the exit status. */
static int compare(Check *c, const Round *round, Fault *fault) {
    SimulateRow row;
    const ForecastRun run = sum_up(round, c->rounds);
    if (!foretell(c, round, &run, &row, fault)) return EXIT_OUTSIDE;
    const Forecast f = forecast_make(&row, &run);
    if (!print(c, &f, fault)) return EXIT_OUTSIDE;
    return forecast_holds(&f) ? EXIT_GOOD : EXIT_DIFFERS;
}

/* ---- all of it ---- */

static int check(Check *c, Round *round, bool *all_well, Fault *fault) {
    *all_well = false;
    c->costs = simulate_defaults();
    if (!run_rounds(c, round, fault)) return EXIT_OUTSIDE;
    *all_well = true;
    return c->transport->rank ? EXIT_GOOD : compare(c, round, fault);
}

int mpi_check(int argc, char **argv) {
    Check c = {.rounds = ROUNDS};
    Fault fault = {""};
    TabiaReason why;
    unsigned place;
    bool all_well = false;
    if (!read_words(&c, argc, argv, &fault) || !read_trace(&c, &fault))
        return mpi_is_first() ? mpi_complain("simulate", &fault, EXIT_USAGE) : EXIT_USAGE;
    if (tabia_transport_mpi(&c.transport, &argc, &argv, &why)) {
        tabia_fault(&fault, "%s", why.text);
        return mpi_complain("simulate", &fault, EXIT_OUTSIDE);
    }
    tabia_stop_install(false);
    int status = EXIT_USAGE;
    if (c.transport->ranks < 2 || !trace_find_homes(&c.trace, c.transport->ranks, &place)) {
        tabia_fault(&fault,
                    "--check: %u ranks, but the trace has homes for others; record it with --homes, and run 2 or more",
                    c.transport->ranks);
        all_well = true;
    } else {
        Round *round = calloc(c.rounds, sizeof *round);
        status = round ? check(&c, round, &all_well, &fault) : EXIT_OUTSIDE;
        free(round);
    }
    if (fault.text[0] && c.transport->rank == 0) mpi_complain("simulate", &fault, status);
    if (tabia_stop_requested()) status = EXIT_STOPPED;
    trace_free(&c.trace);
    mpi_leave(c.transport, all_well, status);
}
