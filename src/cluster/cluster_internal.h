/* SPDX-License-Identifier: MIT */
/*
 * A cluster from inside. Everything but the constant part is under one lock, which whoever is at the messages holds; it
 * may be taken again by its holder, because what is received may send.
 *
 *     inquiry    a probe message of up to ITEMS_MAX keys to one owner, from the first key until the reply
 *     draft      stores to one rank, being gathered
 *
 * An inquiry's number is slot | round << 16, so that a reply to one that was given up is recognised.
 */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "message.h"
#include "tabia/cluster.h"

enum { INQUIRIES = 512, RECENT = 1024, NOBODY = 0xffff };

typedef struct {
    uint32_t round;
    bool busy, sent;
    unsigned owner, n;
    double at;                /* when its first key came, or when it was sent */
    TabiaClusterBatch *batch; /* NULL: entries, for the local table only */
    TabiaKey key[ITEMS_MAX];
    uint32_t place[ITEMS_MAX]; /* in the batch's counts */
} Inquiry;

typedef struct {
    Message message; /* first: aligned */
    unsigned items;
    double at; /* when its first item came */
} Draft;

typedef struct {
    Draft *draft;        /* NULL until something is stored there */
    uint16_t filling;    /* the inquiry that takes more entries, or NOBODY */
    unsigned unanswered; /* inquiries */
    double heard_at;
    atomic_bool dead; /* read without the lock */
    bool greeted;
} Peer;

struct TabiaCluster {
    TabiaTransport *transport;
    TabiaTable *table;
    TabiaFace face;
    TabiaClusterOptions options;
    char *setup; /* with the table's shape */

    pthread_mutex_t lock;
    _Atomic double due; /* when to look for messages again */
    double look_cost;   /* seconds, of late, where nothing was there */
    double cared_at, reviewed_at;
    Peer *peer;
    Inquiry *inquiry;
    uint16_t free_inquiry[INQUIRIES];
    unsigned frees;
    uint64_t recent[RECENT]; /* keys of entries asked for and not answered */

    unsigned greetings;
    double hello_at, began_at;
    int verdict; /* 0: open */
    TabiaReason why;
    TabiaClusterCounters count;
};

INLINE unsigned owner_of(const TabiaCluster *c, uint64_t index) {
    const uint64_t turned = index << 32 | index >> 32; /* the bits that the bucket takes last come first */
    return (unsigned)((unsigned __int128)turned * c->transport->ranks >> 64);
}

/* Seconds from one look for messages to the next, where an empty one costs so many. A search waits for its answers, and
   what it asks must not wait long for a full message; a perft does other work. */
INLINE double look_wait(TabiaFace face, double linger, double cost) {
    const bool counts = face == TABIA_COUNTS;
    const double wait = (counts ? 400 : 100) * cost, least = counts ? 500e-6 : 20e-6, most = counts ? 1e-3 : linger;
    return wait < least ? least : wait < most ? wait : most;
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

INLINE void cluster_trace(const TabiaCluster *c, TabiaClusterEvent event, unsigned depth, unsigned owner) {
    if (UNLIKELY(c->options.trace != NULL))
        c->options.trace(c->options.context, event, depth, owner, c->transport->now(c->transport));
}

/* Under the lock, all of these. */

/* Fills in the head and sends `words` words of body. */
bool tabia_cluster_say(TabiaCluster *c, unsigned to, SayKind kind, Message *m, size_t bytes);

/* inquiry.c */
void tabia_inquiry_replied(TabiaCluster *c, unsigned from, const Message *m, size_t words);
void tabia_inquiry_send_partial(TabiaCluster *c, double before);
void tabia_inquiry_give_up(TabiaCluster *c, unsigned owner, double before);

/* share.c: the owner's side, and stores on their way to it */
void tabia_share_probed(TabiaCluster *c, unsigned from, const Message *m, size_t words);
void tabia_share_stored(TabiaCluster *c, const Message *m, size_t words);
void tabia_share_send_partial(TabiaCluster *c, double before);

/* hello.c */
bool tabia_hello_describe(TabiaCluster *c);
void tabia_hello_heard(TabiaCluster *c, unsigned from, const Message *m, size_t bytes);
void tabia_hello_verdict(TabiaCluster *c, const Message *m, size_t bytes);
void tabia_hello_care(TabiaCluster *c, double now);
