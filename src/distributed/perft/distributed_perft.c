/* SPDX-License-Identifier: MIT */
/* The run of a rank: from the handshake to the end, its steps, and its messages. */
#include "distributed_perft.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "coordinator.h"
#include "notation/fen.h"
#include "outbox.h"
#include "pacing.h"
#include "perft/units.h"
#include "rank_worker.h"

typedef enum { PHASE_HANDSHAKE, PHASE_COUNTING, PHASE_FINISHING, PHASE_OVER } Phase;

struct DistributedPerft {
    RankContext rank;
    RunError error;
    DistributedPerftJob job;
    PerftState *state;
    RankWorker *worker;
    Coordinator *coordinator; /* on rank 0 */
    Phase phase;
    bool is_orderly, has_asked_to_stop, has_finish, has_shutdown;
    bool is_idle;      /* the last step found no work */
    bool has_reported; /* that rank 0 is silent */
    Pacing pacing;
    double received_at, finished_at, recounted_at; /* seconds; received_at: from rank 0 */
    DistributedPerftStats stats;                   /* idle_steps; at the end all figures */
};

/* ---- messages ---- */

/* This rank's figures so far. */
static DistributedPerftStats own_stats(const DistributedPerft *p) {
    DistributedPerftStats stats = {.ranks = 1, .idle_steps = p->stats.idle_steps};
    rank_worker_add_stats(p->worker, &stats);
    tabia_cluster_counters(p->rank.cluster, &stats.messages);
    return stats;
}

static void receive_rank_dead(DistributedPerft *p, const void *bytes, size_t n) {
    uint64_t rank;
    if (n != sizeof rank) return;
    memcpy(&rank, bytes, sizeof rank);
    if (rank < p->rank.ranks && rank != p->rank.rank) tabia_cluster_mark_dead(p->rank.cluster, (unsigned)rank);
}

/* The coordinator has said that all is counted, on ranks other than 0. May come before this rank knows that all agree. */
static void receive_finish(DistributedPerft *p) {
    p->has_finish = true;
    if (p->phase != PHASE_COUNTING) return;
    atomic_store(&p->rank.stop, true);
    p->stats = own_stats(p);
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
    if (type == WIRE_FINISH && !p->coordinator) receive_finish(p);
    if (type == WIRE_SHUTDOWN) receive_shutdown(p, bytes, n);
}

/* A message from another rank, or from this one to itself: each goes to the module that it is for, if the phase is right
   for it. */
static void receive(void *context, unsigned from, unsigned type, const void *bytes, size_t n) {
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

/* ---- creation ---- */

static unsigned threads_of(const DistributedPerftJob *job) {
    return job->job->threads ? job->job->threads : 1;
}

/* Each rank makes a few plies of the frontier for itself, to know how much the work can fill; a rank's part may be an
   eighth larger than the mean. */
static bool usable_bytes(const RankContext *rank, const PerftJob *job, uint64_t *bytes, TabiaError *error) {
    Frontier few;
    const FrontierLimits limits = {
        .max_ply = job->depth > 5 ? job->depth - 4 : job->depth > 0, .enough = 1000, .max = 20000, .merge = true};
    if (!frontier_make(&few, &job->root, &rank->zobrist, limits, error)) return false;
    const uint64_t all = units_table_bytes(&(PerftJob){.depth = job->depth, .hash_bytes = UINT64_MAX / 4}, &few);
    const uint64_t part = all / rank->ranks + all / rank->ranks / 8 + (1 << 16);
    const uint64_t usable = rank->ranks > 1 && part < job->hash_bytes ? part : all;
    *bytes = usable < job->hash_bytes ? usable : job->hash_bytes;
    frontier_free(&few);
    return true;
}

/* Of at most job->hash_bytes, and no more than the work can fill: all ranks come to the same size. */
static bool create_table(DistributedPerft *p, TabiaError *error) {
    const RankContext *rank = &p->rank;
    const PerftJob *job = p->job.job;
    TabiaOptions options = job->table;
    options.type = TABIA_COUNTS;
    options.touch = TABIA_TOUCH_LATER;
    options.identity = zobrist_identity(job->keys_seed);
    if (!usable_bytes(rank, job, &options.bytes, error)) return false;
    p->state->hash_bytes = options.bytes;
    return tabia_table_create(&p->rank.table, &options, error) == TABIA_OK;
}

static bool create_cluster(DistributedPerft *p, TabiaError *error) {
    char configuration[600], fen[FEN_MAX];
    const PerftJob *job = p->job.job;
    fen_write(&job->root, FEN_SHREDDER, fen);
    snprintf(configuration, sizeof configuration, "%s, perft %d of %s, keys %ju, table %ju, %s, %u threads",
             p->job.program, job->depth, fen, (uintmax_t)job->keys_seed, (uintmax_t)job->hash_bytes,
             p->job.private_tables ? "private" : "shared", threads_of(&p->job));
    const TabiaClusterOptions options = {.configuration = configuration,
                                         .timeout = p->rank.timeout,
                                         .handshake_timeout = p->job.handshake_timeout,
                                         .receive = receive,
                                         .context = p};
    if (tabia_cluster_create(&p->rank.cluster, p->job.transport, NULL, &options, error) != TABIA_OK) return false;
    p->rank.outbox = outbox_create(p->rank.cluster);
    return p->rank.outbox || tabia_fail(error, "not enough memory to begin");
}

static bool create_coordinator(DistributedPerft *p, FrontierLimits limits, TabiaError *error) {
    const CoordinatorOptions options = {
        .job = p->job.job, .state = p->state, .limits = limits, .log = p->job.log, .log_name = p->job.log_name};
    p->coordinator = coordinator_create(&p->rank, &options, error);
    return p->coordinator && coordinator_make_units(p->coordinator, error);
}

static bool create_modules(DistributedPerft *p, TabiaError *error) {
    FrontierLimits limits = units_limits(p->job.job, p->rank.ranks * threads_of(&p->job));
    if (p->job.target_units) limits.enough = p->job.target_units;
    if (p->rank.rank == 0 && !create_coordinator(p, limits, error)) return false;
    if (p->rank.merges && !create_table(p, error)) return false;
    if (!create_cluster(p, error)) return false;
    p->worker = rank_worker_create(&p->rank, threads_of(&p->job), error);
    return p->worker;
}

static void init_rank(DistributedPerft *p) {
    RankContext *rank = &p->rank;
    const DistributedPerftJob *job = &p->job;
    rank->rank = tabia_transport_rank(job->transport), rank->ranks = tabia_transport_ranks(job->transport);
    rank->timeout = job->timeout > 0 ? job->timeout : 30;
    rank->kernel = job->job->kernel ? job->job->kernel : perft_kernel_at(0);
    rank->error = &p->error;
    rank->merges = job->job->hash_bytes > 0;
    rank->is_shared = !job->private_tables;
    zobrist_init(&rank->zobrist, job->job->keys_seed);
}

DistributedPerft *distributed_perft_create(const DistributedPerftJob *job, PerftState *state, TabiaError *error) {
    memset(state, 0, sizeof *state);
    state->job = job->job;
    DistributedPerft *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
    if (!p) return tabia_fail(error, "not enough memory to begin"), NULL;
    memset(p, 0, sizeof *p);
    p->job = *job, p->state = state;
    p->is_orderly = true;
    init_rank(p);
    state->threads = p->rank.ranks * threads_of(job);
    if (create_modules(p, error)) return p;
    distributed_perft_close(p, NULL);
    return NULL;
}

/* ---- the handshake ---- */

/* All ranks come to know that they differ, and close in an orderly way; rank 0 says why. */
static DistributedPerftStatus refuse(DistributedPerft *p, int code, const TabiaError *cause, TabiaError *error) {
    enum { TRIES = 100000 };
    TabiaCluster *cluster = p->rank.cluster;
    for (unsigned i = 0; i < TRIES && !tabia_cluster_flush(cluster); i++) tabia_cluster_poll(cluster);
    p->is_orderly = code == TABIA_ERROR_FOREIGN;
    p->phase = PHASE_OVER;
    if (p->rank.rank == 0 || !p->is_orderly) *error = *cause;
    return DISTRIBUTED_PERFT_FAILED;
}

/* A message to every rank, so that MPI has its connections before one dies: Open MPI ends a process that cannot make
   one. Among very many ranks they would be too many. */
static void connect_all(const DistributedPerft *p) {
    enum { RANKS_MAX = 128 };
    for (unsigned to = p->rank.rank + 1; to < p->rank.ranks && p->rank.ranks <= RANKS_MAX; to++)
        outbox_send(p->rank.outbox, to, WIRE_HEARTBEAT, NULL, 0);
}

static DistributedPerftStatus step_handshake(DistributedPerft *p, TabiaError *error) {
    TabiaError cause;
    tabia_cluster_poll(p->rank.cluster);
    const int ready = tabia_cluster_ready(p->rank.cluster, &cause);
    if (ready < 0) return refuse(p, ready, &cause, error);
    if (!ready) return DISTRIBUTED_PERFT_IDLE;
    p->phase = PHASE_COUNTING;
    p->received_at = p->rank.now;
    rank_worker_start(p->worker);
    if (p->coordinator) coordinator_start(p->coordinator);
    connect_all(p);
    if (p->has_finish) receive_finish(p);
    return DISTRIBUTED_PERFT_BUSY;
}

/* ---- counting ---- */

/* On rank 0. */
static void coordinate(DistributedPerft *p) {
    Coordinator *c = p->coordinator;
    if (p->phase == PHASE_COUNTING) {
        if (!coordinator_step(c)) return;
        p->phase = PHASE_FINISHING;
        atomic_store(&p->rank.stop, true);
        const DistributedPerftStats own = own_stats(p);
        coordinator_finish(c, &own);
    } else if (p->phase == PHASE_FINISHING && coordinator_is_over(c)) {
        p->is_orderly = !coordinator_lost_rank(c);
        p->stats = coordinator_stats(c);
        p->phase = PHASE_OVER;
    }
}

/* Once. */
static void report_silence(DistributedPerft *p, double silence, double timeout) {
    static const double reported_after = 2;
    const bool is_silent = silence > reported_after && silence < timeout;
    if (is_silent && !p->has_reported && p->job.log)
        fprintf(p->job.log, "%s perft: waiting for rank 0, silent for %.0f seconds; the count ends after %.3g\n",
                p->job.log_name, silence, timeout);
    p->has_reported = is_silent;
}

/* Rank 0 may have died, and then nobody is left to count for. This ends everything, so it takes longer to believe: MPI
   itself is slow for a while when a rank has died. The ranks take turns at it, because the first one ends the job. */
static bool has_lost_coordinator(DistributedPerft *p) {
    enum { TURNS = 20 };
    const double timeout = 4 * p->rank.timeout, silence = p->rank.now - p->received_at;
    const unsigned turn = p->rank.rank - 1 < TURNS ? p->rank.rank - 1 : TURNS;
    if (p->rank.rank == 1 && p->phase == PHASE_COUNTING) report_silence(p, silence, timeout);
    if (p->rank.rank == 0 || silence < timeout + turn * p->rank.timeout / TURNS) return false;
    p->is_orderly = false;
    run_error_set(
        &p->error,
        "rank 0 has been silent for %.3g seconds: start again; with --ledger the count resumes where it stopped",
        timeout);
    return true;
}

static bool do_rounds(DistributedPerft *p) {
    const unsigned rounds = pacing_next(&p->pacing, p->rank.now);
    rank_worker_report(p->worker);
    return rank_worker_step(p->worker, rounds);
}

static DistributedPerftStatus work(DistributedPerft *p) {
    if (p->rank.rank && !p->has_asked_to_stop && tabia_stop_requested()) {
        p->has_asked_to_stop = true;
        outbox_send(p->rank.outbox, 0, WIRE_STOP, NULL, 0);
    }
    if (p->rank.now - p->recounted_at > p->rank.timeout / 20) {
        p->recounted_at = p->rank.now;
        rank_worker_recount_lost(p->worker);
    }
    p->is_idle = !do_rounds(p);
    p->stats.idle_steps += p->is_idle;
    return p->is_idle ? DISTRIBUTED_PERFT_IDLE : DISTRIBUTED_PERFT_BUSY;
}

/* ---- the end ---- */

/* After its last message a worker waits for rank 0's. */
static DistributedPerftStatus await_shutdown(DistributedPerft *p) {
    if (p->rank.now - p->finished_at > p->rank.timeout) p->is_orderly = false, p->has_shutdown = true;
    if (!p->has_shutdown) return DISTRIBUTED_PERFT_IDLE;
    p->phase = PHASE_OVER;
    return DISTRIBUTED_PERFT_BUSY;
}

/* Messages that are still here must leave; for the dead they never do. */
static DistributedPerftStatus leave(DistributedPerft *p, TabiaError *error) {
    const bool is_empty = tabia_cluster_flush(p->rank.cluster) && outbox_is_empty(p->rank.outbox);
    if (!is_empty && p->is_orderly) return DISTRIBUTED_PERFT_IDLE;
    if (!p->error.is_set) return DISTRIBUTED_PERFT_DONE;
    *error = p->error.error;
    return DISTRIBUTED_PERFT_FAILED;
}

DistributedPerftStatus distributed_perft_step(DistributedPerft *p, TabiaError *error) {
    TabiaCluster *cluster = p->rank.cluster;
    p->rank.now = tabia_cluster_now(cluster);
    if (p->phase == PHASE_HANDSHAKE) return step_handshake(p, error);
    if (p->is_idle)
        tabia_cluster_poll(cluster); /* nothing else to do */
    else
        tabia_cluster_serve(cluster);
    outbox_flush(p->rank.outbox);
    if (p->phase == PHASE_OVER) return leave(p, error);
    if (p->coordinator) {
        coordinate(p);
    } else if (p->error.is_set || has_lost_coordinator(p)) {
        *error = p->error.error;
        return DISTRIBUTED_PERFT_FAILED;
    }
    if (p->phase == PHASE_FINISHING) return p->rank.rank ? await_shutdown(p) : DISTRIBUTED_PERFT_IDLE;
    return p->phase == PHASE_COUNTING ? work(p) : DISTRIBUTED_PERFT_BUSY;
}

DistributedPerftStatus distributed_perft_run(DistributedPerft *p, TabiaError *error) {
    DistributedPerftStatus status;
    Backoff backoff = {0};
    while ((status = distributed_perft_step(p, error)) < DISTRIBUTED_PERFT_DONE)
        backoff_rest(backoff_next(&backoff, status == DISTRIBUTED_PERFT_IDLE));
    return status;
}

DistributedPerftStats distributed_perft_stats(const DistributedPerft *p) {
    return p->phase == PHASE_COUNTING ? own_stats(p) : p->stats;
}

bool distributed_perft_is_orderly(const DistributedPerft *p) {
    return p->is_orderly && p->phase == PHASE_OVER;
}

static void note_table(const DistributedPerft *p) {
    TabiaInfo info;
    tabia_table_info(p->rank.table, &info);
    p->state->page_bytes = info.page_bytes;
    p->state->table_full = tabia_table_hashfull(p->rank.table);
}

bool distributed_perft_close(DistributedPerft *p, TabiaError *error) {
    if (!p) return true;
    atomic_store(&p->rank.stop, true); /* threads may be counting */
    rank_worker_destroy(p->worker);
    const bool good = coordinator_close(p->coordinator, error);
    if (p->rank.table && p->rank.rank == 0) note_table(p); /* it reads what the system says of the memory: slow */
    outbox_destroy(p->rank.outbox);
    tabia_cluster_destroy(p->rank.cluster);
    tabia_table_destroy(p->rank.table);
    free(p);
    return good;
}
