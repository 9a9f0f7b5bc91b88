/* SPDX-License-Identifier: MIT */
/*
 * A reliable, ordered broadcast of text from rank 0 to all other ranks, down a tree of eight branches: each rank keeps
 * what a child has not acknowledged, and sends it again when the child acknowledges the same offset twice, or nothing
 * for 50 ms.
 *
 *     stream   ......[ first ......... end )      kept: what some child still needs
 *                        ^ acknowledged by a child, sent to it
 *
 * A child that is silent for the timeout is lost, with the ranks below it; nothing is kept for it. An empty segment
 * every 250 ms tells a rank that its parent is alive. One thread.
 */
#pragma once
#include <stddef.h>

#include "base/bits.h"
#include "tabia/cluster.h"

enum { BROADCAST_BRANCHES = 8 };

typedef struct {
    unsigned rank;
    bool lost;
    uint64_t acknowledged, sent;   /* offsets in the stream */
    double sent_at, waiting_since; /* since: for the acknowledgement of the oldest segment in flight */
} BroadcastChild;

typedef struct {
    unsigned command, acknowledge;
} BroadcastTags;

typedef struct {
    TabiaCluster *cluster;
    BroadcastTags tag;
    double timeout;
    unsigned parent;
    BroadcastChild child[BROADCAST_BRANCHES];
    unsigned children;
    char *text;
    size_t capacity;
    uint64_t first, end; /* offsets of the bytes that are kept */
    uint64_t read;       /* by this rank */
    bool failed;         /* out of memory */
} CommandBroadcast;

/* The parent of a rank in the tree; rank 0 is the root. */
INLINE unsigned broadcast_parent(unsigned rank) {
    return rank ? (rank - 1) / BROADCAST_BRANCHES : 0;
}
/* The child of a rank on branch 0 to BROADCAST_BRANCHES - 1; it exists if it is less than the number of ranks. */
INLINE uint64_t broadcast_child(unsigned rank, unsigned branch) {
    return (uint64_t)rank * BROADCAST_BRANCHES + 1 + branch;
}

/* The cluster stays the caller's. timeout: seconds. */
void broadcast_init(CommandBroadcast *b, TabiaCluster *cluster, BroadcastTags tag, double timeout);
void broadcast_release(CommandBroadcast *b);

/* Rank 0: appends text for all other ranks. */
void broadcast_append(CommandBroadcast *b, const char *text, size_t n);

/* Messages with the two tags. */
void broadcast_receive_command(CommandBroadcast *b, unsigned source, const void *bytes, size_t n);
void broadcast_receive_acknowledge(CommandBroadcast *b, unsigned source, const void *bytes, size_t n);

/* Sends and repeats what is due; to be called about every millisecond. */
void broadcast_progress(CommandBroadcast *b);

/* The text received and not yet read: *n bytes, valid until the next call. */
const char *broadcast_unread(const CommandBroadcast *b, size_t *n);
/* Marks n bytes of it as read. */
void broadcast_consume(CommandBroadcast *b, size_t n);

/* Have all children that are not lost acknowledged everything? */
bool broadcast_is_delivered(const CommandBroadcast *b);
/* How many children are lost. */
unsigned broadcast_lost(const CommandBroadcast *b);
