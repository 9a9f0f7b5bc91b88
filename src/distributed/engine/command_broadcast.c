/* SPDX-License-Identifier: MIT */
#include "command_broadcast.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 3900, WINDOW = 1 << 16, TRIM = 1 << 16 };
static const double again_after = 0.05, alive_after = 0.25;

/* A message: where its text stands in the stream, and the text. */
typedef struct {
    uint64_t at;
    char text[PIECE];
} Piece;

_Static_assert(sizeof(Piece) <= TABIA_CLUSTER_BYTES_MAX, "a piece is a message");

void orders_begin(Orders *o, TabiaCluster *cluster, unsigned order_kind, unsigned confirm_kind, double patience) {
    const unsigned rank = tabia_cluster_rank(cluster), ranks = tabia_cluster_ranks(cluster);
    *o = (Orders){.cluster = cluster,
                  .order_kind = order_kind,
                  .confirm_kind = confirm_kind,
                  .patience = patience,
                  .parent = orders_parent(rank)};
    for (unsigned i = 0; i < ORDERS_BRANCHES; i++) {
        const uint64_t child = (uint64_t)rank * ORDERS_BRANCHES + 1 + i;
        if (child < ranks) o->child[o->children++].rank = (unsigned)child;
    }
}

void orders_free(Orders *o) {
    free(o->text);
    o->text = NULL;
}

/* ---- the text ---- */

static bool make_room(Orders *o, size_t n) {
    const size_t used = (size_t)(o->end - o->first);
    if (used + n <= o->room) return true;
    const size_t room = 2 * (used + n);
    char *text = realloc(o->text, room);
    if (!text) return o->failed = true, false;
    o->text = text, o->room = room;
    return true;
}

static void add(Orders *o, const char *text, size_t n) {
    if (!n || !make_room(o, n)) return;
    memcpy(o->text + (o->end - o->first), text, n);
    o->end += n;
}

void orders_append(Orders *o, const char *text, size_t n) {
    add(o, text, n);
    o->read = o->end;
}

/* Forgets what nobody needs any more. */
static void trim(Orders *o) {
    uint64_t needed = o->read;
    for (unsigned i = 0; i < o->children; i++)
        if (!o->child[i].lost && o->child[i].confirmed < needed) needed = o->child[i].confirmed;
    if (needed - o->first < TRIM) return;
    memmove(o->text, o->text + (needed - o->first), (size_t)(o->end - needed));
    o->first = needed;
}

const char *orders_unread(const Orders *o, size_t *n) {
    *n = (size_t)(o->end - o->read);
    return *n ? o->text + (o->read - o->first) : "";
}

void orders_have_read(Orders *o, size_t n) {
    o->read += n;
}

/* ---- messages ---- */

void orders_received(Orders *o, unsigned from, const void *bytes, size_t n) {
    const Piece *piece = bytes;
    if (from != o->parent || n < sizeof piece->at) return;
    const size_t length = n - sizeof piece->at;
    if (piece->at <= o->end && piece->at + length > o->end) {
        const size_t known = (size_t)(o->end - piece->at);
        add(o, piece->text + known, length - known);
    }
    tabia_cluster_send(o->cluster, from, o->confirm_kind, &o->end, sizeof o->end); /* lost: the piece comes again */
}

void orders_confirmed(Orders *o, unsigned from, const void *bytes, size_t n) {
    uint64_t end;
    if (n != sizeof end) return;
    memcpy(&end, bytes, sizeof end);
    for (unsigned i = 0; i < o->children; i++) {
        OrdersChild *c = &o->child[i];
        if (c->rank != from || end < c->confirmed || end > o->end) continue;
        if (end == c->confirmed || c->sent < end) c->sent = end; /* the same again: a piece was overtaken or lost */
        if (end > c->confirmed) c->waiting_since = tabia_cluster_now(o->cluster);
        c->confirmed = end;
    }
}

static bool send_piece(Orders *o, OrdersChild *c, size_t n, double now) {
    Piece piece = {.at = c->sent};
    if (n) memcpy(piece.text, o->text + (c->sent - o->first), n);
    if (!tabia_cluster_send(o->cluster, c->rank, o->order_kind, &piece, sizeof piece.at + n)) return false;
    if (c->sent == c->confirmed) c->waiting_since = now;
    c->sent += n;
    c->sent_at = now;
    return true;
}

static void care_for(Orders *o, OrdersChild *c, double now) {
    c->lost = c->confirmed < o->first || tabia_cluster_silence(o->cluster, c->rank) > o->patience;
    if (c->lost) return;
    if (c->sent > c->confirmed && now - c->waiting_since > again_after) c->sent = c->confirmed;
    while (c->sent < o->end && c->sent - c->confirmed < WINDOW) {
        const uint64_t left = o->end - c->sent;
        if (!send_piece(o, c, left < PIECE ? (size_t)left : PIECE, now)) return;
    }
    if (now - c->sent_at > alive_after) send_piece(o, c, 0, now);
}

void orders_care(Orders *o) {
    const double now = tabia_cluster_now(o->cluster);
    for (unsigned i = 0; i < o->children; i++) care_for(o, &o->child[i], now);
    trim(o);
}

bool orders_arrived(const Orders *o) {
    for (unsigned i = 0; i < o->children; i++)
        if (!o->child[i].lost && o->child[i].confirmed < o->end) return false;
    return true;
}

unsigned orders_lost(const Orders *o) {
    unsigned lost = 0;
    for (unsigned i = 0; i < o->children; i++) lost += o->child[i].lost;
    return lost;
}
