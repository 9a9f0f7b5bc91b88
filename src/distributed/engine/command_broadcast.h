/* SPDX-License-Identifier: MIT */
/*
 * Text from rank 0 to all others, in order and without loss, down a tree of eight branches: each rank keeps what a
 * child has not confirmed, and sends it again when the child says that it has something else, or nothing for a while.
 *
 *     stream   ......[ first ......... end )      kept: what somebody still needs
 *                        ^ confirmed by a child, sent to it
 *
 * A child that is silent for too long is lost, with those behind it; nothing is kept for it. An empty piece goes out
 * now and then, so that a rank hears that the one above it is alive. One thread.
 */
#pragma once
#include <stddef.h>

#include "base/bits.h"
#include "tabia/cluster.h"

enum { ORDERS_BRANCHES = 8 };

typedef struct {
    unsigned rank;
    bool lost;
    uint64_t confirmed, sent;
    double sent_at, waiting_since; /* since: for the word that the oldest piece under way has come */
} OrdersChild;

typedef struct {
    TabiaCluster *cluster;
    unsigned order_kind, confirm_kind; /* of messages */
    double patience;
    unsigned parent;
    OrdersChild child[ORDERS_BRANCHES];
    unsigned children;
    char *text;
    size_t room;
    uint64_t first, end; /* numbers of bytes in the stream */
    uint64_t read;       /* by this rank */
    bool failed;         /* no memory */
} Orders;

/* Where a rank stands in the tree. */
INLINE unsigned orders_parent(unsigned rank) {
    return rank ? (rank - 1) / ORDERS_BRANCHES : 0;
}

void orders_begin(Orders *o, TabiaCluster *cluster, unsigned order_kind, unsigned confirm_kind, double patience);
void orders_free(Orders *o);

/* Rank 0: more text for all others. */
void orders_append(Orders *o, const char *text, size_t n);

/* Messages of the two kinds. */
void orders_received(Orders *o, unsigned from, const void *bytes, size_t n);
void orders_confirmed(Orders *o, unsigned from, const void *bytes, size_t n);

/* Sends what is due. */
void orders_care(Orders *o);

/* What came and has not been read: *n bytes, which stay until the next call. */
const char *orders_unread(const Orders *o, size_t *n);
void orders_have_read(Orders *o, size_t n);

/* Have all children that are not lost confirmed all? */
bool orders_arrived(const Orders *o);
unsigned orders_lost(const Orders *o);
