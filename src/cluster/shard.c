/* SPDX-License-Identifier: MIT */
/*
 * This rank's shard, which other ranks probe and store into; and stores of this rank on their way to their owners. The
 * owner stores by the replacement rules of the table, so it alone decides what stays.
 */
#include "cluster_internal.h"

#include <stdlib.h>

#include "table/entry_inline.h"

/* ---- the owner's side ---- */

/* An entry that another rank reads is of use: it becomes as fresh as a new one. */
static unsigned lookup_entries(const TabiaCluster *c, const TabiaKey *keys, unsigned n, uint64_t *bits, uint64_t *out) {
    TabiaHit hits[PROBE_KEYS_MAX];
    unsigned found = 0;
    tabia_entry_probe_batch(c->table, keys, NULL, hits, n);
    for (unsigned i = 0; i < n; i++) {
        if (!hits[i].move_ok) continue;
        if (tabia_entry_age(c->table, hits[i])) tabia_entry_refresh(c->table, keys[i]);
        bits[i / 64] |= (uint64_t)1 << i % 64;
        const uint64_t data = entry_pack(hits[i].entry, 0);
        out[ENTRY_WORDS * found] = entry_check_word(keys[i].check, data, hits[i].path);
        out[ENTRY_WORDS * found + 1] = data;
        out[ENTRY_WORDS * found++ + 2] = hits[i].path;
    }
    return found * ENTRY_WORDS;
}

void tabia_shard_serve_probe(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t words) {
    const unsigned n = m->header.items;
    if (n > PROBE_KEYS_MAX || words != n * KEY_WORDS) {
        c->count.corrupt_messages++;
        return;
    }
    ClusterMessage reply = {.header = {.id = m->header.id, .items = (uint16_t)n}};
    const TabiaKey *keys = (const TabiaKey *)m->body;
    const unsigned bitmap = (n + 63) / 64;
    const unsigned out = lookup_entries(c, keys, n, reply.body, reply.body + bitmap);
    assert(bitmap + out <= sizeof reply.body / 8);
    c->count.served_probes += n;
    c->count.served_hits += out / ENTRY_WORDS;
    tabia_link_send(c, source, MESSAGE_REPLY, &reply, (bitmap + out) * 8); /* no room: the request times out */
}

static void apply_entry(TabiaCluster *c, const uint64_t *item) {
    const TabiaKey key = {item[0], entry_check_word(item[1], item[2], item[3])};
    tabia_entry_store(c->table, key, item[3], entry_unpack(item[2]));
}

void tabia_shard_apply_stores(TabiaCluster *c, const ClusterMessage *m, size_t words) {
    const unsigned n = m->header.items, each = 1 + ENTRY_WORDS;
    if (words != n * each) {
        c->count.corrupt_messages++;
        return;
    }
    const uint64_t *item = m->body;
    for (unsigned i = 0; i < n; i++) tabia_table_prefetch(c->table, (TabiaKey){item[i * each], 0});
    for (unsigned i = 0; i < n; i++, item += each) apply_entry(c, item);
    c->count.served_stores += n;
}

/* ---- remote stores ---- */

static void send_outbox(TabiaCluster *c, unsigned destination) {
    StoreOutbox *outbox = c->peer[destination].stores;
    const size_t each = 1 + ENTRY_WORDS;
    assert(outbox->items && outbox->items <= STORES_MAX);
    outbox->message.header = (ClusterMessageHeader){.items = (uint16_t)outbox->items};
    if (tabia_link_send(c, destination, MESSAGE_STORE, &outbox->message, outbox->items * each * 8))
        c->count.remote_stores += outbox->items;
    else
        c->count.dropped_stores += outbox->items;
    outbox->items = 0;
}

void tabia_shard_flush(TabiaCluster *c, double before) {
    for (unsigned r = 0; r < c->transport->ranks; r++) {
        const StoreOutbox *outbox = c->peer[r].stores;
        if (outbox && outbox->items && outbox->since <= before) send_outbox(c, r);
    }
}

/* The words of the next store for a rank; NULL if that rank is dead or memory is short. */
static uint64_t *next_item(TabiaCluster *c, unsigned destination) {
    ClusterPeer *peer = c->peer + destination;
    if (!peer->stores && !peer->dead) peer->stores = calloc(1, sizeof *peer->stores);
    if (peer->dead || !peer->stores) return NULL;
    StoreOutbox *outbox = peer->stores;
    assert(outbox->items < STORES_MAX);
    if (!outbox->items) outbox->since = c->transport->now(c->transport);
    return outbox->message.body + outbox->items++ * (1 + ENTRY_WORDS);
}

void tabia_cluster_entry_store_remote(TabiaCluster *c, TabiaKey key, uint64_t path, TabiaEntry entry) {
    const unsigned owner = owner_of(c, key.index);
    if (owner == c->transport->rank || !cluster_try_lock(c)) return;
    uint64_t *words = next_item(c, owner);
    const uint64_t data = entry_pack(entry, 0), bits = (uint32_t)path;
    if (words)
        memcpy(words, (uint64_t[]){key.index, entry_check_word(key.check, data, bits), data, bits},
               (1 + ENTRY_WORDS) * 8);
    else
        c->count.dropped_stores++;
    if (words && c->peer[owner].stores->items == STORES_MAX) send_outbox(c, owner);
    cluster_unlock(c);
}

void tabia_cluster_entry_store(TabiaCluster *c, TabiaKey key, uint64_t path, TabiaEntry entry, unsigned depth) {
    tabia_entry_store(c->table, key, path, entry);
    if (depth >= c->options.store_depth) tabia_cluster_entry_store_remote(c, key, path, entry);
}
