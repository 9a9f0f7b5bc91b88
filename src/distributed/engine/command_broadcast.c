/* SPDX-License-Identifier: MIT */
#include "command_broadcast.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENT_BYTES = 3900, WINDOW_BYTES = 1 << 16, TRIM_BYTES = 1 << 16 };
static const double retransmit_after = 0.05, keepalive_after = 0.25; /* seconds */

/* A message: an offset in the stream, and the text from there on. */
typedef struct {
    uint64_t offset;
    char text[SEGMENT_BYTES];
} BroadcastSegment;

_Static_assert(sizeof(BroadcastSegment) <= TABIA_CLUSTER_BYTES_MAX, "a segment is a message");

void broadcast_init(CommandBroadcast *b, TabiaCluster *cluster, BroadcastTags tag, double timeout) {
    const unsigned rank = tabia_cluster_rank(cluster), ranks = tabia_cluster_ranks(cluster);
    *b = (CommandBroadcast){.cluster = cluster, .tag = tag, .timeout = timeout, .parent = broadcast_parent(rank)};
    for (unsigned i = 0; i < BROADCAST_BRANCHES; i++) {
        const uint64_t child = broadcast_child(rank, i);
        if (child < ranks) b->child[b->children++].rank = (unsigned)child;
    }
}

void broadcast_release(CommandBroadcast *b) {
    free(b->text);
    b->text = NULL;
}

/* ---- the text ---- */

static bool reserve(CommandBroadcast *b, size_t n) {
    const size_t used = (size_t)(b->end - b->first);
    if (used + n <= b->capacity) return true;
    const size_t capacity = 2 * (used + n);
    char *text = realloc(b->text, capacity);
    if (!text) return b->failed = true, false;
    b->text = text, b->capacity = capacity;
    return true;
}

static void append(CommandBroadcast *b, const char *text, size_t n) {
    if (!n || !reserve(b, n)) return;
    assert((size_t)(b->end - b->first) + n <= b->capacity);
    memcpy(b->text + (b->end - b->first), text, n);
    b->end += n;
}

void broadcast_append(CommandBroadcast *b, const char *text, size_t n) {
    append(b, text, n);
    b->read = b->end;
}

/* Frees what every child has acknowledged and this rank has read. */
static void trim(CommandBroadcast *b) {
    uint64_t needed = b->read;
    for (unsigned i = 0; i < b->children; i++)
        if (!b->child[i].lost && b->child[i].acknowledged < needed) needed = b->child[i].acknowledged;
    assert(b->first <= needed && needed <= b->end);
    if (needed - b->first < TRIM_BYTES) return;
    memmove(b->text, b->text + (needed - b->first), (size_t)(b->end - needed));
    b->first = needed;
}

const char *broadcast_unread(const CommandBroadcast *b, size_t *n) {
    *n = (size_t)(b->end - b->read);
    return *n ? b->text + (b->read - b->first) : "";
}

void broadcast_consume(CommandBroadcast *b, size_t n) {
    assert(n <= b->end - b->read);
    b->read += n;
}

/* ---- messages ---- */

void broadcast_receive_command(CommandBroadcast *b, unsigned source, const void *bytes, size_t n) {
    const BroadcastSegment *segment = bytes;
    if (source != b->parent || n < sizeof segment->offset) return;
    const size_t length = n - sizeof segment->offset;
    if (segment->offset <= b->end && segment->offset + length > b->end) {
        const size_t known = (size_t)(b->end - segment->offset);
        append(b, segment->text + known, length - known);
    }
    /* If the acknowledgement is lost, the segment comes again. */
    tabia_cluster_send(b->cluster, source, b->tag.acknowledge, &b->end, sizeof b->end);
}

void broadcast_receive_acknowledge(CommandBroadcast *b, unsigned source, const void *bytes, size_t n) {
    uint64_t end;
    if (n != sizeof end) return;
    memcpy(&end, bytes, sizeof end);
    for (unsigned i = 0; i < b->children; i++) {
        BroadcastChild *c = &b->child[i];
        if (c->rank != source || end < c->acknowledged || end > b->end) continue;
        if (end == c->acknowledged || c->sent < end) c->sent = end; /* a duplicate: a segment was overtaken or lost */
        if (end > c->acknowledged) c->waiting_since = tabia_cluster_now(b->cluster);
        c->acknowledged = end;
    }
}

static bool send_segment(CommandBroadcast *b, BroadcastChild *c, size_t n, double now) {
    assert(n <= SEGMENT_BYTES && c->sent >= b->first && c->sent + n <= b->end);
    BroadcastSegment segment = {.offset = c->sent};
    if (n) memcpy(segment.text, b->text + (c->sent - b->first), n);
    if (!tabia_cluster_send(b->cluster, c->rank, b->tag.command, &segment, sizeof segment.offset + n)) return false;
    if (c->sent == c->acknowledged) c->waiting_since = now;
    c->sent += n;
    c->sent_at = now;
    return true;
}

static void progress_child(CommandBroadcast *b, BroadcastChild *c, double now) {
    c->lost = c->acknowledged < b->first || tabia_cluster_silence(b->cluster, c->rank) > b->timeout;
    if (c->lost) return;
    if (c->sent > c->acknowledged && now - c->waiting_since > retransmit_after) c->sent = c->acknowledged;
    assert(c->acknowledged <= c->sent && c->sent <= b->end);
    while (c->sent < b->end && c->sent - c->acknowledged < WINDOW_BYTES) {
        const uint64_t left = b->end - c->sent;
        if (!send_segment(b, c, left < SEGMENT_BYTES ? (size_t)left : SEGMENT_BYTES, now)) return;
    }
    if (now - c->sent_at > keepalive_after) send_segment(b, c, 0, now);
}

void broadcast_progress(CommandBroadcast *b) {
    const double now = tabia_cluster_now(b->cluster);
    for (unsigned i = 0; i < b->children; i++) progress_child(b, &b->child[i], now);
    trim(b);
}

bool broadcast_is_delivered(const CommandBroadcast *b) {
    for (unsigned i = 0; i < b->children; i++)
        if (!b->child[i].lost && b->child[i].acknowledged < b->end) return false;
    return true;
}

unsigned broadcast_lost(const CommandBroadcast *b) {
    unsigned lost = 0;
    for (unsigned i = 0; i < b->children; i++) lost += b->child[i].lost;
    return lost;
}
