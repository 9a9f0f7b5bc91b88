/* SPDX-License-Identifier: MIT */
#include "outbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct WaitingMessage {
    struct WaitingMessage *next;
    unsigned to, type;
    size_t n;
    uint64_t word[];
} WaitingMessage;

struct Outbox {
    TabiaCluster *cluster;
    WaitingMessage *first, **end; /* end: where the next one is linked */
};

Outbox *outbox_create(TabiaCluster *cluster) {
    Outbox *o = malloc(sizeof *o);
    if (o) *o = (Outbox){.cluster = cluster, .end = &o->first};
    return o;
}

void outbox_destroy(Outbox *o) {
    if (!o) return;
    for (WaitingMessage *message = o->first, *next; message; message = next) {
        next = message->next;
        free(message);
    }
    free(o);
}

void outbox_send(Outbox *o, unsigned to, WireType type, const void *bytes, size_t n) {
    assert(n <= TABIA_CLUSTER_BYTES_MAX && to < tabia_cluster_ranks(o->cluster));
    if (tabia_cluster_send(o->cluster, to, type, bytes, n)) return;
    WaitingMessage *message = malloc(sizeof *message + n);
    if (!message) return;
    *message = (WaitingMessage){.to = to, .type = type, .n = n};
    if (n) memcpy(message->word, bytes, n);
    *o->end = message;
    o->end = &message->next;
}

static bool contains(const unsigned *list, unsigned n, unsigned rank) {
    for (unsigned i = 0; i < n; i++)
        if (list[i] == rank) return true;
    return false;
}

/* A rank that has no room must not hold up the others, and is tried once per flush: a message that is refused has cost
   as much as one that is sent. What is for the dead is dropped. */
void outbox_flush(Outbox *o) {
    enum { FULL_RANKS_MAX = 16, SKIPPED_MAX = 64 };
    unsigned full[FULL_RANKS_MAX], full_ranks = 0, skipped = 0;
    WaitingMessage **link = &o->first;
    while (*link && full_ranks < FULL_RANKS_MAX && skipped < SKIPPED_MAX) {
        WaitingMessage *message = *link;
        const bool is_full = contains(full, full_ranks, message->to);
        const bool is_alive = tabia_cluster_alive(o->cluster, message->to);
        if (is_alive &&
            (is_full || !tabia_cluster_send(o->cluster, message->to, message->type, message->word, message->n))) {
            if (!is_full) full[full_ranks++] = message->to;
            skipped++;
            link = &message->next;
            continue;
        }
        *link = message->next;
        if (!message->next) o->end = link;
        free(message);
    }
}

bool outbox_is_empty(const Outbox *o) {
    return !o->first;
}
