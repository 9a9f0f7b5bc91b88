/* SPDX-License-Identifier: MIT */
/* The claims of moves being searched, told to all other ranks: few, since every rank must receive them. */
#include "distributed_engine_internal.h"

enum {
    CLAIM_DEPTH = 8, /* claims of the moves of shallower nodes are not told: they are over when they arrive */
    CLAIM_BURST = 16,
};

static uint16_t claim_worker(const void *context, unsigned thread) {
    const DistributedEngine *d = context;
    return (uint16_t)(1 + (d->rank + (uint64_t)d->ranks * thread) % UINT16_MAX);
}

static bool claim(void *context, TabiaKey key, int depth, uint16_t worker) {
    DistributedEngine *d = context;
    if (atomic_fetch_sub_explicit(&d->search.claims_left, 1, memory_order_relaxed) <= 0) return false;
    tabia_cluster_claim_broadcast(d->cluster, key, (unsigned)depth, worker);
    return true;
}

static void release(void *context, TabiaKey key, uint16_t worker) {
    DistributedEngine *d = context;
    tabia_cluster_release_broadcast(d->cluster, key, worker);
}

void remote_claims_init(DistributedEngine *d) {
    d->peers.claim_depth = CLAIM_DEPTH;
    d->peers.claim_worker = claim_worker, d->peers.claim = claim, d->peers.release = release;
}

void remote_claims_refill(DistributedEngine *d) {
    atomic_store(&d->search.claims_left, CLAIM_BURST);
}
