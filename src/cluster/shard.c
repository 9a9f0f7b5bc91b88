/* SPDX-License-Identifier: MIT */
/*
 * This rank's share: what others ask of it and store in it, and its own stores on their way to their owners. The owner
 * stores by the table's own rules, so it alone decides what stays.
 */
#include "cluster_internal.h"

#include <stdlib.h>

#include "table/counts_inline.h"
#include "table/entry_inline.h"

/* ---- served ---- */

static unsigned find_counts(const TabiaCluster *c, const TabiaKey *keys, unsigned n, uint64_t *bits, uint64_t *out) {
    uint64_t counts[ITEMS_MAX];
    unsigned found = 0;
    tabia_counts_probe_many(c->table, keys, 0, counts, n); /* the depth is in the keys already */
    for (unsigned i = 0; i < n; i++) {
        if (!counts[i]) continue;
        bits[i / 64] |= (uint64_t)1 << i % 64;
        out[COUNT_WORDS * found] = count_seal(keys[i].check, counts[i]);
        out[COUNT_WORDS * found++ + 1] = counts[i];
    }
    return found * COUNT_WORDS;
}

/* What was asked for is of use: it becomes as fresh as if it were stored now. */
static unsigned find_entries(const TabiaCluster *c, const TabiaKey *keys, unsigned n, uint64_t *bits, uint64_t *out) {
    TabiaHit hits[ITEMS_MAX];
    unsigned found = 0;
    tabia_entry_probe_many(c->table, keys, NULL, hits, n);
    for (unsigned i = 0; i < n; i++) {
        if (!hits[i].move_ok) continue;
        if (tabia_entry_age(c->table, hits[i])) tabia_entry_refresh(c->table, keys[i]);
        bits[i / 64] |= (uint64_t)1 << i % 64;
        const uint64_t data = entry_pack(hits[i].entry, 0);
        out[ENTRY_WORDS * found] = entry_seal(keys[i].check, data, hits[i].path);
        out[ENTRY_WORDS * found + 1] = data;
        out[ENTRY_WORDS * found++ + 2] = hits[i].path;
    }
    return found * ENTRY_WORDS;
}

void tabia_share_probed(TabiaCluster *c, unsigned from, const Message *m, size_t words) {
    const unsigned n = m->head.items;
    if (n > ITEMS_MAX || words != n * KEY_WORDS) {
        c->count.damaged++;
        return;
    }
    Message reply = {.head = {.id = m->head.id, .items = (uint16_t)n}};
    const TabiaKey *keys = (const TabiaKey *)m->body;
    const unsigned bitmap = (n + 63) / 64;
    const unsigned out = c->face == TABIA_COUNTS ? find_counts(c, keys, n, reply.body, reply.body + bitmap)
                                                 : find_entries(c, keys, n, reply.body, reply.body + bitmap);
    c->count.served_probes += n;
    c->count.served_hits += out / (c->face == TABIA_COUNTS ? COUNT_WORDS : ENTRY_WORDS);
    tabia_cluster_say(c, from, SAY_REPLY, &reply, (bitmap + out) * 8); /* without room, the asker gives up in time */
}

void tabia_share_stored(TabiaCluster *c, const Message *m, size_t words) {
    const unsigned n = m->head.items, each = 1 + (c->face == TABIA_COUNTS ? COUNT_WORDS : ENTRY_WORDS);
    if (words != n * each) {
        c->count.damaged++;
        return;
    }
    const uint64_t *item = m->body;
    for (unsigned i = 0; i < n; i++) tabia_table_prefetch(c->table, (TabiaKey){item[i * each], 0});
    for (unsigned i = 0; i < n; i++, item += each) {
        if (c->face == TABIA_COUNTS) {
            tabia_counts_store(c->table, (TabiaKey){item[0], count_seal(item[1], item[2])}, 0, item[2]);
        } else {
            const TabiaKey key = {item[0], entry_seal(item[1], item[2], item[3])};
            tabia_entry_store(c->table, key, item[3], entry_unpack(item[2]));
        }
    }
    c->count.served_stores += n;
}

/* ---- sent ---- */

static void send_draft(TabiaCluster *c, unsigned to) {
    Draft *draft = c->peer[to].draft;
    const size_t each = 1 + (c->face == TABIA_COUNTS ? COUNT_WORDS : ENTRY_WORDS);
    draft->message.head = (Head){.items = (uint16_t)draft->items};
    if (tabia_cluster_say(c, to, SAY_STORE, &draft->message, draft->items * each * 8))
        c->count.remote_stores += draft->items;
    else
        c->count.lost_stores += draft->items;
    draft->items = 0;
}

void tabia_share_send_partial(TabiaCluster *c, double before) {
    for (unsigned r = 0; r < c->transport->ranks; r++) {
        const Draft *draft = c->peer[r].draft;
        if (draft && draft->items && draft->at <= before) send_draft(c, r);
    }
}

/* The words of a store for `to`; NULL if that rank is dead or memory is out. */
static uint64_t *next_item(TabiaCluster *c, unsigned to) {
    Peer *peer = c->peer + to;
    if (!peer->draft && !peer->dead) peer->draft = calloc(1, sizeof *peer->draft);
    if (peer->dead || !peer->draft) return NULL;
    Draft *draft = peer->draft;
    if (!draft->items) draft->at = c->transport->now(c->transport);
    return draft->message.body + draft->items++ * (1 + (c->face == TABIA_COUNTS ? COUNT_WORDS : ENTRY_WORDS));
}

static void store_remotely(TabiaCluster *c, unsigned owner, const uint64_t *words, unsigned n) {
    uint64_t *item = next_item(c, owner);
    if (!item) {
        c->count.lost_stores++;
        return;
    }
    memcpy(item, words, n * sizeof *words);
    if (c->peer[owner].draft->items == STORES_MAX) send_draft(c, owner);
}

void tabia_cluster_counts_store(TabiaCluster *c, TabiaKey key, unsigned depth, uint64_t count) {
    tabia_counts_store(c->table, key, depth, count);
    if (!count || depth < c->options.store_depth) return;
    const TabiaKey mixed = counts_key(key, depth);
    const unsigned owner = owner_of(c, mixed.index);
    if (owner == c->transport->rank && !c->options.trace) return;
    if (!cluster_try_lock(c)) return;
    cluster_trace(c, TABIA_CLUSTER_STORE, depth, owner);
    const uint64_t words[] = {mixed.index, count_seal(mixed.check, count), count};
    if (owner != c->transport->rank) store_remotely(c, owner, words, 1 + COUNT_WORDS);
    cluster_unlock(c);
}

/* An entry as it travels. */
typedef struct {
    uint64_t words[1 + ENTRY_WORDS];
} EntryItem;

static EntryItem entry_item(TabiaKey key, uint64_t path, TabiaEntry entry) {
    const uint64_t data = entry_pack(entry, 0), bits = (uint32_t)path;
    return (EntryItem){{key.index, entry_seal(key.check, data, bits), data, bits}};
}

void tabia_cluster_entry_send(TabiaCluster *c, TabiaKey key, uint64_t path, TabiaEntry entry, unsigned depth) {
    const unsigned owner = owner_of(c, key.index);
    if (owner == c->transport->rank && !c->options.trace) return;
    if (!cluster_try_lock(c)) return;
    cluster_trace(c, TABIA_CLUSTER_STORE, depth, owner);
    const EntryItem item = entry_item(key, path, entry);
    if (owner != c->transport->rank) store_remotely(c, owner, item.words, 1 + ENTRY_WORDS);
    cluster_unlock(c);
}

void tabia_cluster_entry_store(TabiaCluster *c, TabiaKey key, uint64_t path, TabiaEntry entry, unsigned depth) {
    tabia_entry_store(c->table, key, path, entry);
    if (depth >= c->options.store_depth) tabia_cluster_entry_send(c, key, path, entry, depth);
}

void tabia_cluster_entry_spread(TabiaCluster *c, TabiaKey key, uint64_t path, TabiaEntry entry) {
    if (!cluster_try_lock(c)) return;
    const EntryItem item = entry_item(key, path, entry);
    for (unsigned r = 0; r < c->transport->ranks; r++)
        if (r != c->transport->rank) store_remotely(c, r, item.words, 1 + ENTRY_WORDS);
    cluster_unlock(c);
}
