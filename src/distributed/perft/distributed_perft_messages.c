/* SPDX-License-Identifier: MIT */
/* Messages of a rank: each goes to the module that it is for, if the phase is right for it. */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "distributed_perft_internal.h"
#include "outbox.h"

DistributedPerftStats distributed_perft_own_stats(const DistributedPerft *p) {
    DistributedPerftStats stats = {.ranks = 1, .idle_steps = p->stats.idle_steps};
    rank_worker_add_stats(p->worker, &stats);
    tabia_cluster_counters(p->rank.cluster, &stats.table);
    return stats;
}

static void receive_rank_dead(DistributedPerft *p, const void *bytes, size_t n) {
    uint64_t rank;
    if (n != sizeof rank) return;
    memcpy(&rank, bytes, sizeof rank);
    if (rank < p->rank.ranks && rank != p->rank.rank) tabia_cluster_mark_dead(p->rank.cluster, (unsigned)rank);
}

/* May come before this rank knows that all agree. */
void distributed_perft_receive_finish(DistributedPerft *p) {
    p->has_finish = true;
    if (p->phase != PHASE_COUNTING) return;
    atomic_store(&p->rank.stop, true);
    p->stats = distributed_perft_own_stats(p);
    assert(p->rank.rank != 0);
    p->phase = PHASE_FINISHING;
    p->finished_at = p->rank.now;
    outbox_send(p->rank.outbox, 0, WIRE_STATS, &p->stats, sizeof p->stats);
}

static void receive_shutdown(DistributedPerft *p, const void *bytes, size_t n) {
    uint64_t is_orderly = 0;
    if (n == sizeof is_orderly) memcpy(&is_orderly, bytes, sizeof is_orderly);
    if (p->phase != PHASE_FINISHING) return;
    p->is_orderly = is_orderly;
    p->has_shutdown = true;
}

/* What any rank may send to any. */
static void receive_from_peer(DistributedPerft *p, WireType type, unsigned from, const void *bytes, size_t n) {
    switch (type) {
    case WIRE_BATCH:
        rank_worker_receive_batch(p->worker, from, bytes, n);
        return;
    case WIRE_SUMS:
        rank_worker_receive_sums(p->worker, from, bytes, n);
        return;
    default: /* a heartbeat */
        return;
    }
}

/* What a worker sends to rank 0. */
static void receive_from_worker(DistributedPerft *p, WireType type, unsigned from, const void *bytes, size_t n) {
    Coordinator *c = p->coordinator;
    if (!c) return;
    if (type == WIRE_UNIT_REQUEST && p->phase == PHASE_COUNTING) coordinator_receive_request(c, from, n > 0);
    if (type == WIRE_RESULTS && p->phase == PHASE_COUNTING) coordinator_receive_results(c, from, bytes, n);
    if (type == WIRE_STATS) coordinator_receive_stats(c, from, bytes, n);
    if (type == WIRE_STOP) coordinator_stop(c);
}

/* What rank 0 sends. */
static void receive_from_coordinator(DistributedPerft *p, WireType type, const void *bytes, size_t n) {
    if (type == WIRE_PARTITION) rank_worker_receive_partition(p->worker, bytes, n);
    if (type == WIRE_UNITS && p->phase == PHASE_COUNTING) rank_worker_receive_units(p->worker, bytes, n);
    if (type == WIRE_RANK_DEAD) receive_rank_dead(p, bytes, n);
    if (type == WIRE_FINISH && !p->coordinator) distributed_perft_receive_finish(p);
    if (type == WIRE_SHUTDOWN) receive_shutdown(p, bytes, n);
}

void distributed_perft_receive(void *context, unsigned from, unsigned type, const void *bytes, size_t n) {
    DistributedPerft *p = context;
    if (from == 0) p->received_at = p->rank.now;
    switch ((WireType)type) {
    case WIRE_UNIT_REQUEST:
    case WIRE_RESULTS:
    case WIRE_STATS:
    case WIRE_STOP:
        receive_from_worker(p, (WireType)type, from, bytes, n);
        return;
    case WIRE_PARTITION:
    case WIRE_UNITS:
    case WIRE_RANK_DEAD:
    case WIRE_FINISH:
    case WIRE_SHUTDOWN:
        if (from == 0) receive_from_coordinator(p, (WireType)type, bytes, n);
        return;
    default:
        receive_from_peer(p, (WireType)type, from, bytes, n);
        return;
    }
}
