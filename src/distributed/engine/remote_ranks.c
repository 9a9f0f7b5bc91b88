/* SPDX-License-Identifier: MIT */
/* What the search of this rank and the others tell each other: entries, depths, nodes, answers. */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "state.h"

enum {
    COUNT_EVERY = 256, /* looks for messages between two counts of nodes: some milliseconds */
    SPREAD_PLIES = 3,  /* entries that are less deep than the root by so many plies at most go to everybody */
    SPREAD_LEAST = 10, /* and are at least so deep */
    SPREAD_BURST = 8,  /* so many at a time */
    NEIGHBOURS = 64,   /* that hear of depths: the ranks before and behind */
    STORE_DEPTH_MOST = 14,
};
static const double answer_patience = 0.02, answer_leisure = 0.5, spread_interval = 0.0005, adapt_interval = 0.1;

typedef struct {
    uint32_t number, thread;
    int32_t iteration;
} Begun;

typedef struct {
    uint32_t number, unused;
    uint64_t nodes;
} Count;

static bool has_begun(const Colleague *c, uint32_t number) {
    return atomic_load(&c->number) == number;
}

/* ---- entries ---- */

/* Few, since every rank must take them. */
static bool is_for_all(Ensemble *r, int depth) {
    return depth >= SPREAD_LEAST &&
           depth >= atomic_load_explicit(&r->root_depth, memory_order_relaxed) - SPREAD_PLIES &&
           atomic_fetch_sub_explicit(&r->spread_left, 1, memory_order_relaxed) > 0;
}

static void store(void *context, TabiaKey key, uint64_t path, TabiaEntry entry, int depth) {
    Ensemble *r = context;
    if (is_for_all(r, depth))
        tabia_cluster_entry_spread(r->cluster, key, path, entry);
    else
        tabia_cluster_entry_send(r->cluster, key, path, entry, (unsigned)depth);
}

static void ask(void *context, TabiaKey key, int depth) {
    Ensemble *r = context;
    tabia_cluster_entry_request(r->cluster, key, (unsigned)depth);
}

void ensemble_adapt(Ensemble *r) {
    const double now = tabia_cluster_now(r->cluster);
    if (now - r->refilled_at > spread_interval * r->ranks) {
        atomic_store(&r->spread_left, SPREAD_BURST);
        r->refilled_at = now;
    }
    if (now - r->adapted_at < adapt_interval || r->wish.private_tables) return;
    r->adapted_at = now;
    TabiaClusterCounters c;
    tabia_cluster_counters(r->cluster, &c);
    const int depth = atomic_load(&r->peers.store_depth);
    if (c.lost_stores > r->refused && depth < STORE_DEPTH_MOST)
        atomic_store(&r->peers.store_depth, depth + 1);
    else if (c.lost_stores == r->refused && depth > r->wish.store_depth)
        atomic_store(&r->peers.store_depth, depth - 1);
    r->refused = c.lost_stores;
}

/* ---- nodes and depths ---- */

/* Nodes of the ranks behind this one in the tree. */
static uint64_t nodes_behind(const Ensemble *r) {
    const uint32_t number = atomic_load(&r->number);
    uint64_t sum = 0;
    for (unsigned i = 1; i <= ORDERS_BRANCHES; i++) {
        const uint64_t child = (uint64_t)r->rank * ORDERS_BRANCHES + i;
        if (child >= r->ranks || !has_begun(&r->colleague[child], number)) continue;
        sum += atomic_load_explicit(&r->colleague[child].nodes, memory_order_relaxed);
    }
    return sum;
}

static uint64_t nodes(const void *context) {
    const Ensemble *r = context;
    return atomic_load(&r->together) ? nodes_behind(r) : atomic_load(&r->final_nodes);
}

static void serve(void *context, const Search *s, unsigned thread) {
    Ensemble *r = context;
    tabia_cluster_serve(r->cluster);
    if (thread || !r->rank || ++r->served % COUNT_EVERY || !atomic_load(&r->together)) return;
    const Count count = {.number = atomic_load(&r->number), .nodes = search_nodes(s)};
    tabia_cluster_send(r->cluster, orders_parent(r->rank), TALK_COUNT, &count, sizeof count);
}

/* Ranks stand in a ring: those that are near each other divide the depths among them. */
static unsigned ring_distance(const Ensemble *r, unsigned other) {
    const unsigned d = r->rank < other ? other - r->rank : r->rank - other;
    return d < r->ranks - d ? d : r->ranks - d;
}

static void begin(void *context, unsigned thread, int iteration) {
    Ensemble *r = context;
    if (!atomic_load(&r->together)) return;
    if (iteration > atomic_load(&r->root_depth)) atomic_store(&r->root_depth, iteration);
    if (thread >= THREADS_TOLD) return;
    const Begun begun = {atomic_load(&r->number), thread, iteration};
    for (unsigned to = 0; to < r->ranks; to++)
        if (to != r->rank && (!to || ring_distance(r, to) <= NEIGHBOURS / 2))
            tabia_cluster_send(r->cluster, to, TALK_BEGUN, &begun, sizeof begun);
}

/* Threads of other ranks on that iteration; 0: on any. */
static unsigned threads_on(const Ensemble *r, int iteration) {
    const uint32_t number = atomic_load(&r->number);
    unsigned sum = 0;
    if (!atomic_load(&r->together)) return 0;
    for (unsigned i = 0; i < r->ranks; i++) {
        if (i == r->rank || !has_begun(&r->colleague[i], number)) continue;
        for (unsigned t = 0; t < THREADS_TOLD; t++) {
            const int begun = atomic_load_explicit(&r->colleague[i].begun[t], memory_order_relaxed);
            sum += iteration ? begun == iteration : begun != 0;
        }
    }
    return sum;
}

static unsigned others_on(const void *context, int iteration) {
    return threads_on(context, iteration);
}

static unsigned others(const void *context) {
    return threads_on(context, 0);
}

/* ---- what comes ---- */

/* Something about a newer search replaces what was known. Under the cluster's lock, which makes it one writer. */
static bool is_about_now(Colleague *c, uint32_t number) {
    const uint32_t known = atomic_load(&c->number);
    if ((int32_t)(number - known) < 0) return false;
    if (number == known) return true;
    for (unsigned t = 0; t < THREADS_TOLD; t++) atomic_store(&c->begun[t], 0);
    atomic_store(&c->nodes, 0);
    atomic_store(&c->number, number);
    return true;
}

static void take_begun(Ensemble *r, unsigned from, const void *bytes, size_t n) {
    Begun b;
    if (n != sizeof b) return;
    memcpy(&b, bytes, n);
    if (b.thread < THREADS_TOLD && is_about_now(&r->colleague[from], b.number))
        atomic_store(&r->colleague[from].begun[b.thread], b.iteration);
}

static void take_count(Ensemble *r, unsigned from, const void *bytes, size_t n) {
    Count c;
    if (n != sizeof c) return;
    memcpy(&c, bytes, n);
    if (is_about_now(&r->colleague[from], c.number)) atomic_store(&r->colleague[from].nodes, c.nodes);
}

static void take_answer(Ensemble *r, unsigned from, const void *bytes, size_t n) {
    Colleague *c = &r->colleague[from];
    Answer a;
    if (r->rank || n != sizeof a) return;
    atomic_store(&c->late, false);
    memcpy(&a, bytes, n);
    if (a.outcome.line_n > PLY_MAX + 1 || a.number != atomic_load(&r->number) || atomic_load(&c->answered) == a.number)
        return;
    *c->answer = a;
    atomic_store(&c->answered, a.number);
}

static void send_halt(Ensemble *r, uint32_t number) {
    for (unsigned i = 1; i <= ORDERS_BRANCHES; i++) {
        const uint64_t child = (uint64_t)r->rank * ORDERS_BRANCHES + i;
        if (child < r->ranks) tabia_cluster_send(r->cluster, (unsigned)child, TALK_HALT, &number, sizeof number);
    }
}

/* At once, by whichever thread hears it. If it is lost, or the search has yet to begin, the stream's stop ends it. */
static void take_halt(Ensemble *r, const void *bytes, size_t n) {
    uint32_t number;
    if (n != sizeof number) return;
    memcpy(&number, bytes, n);
    send_halt(r, number);
    Engine *e = atomic_load(&r->engine);
    if (e && number == atomic_load(&r->number)) engine_stop(e);
}

void ensemble_receive(void *context, unsigned from, unsigned kind, const void *bytes, size_t n) {
    Ensemble *r = context;
    switch ((Talk)kind) {
    case TALK_ORDER:
    case TALK_CONFIRM:
        ensemble_post(r, from, kind, bytes, n);
        break;
    case TALK_HALT:
        take_halt(r, bytes, n);
        break;
    case TALK_COUNT:
        take_count(r, from, bytes, n);
        break;
    case TALK_BEGUN:
        take_begun(r, from, bytes, n);
        break;
    case TALK_ANSWER:
        take_answer(r, from, bytes, n);
        break;
    }
}

/* ---- the end of a search ---- */

static void add_difference(TabiaClusterCounters *sum, const TabiaClusterCounters *a, const TabiaClusterCounters *b) {
#define ADD_DIFFERENCE(name, text) sum->name += a->name - b->name;
    TABIA_CLUSTER_COUNTERS(ADD_DIFFERENCE)
#undef ADD_DIFFERENCE
}

static TabiaClusterCounters did(const Ensemble *r) {
    TabiaClusterCounters now, sum = {0};
    tabia_cluster_counters(r->cluster, &now);
    add_difference(&sum, &now, &r->before);
    return sum;
}

void ensemble_search_begins(Ensemble *r) {
    tabia_cluster_counters(r->cluster, &r->before);
    atomic_store(&r->root_depth, 0);
    atomic_store(&r->final_nodes, 0);
    atomic_fetch_add(&r->number, 1);
    atomic_store(&r->together, true);
}

static void rest(unsigned waited) {
    if (waited < 20)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000}, NULL);
}

static void send_answer(Ensemble *r, const Search *s, const SearchOutcome *outcome) {
    Answer a = {.number = atomic_load(&r->number), .outcome = *outcome, .nodes = search_nodes_here(s), .did = did(r)};
    const double until = tabia_cluster_now(r->cluster) + answer_patience;
    for (unsigned waited = 0; !tabia_cluster_send(r->cluster, 0, TALK_ANSWER, &a, sizeof a); waited++) {
        if (tabia_cluster_now(r->cluster) > until) return;
        tabia_cluster_poll(r->cluster);
        rest(waited);
    }
}

/* Is that rank's answer worth waiting for? Not of one that has not begun, or was late last time. */
static bool is_awaited(const Ensemble *r, unsigned rank, uint32_t number) {
    const Colleague *c = &r->colleague[rank];
    return has_begun(c, number) && atomic_load(&c->answered) != number && !atomic_load(&c->late) &&
           tabia_cluster_alive(r->cluster, rank);
}

static void wait_for_answers(Ensemble *r, uint32_t number, double patience) {
    const double until = tabia_cluster_now(r->cluster) + patience;
    unsigned waited = 0;
    for (unsigned rank = 1; rank < r->ranks && tabia_cluster_now(r->cluster) < until;) {
        if (!is_awaited(r, rank, number)) {
            rank++;
            continue;
        }
        tabia_cluster_poll(r->cluster);
        if (is_awaited(r, rank, number)) rest(waited++);
    }
    for (unsigned rank = 1; rank < r->ranks; rank++) {
        Colleague *c = &r->colleague[rank];
        if (has_begun(c, number) && atomic_load(&c->answered) != number) atomic_store(&c->late, true);
    }
}

/* As among the threads of one process: the deepest, and of these the best score. */
static void vote(Ensemble *r, uint32_t number, SearchOutcome *best) {
    uint64_t sum = 0;
    for (unsigned rank = 1; rank < r->ranks; rank++) {
        const Colleague *c = &r->colleague[rank];
        if (atomic_load(&c->answered) != number) continue;
        const SearchOutcome *o = &c->answer->outcome;
        sum += c->answer->nodes;
        r->answers++;
        add_difference(&r->together_did, &c->answer->did, &(TabiaClusterCounters){0});
        if (!o->line_n || o->bound != BOUND_IS_EXACT) continue;
        if (o->depth > best->depth || (o->depth == best->depth && o->score > best->score)) *best = *o;
    }
    const uint64_t known = nodes_behind(r);
    atomic_store(&r->final_nodes, sum > known ? sum : known);
}

static void conclude(void *context, const Search *s, bool hurry, SearchOutcome *outcome) {
    Ensemble *r = context;
    const uint32_t number = atomic_load(&r->number);
    if (!atomic_load(&r->together)) return;
    if (r->rank) {
        send_answer(r, s, outcome);
    } else {
        send_halt(r, number);
        ensemble_say(r, "stop\n", 5);
        wait_for_answers(r, number, hurry ? answer_patience : answer_leisure);
        r->together_did = did(r), r->answers = 1;
        vote(r, number, outcome);
    }
    atomic_store(&r->concluded_at, tabia_cluster_now(r->cluster));
    atomic_store(&r->together, false);
    ensemble_wake(r); /* it sleeps for longer while others are at the messages */
}

void ensemble_summary(void *context, char *text, size_t room) {
    Ensemble *r = context;
    const TabiaClusterCounters *d = &r->together_did;
    const double asked = d->remote_probes ? (double)d->remote_probes : 1;
    atomic_store(&r->final_nodes, 0); /* the last report has been made */
    if (r->answers)
        snprintf(
            text, room,
            "%u of %u ranks: %ju probes of other ranks, %.1f %% found, %.1f %% deeper than known; %ju stores sent, "
            "%ju without room; %ju messages, %ju bytes",
            r->answers, r->ranks, (uintmax_t)d->remote_probes, 100 * (double)d->remote_hits / asked,
            100 * (double)d->remote_news / asked, (uintmax_t)d->remote_stores, (uintmax_t)(d->lost_stores + d->unasked),
            (uintmax_t)d->messages, (uintmax_t)d->bytes);
    r->answers = 0;
}

void ensemble_peers_begin(Ensemble *r) {
    const int never = r->wish.private_tables ? INT_MAX : 0;
    r->peers = (SearchPeers){.context = r,
                             .ask_depth = never ? never : r->wish.ask_depth,
                             .store = store,
                             .ask = ask,
                             .serve = serve,
                             .begin = begin,
                             .others_on = others_on,
                             .others = others,
                             .nodes = nodes,
                             .conclude = conclude};
    atomic_store(&r->peers.store_depth, never ? never : r->wish.store_depth);
}
