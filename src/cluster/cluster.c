/* SPDX-License-Identifier: MIT */
/* Lifecycle of a cluster, sending and receiving, progress. */
#include "base/error.h"
#include "cluster_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Seconds; share of the timeout after which timeouts are checked. */
static const double maintenance_interval = 1e-3, timeout_check_share = 1.0 / 64;

/* ---- send and receive ---- */

static void dispatch(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t body) {
    switch ((ClusterMessageType)m->header.type) {
    case MESSAGE_HELLO:
        tabia_handshake_hello(c, source, m, body);
        break;
    case MESSAGE_VERDICT:
        tabia_handshake_verdict(c, m, body);
        break;
    case MESSAGE_PROBE:
        if (c->table) tabia_shard_serve_probe(c, source, m, body / 8);
        break;
    case MESSAGE_REPLY:
        tabia_request_reply(c, source, m, body / 8);
        break;
    case MESSAGE_STORE:
        if (c->table) tabia_shard_apply_stores(c, m, body / 8);
        break;
    case MESSAGE_PROGRAM:
        if (c->options.receive) c->options.receive(c->options.context, source, m->header.detail, m->body, body);
        break;
    default:
        c->count.corrupt_messages++;
    }
}

static void take_message(void *context, unsigned source, const void *bytes, size_t n) {
    TabiaCluster *c = context;
    const ClusterMessage *m = bytes;
    if (tabia_link_receive(c, source, m, n)) dispatch(c, source, m, n - sizeof m->header);
}

bool tabia_cluster_send(TabiaCluster *c, unsigned destination, unsigned tag, const void *bytes, size_t n) {
    assert(tag < TABIA_CLUSTER_TAGS && n <= TABIA_CLUSTER_BYTES_MAX && destination < c->transport->ranks);
    if (destination == c->transport->rank) {
        if (c->options.receive) c->options.receive(c->options.context, destination, tag, bytes, n);
        return true;
    }
    ClusterMessage m;
    m.header = (ClusterMessageHeader){.detail = (uint8_t)tag};
    if (n) memcpy(m.body, bytes, n);
    cluster_lock(c);
    const bool sent = tabia_link_send(c, destination, MESSAGE_PROGRAM, &m, n);
    cluster_unlock(c);
    return sent;
}

/* ---- progress ---- */

/* What is not done at every poll: the handshake, and the timeouts of ranks that owe replies. */
static void maintain(TabiaCluster *c, double now) {
    const double delay = c->options.batching_delay;
    tabia_shard_flush(c, now - delay);
    tabia_request_flush(c, now - delay);
    if (now - c->maintained_at < maintenance_interval) return;
    c->maintained_at = now;
    tabia_handshake_maintain(c, now);
    /* No caller waits for a reply, so a late timeout costs nothing. */
    if (now - c->timeouts_checked_at < timeout_check_share * c->options.timeout) return;
    c->timeouts_checked_at = now;
    for (unsigned r = 0; r < c->transport->ranks; r++)
        if (c->peer[r].unanswered) tabia_request_expire(c, r, now - c->options.timeout);
}

/* The costlier an empty poll, the longer until the next one. */
static void schedule_next_poll(TabiaCluster *c, double began, double ended, unsigned received) {
    if (!received) c->empty_poll_cost += (ended - began - c->empty_poll_cost) / 16;
    atomic_store_explicit(&c->next_poll, ended + poll_interval(c), memory_order_relaxed);
}

/* For so many powers of two, 1, 2, ..., of a microsecond a message can have waited. */
static unsigned wait_class(double seconds) {
    unsigned i = 0;
    for (double micros = seconds * 1e6; i + 1 < TABIA_CLUSTER_WAITS && micros >= 1; micros /= 2) i++;
    return i;
}

static unsigned poll_locked(TabiaCluster *c, bool serving) {
    const double began = c->transport->now(c->transport);
    const unsigned received = c->transport->poll(c->transport, take_message, c);
    const double ended = c->transport->now(c->transport);
    c->count.polls++;
    if (received) c->count.waits[wait_class(began - c->polled_at)] += received;
    if (serving) c->count.received_serving += received;
    c->polled_at = began;
    schedule_next_poll(c, began, ended, received);
    maintain(c, ended);
    return received;
}

static unsigned try_poll(TabiaCluster *c, bool serving) {
    if (!cluster_try_lock(c)) return 0;
    const unsigned received = poll_locked(c, serving);
    cluster_unlock(c);
    return received;
}

unsigned tabia_cluster_poll(TabiaCluster *c) {
    return try_poll(c, false);
}

unsigned tabia_cluster_serve(TabiaCluster *c) {
    if (tabia_cluster_now(c) < atomic_load_explicit(&c->next_poll, memory_order_relaxed)) return 0;
    return try_poll(c, true);
}

bool tabia_cluster_flush(TabiaCluster *c) {
    cluster_lock(c);
    const double now = c->transport->now(c->transport);
    tabia_shard_flush(c, now);
    tabia_request_flush(c, now);
    const bool completed = c->transport->is_empty(c->transport);
    cluster_unlock(c);
    return completed;
}

double tabia_cluster_now(const TabiaCluster *c) {
    return c->transport->now(c->transport);
}

bool tabia_cluster_alive(const TabiaCluster *c, unsigned rank) {
    assert(rank < c->transport->ranks);
    return !atomic_load_explicit(&c->peer[rank].dead, memory_order_relaxed);
}

double tabia_cluster_silence(const TabiaCluster *c, unsigned rank) {
    assert(rank < c->transport->ranks);
    cluster_lock(c);
    const double silence = c->transport->now(c->transport) - c->peer[rank].last_received;
    cluster_unlock(c);
    return silence;
}

void tabia_cluster_mark_dead(TabiaCluster *c, unsigned rank) {
    assert(rank < c->transport->ranks);
    cluster_lock(c);
    c->peer[rank].dead = true;
    tabia_request_expire(c, rank, c->transport->now(c->transport) + 1);
    cluster_unlock(c);
}

/* ---- lifecycle ---- */

static bool allocate_parts(TabiaCluster *c) {
    const unsigned ranks = c->transport->ranks;
    c->peer = calloc(ranks, sizeof *c->peer);
    c->requests.slot = calloc(REQUESTS_MAX, sizeof *c->requests.slot);
    if (!c->peer || !c->requests.slot || !tabia_handshake_init(c)) return false;
    tabia_request_init(c);
    for (unsigned r = 0; r < ranks; r++) c->peer[r].open_request = NO_REQUEST, c->peer[r].last_received = c->created_at;
    return true;
}

static void init_recursive_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

static TabiaClusterOptions with_defaults(const TabiaClusterOptions *options) {
    TabiaClusterOptions o = options ? *options : (TabiaClusterOptions){0};
    if (!o.configuration) o.configuration = "";
    if (o.timeout <= 0) o.timeout = 30;
    if (o.handshake_timeout <= 0) o.handshake_timeout = 60;
    if (o.batching_delay <= 0) o.batching_delay = 200e-6;
    return o;
}

/* Is the table one that can be distributed? */
static int check_table(const TabiaTable *table, TabiaError *error) {
    TabiaInfo info;
    tabia_table_info(table, &info);
    if (info.user_bits || info.move_bits > TABIA_MOVE_BITS_DEFAULT)
        return tabia_error_set(error, TABIA_ERROR_OPTION,
                               "a table with user_bits or moves of more than %d bits cannot be distributed",
                               TABIA_MOVE_BITS_DEFAULT);
    if (info.partitions > 1)
        return tabia_error_set(error, TABIA_ERROR_OPTION, "a whole of %u partitions cannot be distributed",
                               info.partitions);
    if (info.type != TABIA_ENTRIES)
        return tabia_error_set(error, TABIA_ERROR_OPTION, "type: a table of %s cannot be distributed",
                               info.type == TABIA_COUNTS ? "counts" : "records");
    return 0;
}

int tabia_cluster_create(TabiaCluster **cluster, TabiaTransport *transport, TabiaTable *table,
                         const TabiaClusterOptions *options, TabiaError *error) {
    *cluster = NULL;
    if (!transport) return tabia_error_set(error, TABIA_ERROR_OPTION, "transport: NULL; a cluster needs one");
    const int code = table ? check_table(table, error) : 0;
    if (code) return code;
    TabiaCluster *c = calloc(1, sizeof *c);
    if (!c) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for a cluster");
    c->transport = transport, c->table = table;
    c->options = with_defaults(options);
    c->created_at = c->polled_at = transport->now(transport);
    c->handshake.hello_sent_at = -1;
    c->handshake.verdict = transport->ranks == 1;
    init_recursive_lock(&c->lock);
    if (!allocate_parts(c)) {
        tabia_cluster_destroy(c);
        return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for a cluster");
    }
    *cluster = c;
    return 0;
}

void tabia_cluster_destroy(TabiaCluster *c) {
    if (!c) return;
    for (unsigned r = 0; c->peer && r < c->transport->ranks; r++) free(c->peer[r].stores);
    pthread_mutex_destroy(&c->lock);
    free(c->peer);
    free(c->requests.slot);
    free(c->handshake.description);
    free(c);
}

int tabia_cluster_resize(TabiaCluster *c, uint64_t bytes, bool *kept, TabiaError *error) {
    cluster_lock(c);
    const int code = tabia_table_resize(c->table, bytes, kept, error);
    cluster_unlock(c);
    return code;
}

/* ---- accessors ---- */

unsigned tabia_cluster_rank(const TabiaCluster *c) {
    return c->transport->rank;
}

unsigned tabia_cluster_ranks(const TabiaCluster *c) {
    return c->transport->ranks;
}

void tabia_cluster_counters(const TabiaCluster *c, TabiaClusterCounters *counters) {
    cluster_lock(c);
    *counters = c->count;
    cluster_unlock(c);
}

unsigned tabia_transport_rank(const TabiaTransport *t) {
    return t->rank;
}

unsigned tabia_transport_ranks(const TabiaTransport *t) {
    return t->ranks;
}

void tabia_transport_close(TabiaTransport *t, bool orderly) {
    if (t) t->close(t, orderly);
}
