/* SPDX-License-Identifier: MIT */
/*
 * Probes of other ranks' shards, from the first key to the reply or the timeout.
 *
 *     free --> batching (open_request of the owner) --> sent --> answered or timed out --> free, next round
 */
#include "cluster_internal.h"

#include "table/entry_inline.h"

/* ---- the pool ---- */

void tabia_request_init(TabiaCluster *c) {
    for (unsigned i = 0; i < REQUESTS_MAX; i++)
        c->requests.free[c->requests.free_n++] = (uint16_t)(REQUESTS_MAX - 1 - i);
}

static uint32_t request_id(const TabiaCluster *c, const PendingRequest *q) {
    return (uint32_t)(q - c->requests.slot) | q->round << 16;
}

static PendingRequest *request_allocate(TabiaCluster *c, unsigned owner) {
    assert(owner != c->transport->rank);
    if (!c->requests.free_n) return NULL;
    PendingRequest *q = c->requests.slot + c->requests.free[--c->requests.free_n];
    assert(!q->in_use);
    q->in_use = true, q->sent = false, q->owner = owner, q->keys = 0;
    q->since = c->transport->now(c->transport);
    return q;
}

static uint64_t *recent_slot(TabiaCluster *c, TabiaKey key) {
    return c->requests.recent_key + (key.check >> 20) % RECENT_KEYS;
}

/* Answered, dropped or timed out: the keys are no longer pending. */
static void request_release(TabiaCluster *c, PendingRequest *q) {
    assert(q->in_use && c->requests.free_n < REQUESTS_MAX);
    for (unsigned i = 0; i < q->keys; i++)
        if (*recent_slot(c, q->key[i]) == q->key[i].check) *recent_slot(c, q->key[i]) = 0;
    assert(!q->sent || c->peer[q->owner].unanswered > 0);
    if (q->sent) c->peer[q->owner].unanswered--;
    q->in_use = false;
    q->round = (q->round + 1) & 0xffff;
    c->requests.free[c->requests.free_n++] = (uint16_t)(q - c->requests.slot);
}

static void request_send(TabiaCluster *c, PendingRequest *q) {
    ClusterPeer *peer = &c->peer[q->owner];
    ClusterMessage m;
    assert(q->in_use && !q->sent && q->keys && q->keys <= PROBE_KEYS_MAX);
    m.header = (ClusterMessageHeader){.id = request_id(c, q), .items = (uint16_t)q->keys};
    memcpy(m.body, q->key, q->keys * sizeof *q->key);
    if (peer->open_request == q - c->requests.slot) peer->open_request = NO_REQUEST;
    if (peer->dead || !tabia_link_send(c, q->owner, MESSAGE_PROBE, &m, q->keys * sizeof *q->key)) {
        c->count.dropped_probes += q->keys;
        request_release(c, q);
        return;
    }
    c->count.remote_probes += q->keys;
    peer->unanswered++;
    q->sent = true;
    q->since = c->transport->now(c->transport);
}

void tabia_request_flush(TabiaCluster *c, double before) {
    for (unsigned r = 0; r < c->transport->ranks; r++) {
        const unsigned slot = c->peer[r].open_request;
        if (slot != NO_REQUEST && c->requests.slot[slot].since <= before) request_send(c, c->requests.slot + slot);
    }
}

void tabia_request_expire(TabiaCluster *c, unsigned owner, double before) {
    for (unsigned i = 0; i < REQUESTS_MAX; i++) {
        PendingRequest *q = c->requests.slot + i;
        if (!q->in_use || !q->sent || q->owner != owner || q->since > before) continue;
        c->count.timed_out_probes += q->keys;
        if (c->peer[owner].last_received <= before) c->peer[owner].dead = true;
        request_release(c, q);
    }
}

/* ---- the reply ---- */

/* A local entry of the same or a greater depth is kept: it was found for the same path, or will be found again. */
static void accept_entry(TabiaCluster *c, const PendingRequest *q, unsigned i, const uint64_t *data) {
    if (entry_check_word(data[0], data[1], data[2]) != q->key[i].check) {
        c->count.corrupt_entries++;
        return;
    }
    c->count.remote_hits++;
    const TabiaEntry entry = entry_unpack(data[1]);
    const TabiaHit local = tabia_entry_probe(c->table, q->key[i], data[2]);
    if (local.score_ok && local.entry.draft >= entry.draft) return;
    c->count.remote_deeper++;
    tabia_entry_store(c->table, q->key[i], data[2], entry);
}

static unsigned bits_set(const uint64_t *bits, unsigned words) {
    unsigned sum = 0;
    for (unsigned w = 0; w < words; w++) sum += (unsigned)popcount(bits[w]);
    return sum;
}

void tabia_request_reply(TabiaCluster *c, unsigned source, const ClusterMessage *m, size_t words) {
    PendingRequest *q = c->requests.slot + m->header.id % 0x10000 % REQUESTS_MAX;
    if (!q->in_use || !q->sent || request_id(c, q) != m->header.id || q->owner != source) {
        c->count.stale_replies++;
        return;
    }
    const unsigned bitmap = (q->keys + 63) / 64;
    if (m->header.items != q->keys || words < bitmap ||
        words != bitmap + (size_t)ENTRY_WORDS * bits_set(m->body, bitmap)) {
        c->count.corrupt_messages++; /* of another program: the checksum was right */
        return;
    }
    const uint64_t *data = m->body + bitmap;
    for (unsigned i = 0; i < q->keys; i++) {
        if (!(m->body[i / 64] >> i % 64 & 1)) continue;
        accept_entry(c, q, i, data);
        data += ENTRY_WORDS;
    }
    assert(data == m->body + words);
    request_release(c, q);
}

/* ---- probes ---- */

/* A rank that is silent must not hold all requests. */
static unsigned unanswered_max(const TabiaCluster *c) {
    const unsigned share = REQUESTS_MAX / 2 / c->transport->ranks;
    return share < 8 ? 8 : share;
}

/* Appends a key to the open request for its owner, or to a new one. False: no room. */
static bool append_key(TabiaCluster *c, unsigned owner, TabiaKey key) {
    ClusterPeer *peer = c->peer + owner;
    if (peer->dead || peer->unanswered > unanswered_max(c)) return false;
    PendingRequest *q = peer->open_request == NO_REQUEST ? NULL : c->requests.slot + peer->open_request;
    if (!q && !(q = request_allocate(c, owner))) return false;
    assert(q->in_use && !q->sent && q->owner == owner && q->keys < PROBE_KEYS_MAX);
    peer->open_request = (uint16_t)(q - c->requests.slot);
    q->key[q->keys++] = key;
    if (q->keys == PROBE_KEYS_MAX) request_send(c, q);
    return true;
}

/* Requests a single key, for the local table. Never waits for the lock. */
static void request_key(TabiaCluster *c, TabiaKey key) {
    const unsigned owner = owner_of(c, key.index);
    if (owner == c->transport->rank || !cluster_try_lock(c)) return;
    uint64_t *recent = recent_slot(c, key);
    if (*recent != key.check) {
        if (append_key(c, owner, key))
            *recent = key.check;
        else
            c->count.dropped_probes++;
    }
    cluster_unlock(c);
}

TabiaHit tabia_cluster_entry_probe(TabiaCluster *c, TabiaKey key, uint64_t path, unsigned depth) {
    const TabiaHit hit = tabia_entry_probe(c->table, key, path);
    if (!hit.move_ok && depth >= c->options.probe_depth) request_key(c, key);
    return hit;
}

void tabia_cluster_entry_request(TabiaCluster *c, TabiaKey key, unsigned depth) {
    if (depth >= c->options.probe_depth) request_key(c, key);
}

unsigned tabia_cluster_owner(const TabiaCluster *c, TabiaKey key) {
    return owner_of(c, key.index);
}
