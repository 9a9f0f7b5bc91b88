/* SPDX-License-Identifier: MIT */
/* Making a cluster, and what comes and goes. */
#include "cluster_internal.h"

#include <stdio.h>
#include <stdlib.h>

static const double care_interval = 1e-3, review_share = 1.0 / 64;

static int refuse(TabiaReason *why, int code, const char *text) {
    if (why) snprintf(why->text, sizeof why->text, "%s", text);
    return code;
}

/* ---- saying and hearing ---- */

bool tabia_cluster_say(TabiaCluster *c, unsigned to, SayKind kind, Message *m, size_t bytes) {
    const size_t n = sizeof m->head + bytes;
    m->head.kind = (uint8_t)kind;
    m->head.from = c->transport->rank, m->head.to = to;
    m->head.check = message_check(m, n);
    if (!c->transport->send(c->transport, to, m, n)) return false;
    c->count.messages++;
    c->count.bytes += n;
    return true;
}

static bool is_whole(const TabiaCluster *c, unsigned from, const Message *m, size_t n) {
    return n >= sizeof m->head && n <= sizeof *m && m->head.check == message_check(m, n) && m->head.from == from &&
           m->head.to == c->transport->rank && from < c->transport->ranks;
}

static void take(void *context, unsigned from, const void *bytes, size_t n) {
    TabiaCluster *c = context;
    const Message *m = bytes;
    c->count.received++;
    if (!is_whole(c, from, m, n)) {
        c->count.damaged++;
        return;
    }
    const size_t body = n - sizeof m->head;
    c->peer[from].heard_at = c->transport->now(c->transport);
    c->peer[from].dead = false;
    switch ((SayKind)m->head.kind) {
    case SAY_HELLO:
        tabia_hello_heard(c, from, m, body);
        break;
    case SAY_VERDICT:
        tabia_hello_verdict(c, m, body);
        break;
    case SAY_PROBE:
        tabia_share_probed(c, from, m, body / 8);
        break;
    case SAY_REPLY:
        tabia_inquiry_replied(c, from, m, body / 8);
        break;
    case SAY_STORE:
        tabia_share_stored(c, m, body / 8);
        break;
    case SAY_PROGRAM:
        if (c->options.receive) c->options.receive(c->options.context, from, m->head.detail, m->body, body);
        break;
    default:
        c->count.damaged++;
    }
}

bool tabia_cluster_send(TabiaCluster *c, unsigned to, unsigned kind, const void *bytes, size_t n) {
    if (to == c->transport->rank) {
        if (c->options.receive) c->options.receive(c->options.context, to, kind, bytes, n);
        return true;
    }
    Message m;
    m.head = (Head){.detail = (uint8_t)kind};
    if (n) memcpy(m.body, bytes, n);
    cluster_lock(c);
    const bool sent = tabia_cluster_say(c, to, SAY_PROGRAM, &m, n);
    cluster_unlock(c);
    return sent;
}

/* ---- progress ---- */

/* What is not looked after at every poll: messages that wait to be filled, ranks that are silent. */
static void care(TabiaCluster *c, double now) {
    const double linger = c->options.linger;
    tabia_share_send_partial(c, now - linger);
    tabia_inquiry_send_partial(c, now - linger);
    if (now - c->cared_at < care_interval) return;
    c->cared_at = now;
    tabia_hello_care(c, now);
    if (c->face != TABIA_COUNTS && now - c->reviewed_at < review_share * c->options.patience) return; /* nobody waits */
    c->reviewed_at = now;
    for (unsigned r = 0; r < c->transport->ranks; r++) {
        Peer *peer = c->peer + r;
        if (!peer->unanswered) continue;
        tabia_inquiry_give_up(c, r, now - c->options.patience);
    }
}

/* How long until the next look: the costlier an idle one is, the longer. */
static void plan_next_look(TabiaCluster *c, double began, double ended, unsigned came) {
    if (!came) c->look_cost += (ended - began - c->look_cost) / 16;
    const double wait = look_wait(c->face, c->options.linger, c->look_cost);
    atomic_store_explicit(&c->due, ended + wait, memory_order_relaxed);
}

static unsigned poll_locked(TabiaCluster *c) {
    const double began = c->transport->now(c->transport);
    const unsigned came = c->transport->poll(c->transport, take, c);
    const double ended = c->transport->now(c->transport);
    c->count.polls++;
    plan_next_look(c, began, ended, came);
    care(c, ended);
    return came;
}

unsigned tabia_cluster_poll(TabiaCluster *c) {
    if (!cluster_try_lock(c)) return 0;
    const unsigned came = poll_locked(c);
    cluster_unlock(c);
    return came;
}

unsigned tabia_cluster_serve(TabiaCluster *c) {
    if (tabia_cluster_now(c) < atomic_load_explicit(&c->due, memory_order_relaxed)) return 0;
    return tabia_cluster_poll(c);
}

bool tabia_cluster_flush(TabiaCluster *c) {
    cluster_lock(c);
    const double now = c->transport->now(c->transport);
    tabia_share_send_partial(c, now);
    tabia_inquiry_send_partial(c, now);
    const bool empty = c->transport->is_empty(c->transport);
    cluster_unlock(c);
    return empty;
}

int tabia_cluster_resize(TabiaCluster *c, uint64_t bytes, bool *kept, TabiaReason *why) {
    cluster_lock(c);
    const int code = tabia_table_resize(c->table, bytes, kept, why);
    cluster_unlock(c);
    return code;
}

double tabia_cluster_now(const TabiaCluster *c) {
    return c->transport->now(c->transport);
}

bool tabia_cluster_alive(const TabiaCluster *c, unsigned rank) {
    return !atomic_load_explicit(&c->peer[rank].dead, memory_order_relaxed);
}

double tabia_cluster_silence(const TabiaCluster *c, unsigned rank) {
    cluster_lock(c);
    const double silence = c->transport->now(c->transport) - c->peer[rank].heard_at;
    cluster_unlock(c);
    return silence;
}

void tabia_cluster_bury(TabiaCluster *c, unsigned rank) {
    cluster_lock(c);
    c->peer[rank].dead = true;
    tabia_inquiry_give_up(c, rank, c->transport->now(c->transport) + 1);
    cluster_unlock(c);
}

/* ---- making and telling ---- */

static bool get_parts(TabiaCluster *c) {
    const unsigned ranks = c->transport->ranks;
    c->peer = calloc(ranks, sizeof *c->peer);
    c->inquiry = calloc(INQUIRIES, sizeof *c->inquiry);
    if (!c->peer || !c->inquiry || !tabia_hello_describe(c)) return false;
    for (unsigned r = 0; r < ranks; r++) c->peer[r].filling = NOBODY, c->peer[r].heard_at = c->began_at;
    for (unsigned i = 0; i < INQUIRIES; i++) c->free_inquiry[c->frees++] = (uint16_t)(INQUIRIES - 1 - i);
    return true;
}

static void make_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &again);
    pthread_mutexattr_destroy(&again);
}

int tabia_cluster_create(TabiaCluster **cluster, TabiaTransport *transport, TabiaTable *table,
                         const TabiaClusterOptions *options, TabiaReason *why) {
    *cluster = NULL;
    TabiaInfo info;
    tabia_table_info(table, &info);
    if (info.face == TABIA_RECORDS) return refuse(why, TABIA_ERROR_OPTION, "face: a table of records is not spread");
    TabiaCluster *c = calloc(1, sizeof *c);
    if (!c) return refuse(why, TABIA_ERROR_MEMORY, "no memory for a cluster");
    c->transport = transport, c->table = table, c->face = info.face;
    if (options) c->options = *options;
    if (!c->options.setup) c->options.setup = "";
    if (c->options.patience <= 0) c->options.patience = 30;
    if (c->options.arrival <= 0) c->options.arrival = 60;
    if (c->options.linger <= 0) c->options.linger = 200e-6;
    c->began_at = transport->now(transport);
    c->hello_at = -1;
    c->verdict = transport->ranks == 1;
    make_lock(&c->lock);
    if (!get_parts(c)) {
        tabia_cluster_destroy(c);
        return refuse(why, TABIA_ERROR_MEMORY, "no memory for a cluster");
    }
    *cluster = c;
    return 0;
}

void tabia_cluster_destroy(TabiaCluster *c) {
    if (!c) return;
    for (unsigned r = 0; c->peer && r < c->transport->ranks; r++) free(c->peer[r].draft);
    pthread_mutex_destroy(&c->lock);
    free(c->peer);
    free(c->inquiry);
    free(c->setup);
    free(c);
}

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

void tabia_transport_close(TabiaTransport *t, bool all_well) {
    if (t) t->close(t, all_well);
}
