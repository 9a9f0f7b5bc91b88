/* SPDX-License-Identifier: MIT */
/*
 * A cluster from inside. Everything but the constant part is under one lock, held by the thread that is at the
 * messages. The lock is recursive, because a receive callback may send.
 *
 *     pending request    a probe message of up to PROBE_KEYS_MAX keys to one owner, from its first key to the reply
 *     store outbox       stores to one rank, being batched
 *
 * The id of a request is slot | round << 16: a reply to a request that was given up has another round and is refused.
 *
 * Calls point one way:
 *
 *     cluster.c      lifecycle, the program's messages, progress: what has come goes to the module that it is for
 *         |
 *     handshake.c    do all ranks agree?       request.c    probes of other ranks       shard.c    the owner's side; stores
 *         |
 *     link.c         messages with a header and a checksum, over the transport
 */
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "message.h"
#include "tabia/cluster.h"

enum { REQUESTS_MAX = 512, RECENT_KEYS = 1024, NO_REQUEST = 0xffff };

typedef struct {
    uint32_t round;
    bool in_use, sent;
    unsigned owner, keys;
    double since; /* when the first key came; once sent, when it was sent */
    TabiaKey key[PROBE_KEYS_MAX];
} PendingRequest;

typedef struct {
    ClusterMessage message; /* first: aligned */
    unsigned items;
    double since; /* when its first item came */
} StoreOutbox;

/* What this rank knows of another one. */
typedef struct {
    StoreOutbox *stores;   /* NULL until the first store for that rank */
    uint16_t open_request; /* slot of the request that takes more keys, or NO_REQUEST */
    unsigned unanswered;   /* requests sent and not answered */
    double last_received;
    atomic_bool dead; /* read without the lock */
    bool greeted;     /* its hello has come */
} ClusterPeer;

/* request.c's. */
typedef struct {
    PendingRequest *slot; /* REQUESTS_MAX */
    uint16_t free[REQUESTS_MAX];
    unsigned free_n;
    uint64_t recent_key[RECENT_KEYS]; /* check words of keys requested and not answered */
} ClusterRequests;

/* handshake.c's. */
typedef struct {
    char *description; /* configuration and geometry of the table: what the ranks compare */
    unsigned greetings;
    double hello_sent_at;
    int verdict; /* 0: open */
    TabiaError error;
} ClusterHandshake;

struct TabiaCluster {
    TabiaTransport *transport;
    TabiaTable *table; /* of entries; NULL: messages of the program alone */
    TabiaClusterOptions options;

    pthread_mutex_t lock;
    _Atomic double next_poll; /* when the next poll is due */
    double empty_poll_cost;   /* seconds, moving average over polls that received nothing */
    double polled_at;         /* when the last poll began */
    double maintained_at, timeouts_checked_at;
    double created_at;
    ClusterPeer *peer;
    ClusterRequests requests;
    ClusterHandshake handshake;
    TabiaClusterCounters count;
};

INLINE unsigned owner_of(const TabiaCluster *c, uint64_t index) {
    const uint64_t swapped = index << 32 | index >> 32; /* the bits that the bucket uses last come first */
    return (unsigned)((unsigned __int128)swapped * c->transport->ranks >> 64);
}

/* Seconds from one poll to the next. A search waits for its replies, and its requests
   must not wait long for a full message; a perft does other work meanwhile. */
INLINE double poll_interval(const TabiaCluster *c) {
    const double interval = (c->table ? 100 : 400) * c->empty_poll_cost, min = c->table ? 20e-6 : 500e-6;
    const double max = c->table ? c->options.batching_delay : 1e-3;
    return interval < min ? min : interval < max ? interval : max;
}

INLINE void cluster_lock(const TabiaCluster *c) {
    pthread_mutex_lock((pthread_mutex_t *)&c->lock);
}
INLINE bool cluster_try_lock(const TabiaCluster *c) {
    return pthread_mutex_trylock((pthread_mutex_t *)&c->lock) == 0;
}
INLINE void cluster_unlock(const TabiaCluster *c) {
    pthread_mutex_unlock((pthread_mutex_t *)&c->lock);
}

/* The lock is held in all of these. */

/* link.c. Completes the header and sends a message with a body of that many bytes. False: no room now. */
bool tabia_link_send(TabiaCluster *c, unsigned destination, ClusterMessageType type, ClusterMessage *m, size_t bytes);
/* A message of n bytes has come: counts it. Is it whole, and from whom it says? */
bool tabia_link_receive(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t n);

/* request.c. words: length of the body. before: on the transport's clock */
void tabia_request_init(TabiaCluster *c);
void tabia_request_reply(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t words);
/* Sends the requests whose first key came no later than `before`, full or not. */
void tabia_request_flush(TabiaCluster *c, double before);
/* Gives up what was sent to `owner` no later than `before`. A rank that was silent since then as well is dead. */
void tabia_request_expire(TabiaCluster *c, unsigned owner, double before);

/* shard.c: the owner's side, and stores on their way to it */
void tabia_shard_serve_probe(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t words);
void tabia_shard_apply_stores(TabiaCluster *c, const ClusterMessage *m, size_t words);
void tabia_shard_flush(TabiaCluster *c, double before);

/* handshake.c */
bool tabia_handshake_init(TabiaCluster *c);
void tabia_handshake_hello(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t bytes);
void tabia_handshake_verdict(TabiaCluster *c, const ClusterMessage *m, size_t bytes);
/* Repeats the hello, and ends the handshake when its time is over. */
void tabia_handshake_maintain(TabiaCluster *c, double now);
