/* SPDX-License-Identifier: MIT */
#include "cluster/transport_simulated.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { MILLION = 1000000, POLL_MAX = 200 };

/* A message in flight: in a list without order, because the order of arrival is random anyway. */
typedef struct SimulatedMessage {
    struct SimulatedMessage *next;
    double due;
    unsigned source;
    bool damaged;
    size_t n;
    _Alignas(8) unsigned char bytes[];
} SimulatedMessage;

typedef struct {
    TabiaTransport base; /* first: a rank is found from its transport */
    SimulatedNetwork *network;
    SimulatedMessage *incoming;
    unsigned incoming_n;
    bool dead;
    double own_now;
} SimulatedRank;

struct SimulatedNetwork {
    SimulatedNetworkOptions options;
    SimulatedRank *rank;
    SimulatedNetworkCounters count;
    uint64_t random;
    double now;
};

static SimulatedRank *rank_of(TabiaTransport *t) {
    return (SimulatedRank *)t;
}

static double *clock_of(SimulatedRank *rank) {
    return rank->network->options.own_clocks ? &rank->own_now : &rank->network->now;
}

/* What an end of a message of n bytes takes. */
static void take_time(SimulatedRank *rank, size_t n) {
    const SimulatedNetworkOptions *o = &rank->network->options;
    if (o->own_clocks) rank->own_now += o->message + o->byte * (double)n;
}

static void note_delivery(SimulatedRank *to, const SimulatedMessage *message) {
    uint64_t due;
    memcpy(&due, &message->due, sizeof due);
    due ^= to->network->count.trace ^ message->n << 32 ^ message->source << 16 ^ to->base.rank;
    to->network->count.trace = random_next(&due);
}

static bool happens(SimulatedNetwork *network, unsigned per_million) {
    return random_below(&network->random, MILLION) < per_million;
}

static void damage(SimulatedNetwork *network, SimulatedMessage *message) {
    for (unsigned flips = 1 + random_below(&network->random, 3); flips; flips--) {
        const unsigned at = random_below(&network->random, (unsigned)message->n * 8);
        message->bytes[at / 8] ^= (unsigned char)(1u << at % 8);
    }
    message->damaged = true;
}

static bool enqueue(SimulatedNetwork *network, unsigned source, SimulatedRank *to, const void *bytes, size_t n) {
    SimulatedMessage *message = malloc(sizeof *message + n);
    if (!message) return false;
    const double delay = network->options.delay * (random_below(&network->random, MILLION) / (double)MILLION);
    const double due = *clock_of(network->rank + source) + network->options.latency + delay;
    *message = (SimulatedMessage){.next = to->incoming, .due = due, .source = source, .n = n};
    memcpy(message->bytes, bytes, n);
    if (happens(network, network->options.damaged)) damage(network, message);
    to->incoming = message;
    to->incoming_n++;
    return true;
}

static bool simulated_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    SimulatedNetwork *network = rank_of(t)->network;
    SimulatedRank *target = network->rank + to;
    assert(to < network->options.ranks && n > 0 && n <= TRANSPORT_BYTES_MAX);
    if (target->incoming_n >= network->options.capacity) return false;
    network->count.sent++;
    take_time(rank_of(t), n);
    if (target->dead || rank_of(t)->dead || happens(network, network->options.lost)) return network->count.lost++, true;
    if (happens(network, network->options.duplicated) && enqueue(network, t->rank, target, bytes, n))
        network->count.duplicated++;
    return enqueue(network, t->rank, target, bytes, n);
}

/* Removes the messages that are due from a rank's list. */
static SimulatedMessage *take_due(SimulatedRank *rank, double now) {
    SimulatedMessage *due = NULL;
    unsigned removed = 0;
    for (SimulatedMessage **at = &rank->incoming; *at && removed < POLL_MAX;) {
        SimulatedMessage *message = *at;
        if (message->due > now) {
            at = &message->next;
            continue;
        }
        *at = message->next;
        message->next = due, due = message;
        removed++;
    }
    assert(removed <= rank->incoming_n);
    rank->incoming_n -= removed;
    return due;
}

static unsigned simulated_poll(TabiaTransport *t, TransportReceive *receive, void *context) {
    SimulatedRank *self = rank_of(t);
    SimulatedNetwork *network = self->network;
    double *now = clock_of(self);
    *now += network->options.step;
    unsigned count = 0;
    for (SimulatedMessage *message = take_due(self, *now), *next; message; message = next, count++) {
        next = message->next;
        network->count.delivered++;
        network->count.damaged += message->damaged;
        note_delivery(self, message);
        take_time(self, message->n);
        if (!self->dead) receive(context, message->source, message->bytes, message->n);
        free(message);
    }
    return count;
}

static bool simulated_is_empty(TabiaTransport *t) {
    (void)t;
    return true;
}

static double simulated_now(TabiaTransport *t) {
    return *clock_of(rank_of(t)) += rank_of(t)->network->options.step;
}

static void simulated_close(TabiaTransport *t, bool orderly) {
    (void)t, (void)orderly;
}

SimulatedNetwork *simulated_network_create(SimulatedNetworkOptions options, TabiaError *error) {
    SimulatedNetwork *network = calloc(1, sizeof *network);
    if (network) network->rank = calloc(options.ranks, sizeof *network->rank);
    if (!network || !network->rank) {
        free(network);
        return tabia_fail(error, "no memory for a network of %u ranks", options.ranks), NULL;
    }
    if (options.step <= 0) options.step = 1e-6;
    if (!options.capacity) options.capacity = 64;
    network->options = options;
    network->random = options.seed;
    for (unsigned r = 0; r < options.ranks; r++) {
        network->rank[r].network = network;
        network->rank[r].base = (TabiaTransport){
            r, options.ranks, simulated_send, simulated_poll, simulated_is_empty, simulated_now, simulated_close};
    }
    return network;
}

static void drop_incoming(SimulatedRank *rank) {
    for (SimulatedMessage *message = rank->incoming, *next; message; message = next) {
        next = message->next;
        free(message);
    }
    rank->incoming = NULL, rank->incoming_n = 0;
}

void simulated_network_destroy(SimulatedNetwork *network) {
    if (!network) return;
    for (unsigned r = 0; r < network->options.ranks; r++) drop_incoming(network->rank + r);
    free(network->rank);
    free(network);
}

TabiaTransport *simulated_network_rank(SimulatedNetwork *network, unsigned rank) {
    return &network->rank[rank].base;
}

void simulated_network_kill(SimulatedNetwork *network, unsigned rank) {
    network->rank[rank].dead = true;
    drop_incoming(network->rank + rank);
}

double simulated_network_now(const SimulatedNetwork *network, unsigned rank) {
    return network->rank[rank].own_now;
}

void simulated_network_advance(SimulatedNetwork *network, unsigned rank, double seconds) {
    network->rank[rank].own_now += seconds;
}

SimulatedNetworkCounters simulated_network_counters(const SimulatedNetwork *network) {
    return network->count;
}
