/* SPDX-License-Identifier: MIT */
/* Probes of other ranks' shares, from the first key until the reply, or until nobody waits for it any more. */
#include "cluster_internal.h"

#include "table/counts_inline.h"
#include "table/entry_inline.h"

/* ---- the pool ---- */

static uint32_t id_of(const TabiaCluster *c, const Inquiry *q) {
    return (uint32_t)(q - c->inquiry) | q->round << 16;
}

static Inquiry *inquiry_new(TabiaCluster *c, unsigned owner, TabiaClusterBatch *batch) {
    if (!c->frees) return NULL;
    Inquiry *q = c->inquiry + c->free_inquiry[--c->frees];
    q->busy = true, q->sent = false, q->owner = owner, q->n = 0, q->batch = batch;
    q->at = c->transport->now(c->transport);
    return q;
}

static uint64_t *recent_of(TabiaCluster *c, TabiaKey key) {
    return c->recent + (key.check >> 20) % RECENT;
}

/* Answered or given up: its keys are no longer asked for. */
static void inquiry_end(TabiaCluster *c, Inquiry *q) {
    for (unsigned i = 0; !q->batch && i < q->n; i++)
        if (*recent_of(c, q->key[i]) == q->key[i].check) *recent_of(c, q->key[i]) = 0;
    if (q->batch) q->batch->open -= q->n;
    if (q->sent) c->peer[q->owner].unanswered--;
    q->busy = false;
    q->round = (q->round + 1) & 0xffff;
    c->free_inquiry[c->frees++] = (uint16_t)(q - c->inquiry);
}

static void inquiry_send(TabiaCluster *c, Inquiry *q) {
    Message m;
    m.head = (Head){.id = id_of(c, q), .items = (uint16_t)q->n};
    memcpy(m.body, q->key, q->n * sizeof *q->key);
    if (c->peer[q->owner].filling == q - c->inquiry) c->peer[q->owner].filling = NOBODY;
    if (c->peer[q->owner].dead || !tabia_cluster_say(c, q->owner, SAY_PROBE, &m, q->n * sizeof *q->key)) {
        c->count.unasked += q->n;
        inquiry_end(c, q);
        return;
    }
    c->count.remote_probes += q->n;
    c->peer[q->owner].unanswered++;
    q->sent = true;
    q->at = c->transport->now(c->transport);
}

void tabia_inquiry_send_partial(TabiaCluster *c, double before) {
    for (unsigned r = 0; r < c->transport->ranks; r++) {
        const unsigned at = c->peer[r].filling;
        if (at != NOBODY && c->inquiry[at].at <= before) inquiry_send(c, c->inquiry + at);
    }
}

/* What was sent to `owner` before that time. A rank that was silent since then as well is dead. */
void tabia_inquiry_give_up(TabiaCluster *c, unsigned owner, double before) {
    for (unsigned i = 0; i < INQUIRIES; i++) {
        Inquiry *q = c->inquiry + i;
        if (!q->busy || !q->sent || q->owner != owner || q->at > before) continue;
        c->count.given_up += q->n;
        if (c->peer[owner].heard_at <= before) c->peer[owner].dead = true;
        inquiry_end(c, q);
    }
}

/* ---- the reply ---- */

static void take_count(TabiaCluster *c, const Inquiry *q, unsigned i, const uint64_t *found) {
    const uint64_t count = found[1];
    if (count_seal(found[0], count) != q->key[i].check) {
        c->count.damaged_entries++;
        return;
    }
    c->count.remote_hits++;
    tabia_counts_store(c->table, q->key[i], 0, count);
    if (q->batch) q->batch->counts[q->place[i]] = count;
}

/* Not over something as deep that is known here: it was found for the same path, or will be found again. */
static void take_entry(TabiaCluster *c, const Inquiry *q, unsigned i, const uint64_t *found) {
    if (entry_seal(found[0], found[1], found[2]) != q->key[i].check) {
        c->count.damaged_entries++;
        return;
    }
    c->count.remote_hits++;
    const TabiaEntry entry = entry_unpack(found[1]);
    const TabiaHit known = tabia_entry_probe(c->table, q->key[i], found[2]);
    if (known.score_ok && known.entry.draft >= entry.draft) return;
    c->count.remote_news++;
    tabia_entry_store(c->table, q->key[i], found[2], entry);
}

static unsigned bits_in(const uint64_t *bits, unsigned words) {
    unsigned sum = 0;
    for (unsigned w = 0; w < words; w++) sum += (unsigned)count(bits[w]);
    return sum;
}

void tabia_inquiry_replied(TabiaCluster *c, unsigned from, const Message *m, size_t words) {
    Inquiry *q = c->inquiry + m->head.id % 0x10000 % INQUIRIES;
    if (!q->busy || !q->sent || id_of(c, q) != m->head.id || q->owner != from) {
        c->count.stale++;
        return;
    }
    const unsigned bitmap = (q->n + 63) / 64, each = c->face == TABIA_COUNTS ? COUNT_WORDS : ENTRY_WORDS;
    if (m->head.items != q->n || words < bitmap || words != bitmap + (size_t)each * bits_in(m->body, bitmap)) {
        c->count.damaged++; /* from another program: the check was right */
        return;
    }
    const uint64_t *found = m->body + bitmap;
    for (unsigned i = 0; i < q->n; i++) {
        if (!(m->body[i / 64] >> i % 64 & 1)) continue;
        if (c->face == TABIA_COUNTS)
            take_count(c, q, i, found);
        else
            take_entry(c, q, i, found);
        found += each;
    }
    inquiry_end(c, q);
}

/* ---- asking ---- */

/* One that is silent must not hold all of them. */
static unsigned unanswered_most(const TabiaCluster *c) {
    const unsigned share = INQUIRIES / 2 / c->transport->ranks;
    return share < 8 ? 8 : share;
}

/* One more key for an owner: into the message that is being filled, or a new one. False: no room. */
static bool ask(TabiaCluster *c, unsigned owner, TabiaKey key, TabiaClusterBatch *batch, size_t place) {
    Peer *peer = c->peer + owner;
    if (peer->dead || (!batch && peer->unanswered > unanswered_most(c))) return false;
    Inquiry *q = peer->filling == NOBODY ? NULL : c->inquiry + peer->filling;
    if (q && q->batch != batch) inquiry_send(c, q), q = NULL;
    if (!q && !(q = inquiry_new(c, owner, batch))) return false;
    peer->filling = (uint16_t)(q - c->inquiry);
    q->key[q->n] = key, q->place[q->n] = (uint32_t)place;
    q->n++;
    if (batch) batch->open++;
    if (q->n == ITEMS_MAX) inquiry_send(c, q);
    return true;
}

void tabia_cluster_counts_ask(TabiaCluster *c, TabiaClusterBatch *batch, const TabiaKey *keys, unsigned depth,
                              uint64_t *counts, size_t n) {
    *batch = (TabiaClusterBatch){.counts = counts};
    tabia_counts_probe_many(c->table, keys, depth, counts, n);
    cluster_lock(c);
    c->count.probes += n;
    for (size_t i = 0; i < n; i++) {
        if (counts[i]) {
            c->count.local_hits++;
            continue;
        }
        if (depth < c->options.probe_depth) continue;
        const TabiaKey mixed = counts_key(keys[i], depth);
        const unsigned owner = owner_of(c, mixed.index);
        cluster_trace(c, TABIA_CLUSTER_ASK, depth, owner);
        if (owner != c->transport->rank && !ask(c, owner, mixed, batch, i)) c->count.unasked++;
    }
    for (unsigned r = 0; r < c->transport->ranks; r++)
        if (c->peer[r].filling != NOBODY && c->inquiry[c->peer[r].filling].batch == batch)
            inquiry_send(c, c->inquiry + c->peer[r].filling);
    cluster_unlock(c);
}

bool tabia_cluster_answered(const TabiaCluster *c, const TabiaClusterBatch *batch) {
    cluster_lock(c);
    const bool answered = batch->open == 0;
    cluster_unlock(c);
    return answered;
}

/* A single key, for the local table. Never waits for the lock. */
static void ask_alone(TabiaCluster *c, TabiaKey key, unsigned depth) {
    const unsigned owner = owner_of(c, key.index);
    if (owner == c->transport->rank && !c->options.trace) return;
    if (!cluster_try_lock(c)) return;
    uint64_t *recent = recent_of(c, key);
    if (*recent != key.check) {
        cluster_trace(c, TABIA_CLUSTER_ASK, depth, owner);
        if (owner != c->transport->rank) {
            if (ask(c, owner, key, NULL, 0))
                *recent = key.check;
            else
                c->count.unasked++;
        }
    }
    cluster_unlock(c);
}

TabiaHit tabia_cluster_entry_probe(TabiaCluster *c, TabiaKey key, uint64_t path, unsigned depth) {
    const TabiaHit hit = tabia_entry_probe(c->table, key, path);
    if (!hit.move_ok && depth >= c->options.probe_depth) ask_alone(c, key, depth);
    return hit;
}

void tabia_cluster_entry_request(TabiaCluster *c, TabiaKey key, unsigned depth) {
    if (depth >= c->options.probe_depth) ask_alone(c, key, depth);
}

void tabia_cluster_entry_ask(TabiaCluster *c, TabiaKey key, unsigned depth) {
    tabia_cluster_entry_probe(c, key, 0, depth);
}

uint64_t tabia_cluster_counts_probe(TabiaCluster *c, TabiaKey key, unsigned depth) {
    const uint64_t count = tabia_counts_probe(c->table, key, depth);
    if (!count && depth >= c->options.probe_depth) ask_alone(c, counts_key(key, depth), depth);
    return count;
}

unsigned tabia_cluster_owner(const TabiaCluster *c, TabiaKey key) {
    return owner_of(c, key.index);
}

unsigned tabia_cluster_counts_owner(const TabiaCluster *c, TabiaKey key, unsigned depth) {
    return owner_of(c, counts_key(key, depth).index);
}
