/* SPDX-License-Identifier: MIT */
/* One search on all ranks: what the ranks tell each other about entries, iterations, nodes and results. */
#include <assert.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "distributed_engine_internal.h"

enum {
    NODES_INTERVAL = 256, /* serves between two reports of nodes, more among many ranks: some milliseconds */
    NEIGHBOURS = 64,      /* ranks that hear of iterations: those next in rank, on both sides */
};
/* Seconds. The first is how long rank 0 waits for results when a clock is running, the second when none is. */
static const double result_timeout = 0.02, result_timeout_idle = 5;
/* A rank that sends nothing for so long has died or stopped, and is reported. */
static const double silence_max = 2;

typedef struct {
    uint32_t search_number, thread;
    int32_t iteration;
} IterationMessage;

typedef struct {
    uint32_t search_number, unused;
    uint64_t nodes;
} NodesMessage;

/* Is what is known of that rank about this search? */
static bool is_current(const RemoteRank *remote, uint32_t number) {
    return atomic_load(&remote->search_number) == number;
}

/* ---- entries ---- */

static void store(void *context, TabiaKey key, uint64_t path, TabiaEntry entry) {
    DistributedEngine *d = context;
    tabia_cluster_entry_store_remote(d->cluster, key, path, entry);
}

static void request(void *context, TabiaKey key, int depth) {
    DistributedEngine *d = context;
    tabia_cluster_entry_request(d->cluster, key, (unsigned)depth);
}

/* ---- nodes and iterations ---- */

/* Nodes of the others, on rank 0. */
static uint64_t remote_nodes(const DistributedEngine *d) {
    const uint32_t number = atomic_load(&d->search.number);
    uint64_t sum = 0;
    for (unsigned rank = 1; rank < d->ranks; rank++)
        if (is_current(&d->search.remote[rank], number))
            sum += atomic_load_explicit(&d->search.remote[rank].nodes, memory_order_relaxed);
    return sum;
}

static uint64_t nodes(const void *context) {
    const DistributedEngine *d = context;
    return atomic_load(&d->search.running) ? remote_nodes(d) : atomic_load(&d->search.final_nodes);
}

static void serve(void *context, const Search *search, unsigned thread) {
    DistributedEngine *d = context;
    DistributedSearch *s = &d->search;
    if (!d->options.unserved) tabia_cluster_serve(d->cluster);
    if (thread || !d->rank || ++s->serves % (NODES_INTERVAL * (1 + d->ranks / 16)) || !atomic_load(&s->running)) return;
    const NodesMessage m = {.search_number = atomic_load(&s->number), .nodes = search_nodes(search)};
    tabia_cluster_send(d->cluster, 0, ENGINE_TAG_NODES, &m, sizeof m);
}

/* Ranks form a ring: neighbours divide the iterations among them. */
static unsigned ring_distance(const DistributedEngine *d, unsigned other) {
    assert(other < d->ranks && other != d->rank);
    const unsigned distance = d->rank < other ? other - d->rank : d->rank - other;
    return distance < d->ranks - distance ? distance : d->ranks - distance;
}

static void begin_iteration(void *context, unsigned thread, int iteration) {
    DistributedEngine *d = context;
    DistributedSearch *s = &d->search;
    if (!atomic_load(&s->running)) return;
    if (thread >= THREADS_REPORTED) return;
    const IterationMessage m = {atomic_load(&s->number), thread, iteration};
    for (unsigned to = 0; to < d->ranks; to++)
        if (to != d->rank && (!to || ring_distance(d, to) <= NEIGHBOURS / 2))
            tabia_cluster_send(d->cluster, to, ENGINE_TAG_ITERATION, &m, sizeof m);
}

/* Threads of other ranks that search that iteration; 0: any. */
static unsigned remote_threads(const DistributedEngine *d, int iteration) {
    const uint32_t number = atomic_load(&d->search.number);
    unsigned sum = 0;
    if (!atomic_load(&d->search.running)) return 0;
    for (unsigned i = 0; i < d->ranks; i++) {
        const RemoteRank *remote = &d->search.remote[i];
        if (i == d->rank || !is_current(remote, number)) continue;
        for (unsigned t = 0; t < THREADS_REPORTED; t++) {
            const int begun = atomic_load_explicit(&remote->iteration[t], memory_order_relaxed);
            sum += iteration ? begun == iteration : begun != 0;
        }
    }
    return sum;
}

static unsigned remote_threads_on(const void *context, int iteration) {
    return remote_threads(context, iteration);
}

static unsigned others(const void *context) {
    return remote_threads(context, 0);
}

/* ---- received messages ---- */

/* Is a message about the newest search of that rank? The first one of a newer search resets what was known. There is
   one writer: the lock of the cluster is held. */
static bool accept_number(RemoteRank *remote, uint32_t number) {
    const uint32_t known = atomic_load(&remote->search_number);
    if ((int32_t)(number - known) < 0) return false;
    if (number == known) return true;
    for (unsigned t = 0; t < THREADS_REPORTED; t++) atomic_store(&remote->iteration[t], 0);
    atomic_store(&remote->nodes, 0);
    atomic_store(&remote->search_number, number);
    return true;
}

static void receive_iteration(RemoteRank *remote, const void *bytes, size_t n) {
    IterationMessage m;
    if (n != sizeof m) return;
    memcpy(&m, bytes, n);
    if (m.thread < THREADS_REPORTED && accept_number(remote, m.search_number))
        atomic_store(&remote->iteration[m.thread], m.iteration);
}

static void receive_nodes(RemoteRank *remote, const void *bytes, size_t n) {
    NodesMessage m;
    if (n != sizeof m) return;
    memcpy(&m, bytes, n);
    if (accept_number(remote, m.search_number)) atomic_store(&remote->nodes, m.nodes);
}

static void receive_result(DistributedEngine *d, RemoteRank *remote, const void *bytes, size_t n) {
    RemoteResult r;
    if (d->rank || n != sizeof r) return;
    memcpy(&r, bytes, n);
    if (r.outcome.pv_length > PLY_MAX + 1 || r.search_number != atomic_load(&d->search.number)) return;
    assert(remote->result);
    *remote->result = r;
    atomic_store(&remote->result_number, r.search_number);
}

static void send_stop(DistributedEngine *d, uint32_t number) {
    for (unsigned rank = 1; rank < d->ranks; rank++)
        tabia_cluster_send(d->cluster, rank, ENGINE_TAG_STOP, &number, sizeof number);
}

/* Stops at once, in whichever thread polls. If there was no room for the message, or the search has not begun yet, the "stop" of the
   command broadcast ends it. */
static void receive_stop(DistributedEngine *d, const void *bytes, size_t n) {
    uint32_t number;
    if (n != sizeof number) return;
    memcpy(&number, bytes, n);
    Engine *e = atomic_load(&d->engine);
    if (e && number == atomic_load(&d->search.number)) engine_stop(e);
}

void remote_ranks_receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n) {
    DistributedEngine *d = context;
    assert(source < d->ranks);
    switch ((EngineMessageTag)tag) {
    case ENGINE_TAG_COMMAND:
        progress_receive(d, bytes, n);
        break;
    case ENGINE_TAG_ALIVE:
        break;
    case ENGINE_TAG_STOP:
        receive_stop(d, bytes, n);
        break;
    case ENGINE_TAG_NODES:
        receive_nodes(&d->search.remote[source], bytes, n);
        break;
    case ENGINE_TAG_ITERATION:
        receive_iteration(&d->search.remote[source], bytes, n);
        break;
    case ENGINE_TAG_RESULT:
        receive_result(d, &d->search.remote[source], bytes, n);
        break;
    }
}

/* ---- the end of a search ---- */

static void add_difference(TabiaClusterCounters *sum, const TabiaClusterCounters *a, const TabiaClusterCounters *b) {
#define ADD_DIFFERENCE(name, text) sum->name += a->name - b->name;
    TABIA_CLUSTER_COUNTERS(ADD_DIFFERENCE)
#undef ADD_DIFFERENCE
    for (unsigned i = 0; i < TABIA_CLUSTER_WAITS; i++) sum->waits[i] += a->waits[i] - b->waits[i];
}

/* The counters of this rank over the search. */
static TabiaClusterCounters search_counters(const DistributedEngine *d) {
    TabiaClusterCounters now, sum = {0};
    tabia_cluster_counters(d->cluster, &now);
    add_difference(&sum, &now, &d->search.counters_start);
    return sum;
}

/* Adds what another rank, or this one, counted over the search. */
static void add_counters(DistributedSearch *s, const TabiaClusterCounters *c) {
    if (!s->results || c->served_probes < s->served_min) s->served_min = c->served_probes;
    if (!s->results || c->served_probes > s->served_max) s->served_max = c->served_probes;
    add_difference(&s->counters_sum, c, &(TabiaClusterCounters){0});
    s->results++;
}

void remote_ranks_search_begins(DistributedEngine *d) {
    DistributedSearch *s = &d->search;
    tabia_cluster_counters(d->cluster, &s->counters_start);
    atomic_store(&s->final_nodes, 0);
    atomic_fetch_add(&s->number, 1);
    atomic_store(&s->running, true);
}

static void back_off(unsigned waits) {
    if (waits < 20)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000}, NULL);
}

static void send_result(DistributedEngine *d, const Search *search, const SearchOutcome *outcome) {
    const RemoteResult r = {.search_number = atomic_load(&d->search.number),
                            .outcome = *outcome,
                            .nodes = search_nodes_here(search),
                            .counters = search_counters(d)};
    const double until = tabia_cluster_now(d->cluster) + result_timeout;
    for (unsigned waits = 0; !tabia_cluster_send(d->cluster, 0, ENGINE_TAG_RESULT, &r, sizeof r); waits++) {
        if (tabia_cluster_now(d->cluster) > until) return;
        tabia_cluster_poll(d->cluster);
        back_off(waits);
    }
}

/* Does rank 0 wait for the result of that rank? Not if it has not begun. */
static bool is_awaited(const DistributedEngine *d, unsigned rank, uint32_t number) {
    const RemoteRank *remote = &d->search.remote[rank];
    return is_current(remote, number) && atomic_load(&remote->result_number) != number &&
           tabia_cluster_silence(d->cluster, rank) < silence_max;
}

static void wait_for_results(DistributedEngine *d, uint32_t number, bool timed) {
    const double until = tabia_cluster_now(d->cluster) + (timed ? result_timeout : result_timeout_idle);
    unsigned waits = 0;
    assert(d->rank == 0);
    for (unsigned rank = 1; rank < d->ranks && tabia_cluster_now(d->cluster) < until;) {
        if (!is_awaited(d, rank, number)) {
            rank++;
            continue;
        }
        tabia_cluster_poll(d->cluster);
        if (is_awaited(d, rank, number)) back_off(waits++);
    }
}

/* As among the threads of one process: the deepest result, among these the highest score. */
static void select_best(DistributedEngine *d, uint32_t number, SearchOutcome *best) {
    DistributedSearch *s = &d->search;
    uint64_t sum = 0;
    for (unsigned rank = 1; rank < d->ranks; rank++) {
        const RemoteRank *remote = &s->remote[rank];
        if (atomic_load(&remote->result_number) != number) continue;
        const SearchOutcome *o = &remote->result->outcome;
        sum += remote->result->nodes;
        add_counters(s, &remote->result->counters);
        if (!o->pv_length || o->bound != TABIA_BOUND_EXACT) continue;
        if (o->depth > best->depth || (o->depth == best->depth && o->score > best->score)) *best = *o;
    }
    const uint64_t reported = remote_nodes(d);
    atomic_store(&s->final_nodes, sum > reported ? sum : reported);
}

static void conclude(void *context, const Search *search, bool timed, SearchOutcome *outcome) {
    DistributedEngine *d = context;
    DistributedSearch *s = &d->search;
    const uint32_t number = atomic_load(&s->number);
    assert(outcome->pv_length <= PLY_MAX + 1);
    if (!atomic_load(&s->running)) return;
    if (d->rank) {
        send_result(d, search, outcome);
    } else {
        send_stop(d, number);
        progress_broadcast(d, "stop\n", 5);
        wait_for_results(d, number, timed);
        const TabiaClusterCounters own = search_counters(d);
        s->counters_sum = (TabiaClusterCounters){0}, s->results = 0;
        add_counters(s, &own);
        select_best(d, number, outcome);
    }
    atomic_store(&s->ended_at, tabia_cluster_now(d->cluster));
    atomic_store(&s->running, false);
    progress_wake(d); /* it sleeps longer while other threads poll */
}

/* A line of its own: how many messages waited less than so many microseconds. */
static void append_waits(const uint64_t waits[TABIA_CLUSTER_WAITS], char *text, size_t size) {
    const char *before = "\ninfo string messages waited";
    size_t n = strlen(text);
    for (unsigned i = 0; i < TABIA_CLUSTER_WAITS; i++) {
        const bool is_last = i + 1 == TABIA_CLUSTER_WAITS;
        if (!waits[i] || n >= size) continue;
        n += (size_t)snprintf(text + n, size - n, "%s %s%u us %ju", before, is_last ? ">=" : "<", 1u << (i - is_last),
                              (uintmax_t)waits[i]);
        before = ",";
    }
}

static void append_silent_rank(const DistributedEngine *d, char *text, size_t size) {
    const size_t n = strlen(text);
    for (unsigned rank = 1; rank < d->ranks; rank++) {
        const double silence = tabia_cluster_silence(d->cluster, rank);
        if (silence < silence_max) continue;
        snprintf(text + n, size - n, "\ninfo string rank %u has been silent for %.0f seconds", rank, silence);
        return;
    }
}

void remote_ranks_summary(void *context, char *text, size_t size) {
    DistributedEngine *d = context;
    DistributedSearch *s = &d->search;
    const TabiaClusterCounters *c = &s->counters_sum;
    const double probes = c->remote_probes ? (double)c->remote_probes : 1;
    if (!s->results) return;
    snprintf(
        text, size,
        "%u of %u ranks: %ju remote probes, %.1f %% hits, %.1f %% deeper than the local entry; "
        "%ju remote stores, %ju stores and probes dropped; %ju messages, %ju bytes, %ju received by searching threads; "
        "%ju to %ju keys answered by a rank",
        s->results, d->ranks, (uintmax_t)c->remote_probes, 100 * (double)c->remote_hits / probes,
        100 * (double)c->remote_deeper / probes, (uintmax_t)c->remote_stores,
        (uintmax_t)(c->dropped_stores + c->dropped_probes), (uintmax_t)c->messages, (uintmax_t)c->bytes,
        (uintmax_t)c->received_serving, (uintmax_t)s->served_min, (uintmax_t)s->served_max);
    append_waits(c->waits, text, size);
    append_silent_rank(d, text, size);
    s->results = 0;
}

/* ---- lifecycle ---- */

void remote_ranks_init(DistributedEngine *d) {
    const bool private = d->options.private_tables;
    d->peers = (SearchPeers){.context = d,
                             .store_depth = private ? INT_MAX : d->options.store_depth,
                             .request_depth = private ? INT_MAX : d->options.probe_depth,
                             .store = store,
                             .request = request,
                             .serve = serve,
                             .start_iteration = begin_iteration,
                             .remote_threads_on = remote_threads_on,
                             .remote_threads = others,
                             .nodes = nodes,
                             .finish = conclude};
}

bool remote_ranks_allocate(DistributedEngine *d, TabiaError *error) {
    d->search.remote = calloc(d->ranks, sizeof *d->search.remote);
    bool good = d->search.remote != NULL;
    for (unsigned i = 0; good && !d->rank && i < d->ranks; i++)
        good = (d->search.remote[i].result = calloc(1, sizeof(RemoteResult))) != NULL;
    return good || tabia_fail(error, "no memory for %u ranks", d->ranks);
}

void remote_ranks_release(DistributedEngine *d) {
    for (unsigned i = 0; d->search.remote && i < d->ranks; i++) free(d->search.remote[i].result);
    free(d->search.remote);
}
