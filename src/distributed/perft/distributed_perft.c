/* SPDX-License-Identifier: MIT */
#include "distributed_perft.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/time.h"
#include "cluster/transport.h"
#include "notation/fen.h"
#include "perft/units.h"
#include "state.h"

double ranks_now(const DistributedPerft *r) {
    return r->now;
}

void ranks_fail(DistributedPerft *r, const char *format, ...) {
    if (r->failed) return;
    char text[sizeof r->fault.text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(r->fault.text, text, sizeof text);
    r->failed = true;
}

/* ---- messages ---- */

void ranks_post(DistributedPerft *r, unsigned to, WireKind kind, const void *bytes, size_t n) {
    if (tabia_cluster_send(r->cluster, to, kind, bytes, n)) return;
    Post *post = malloc(sizeof *post + n);
    if (!post) return; /* lost, as any message may be */
    *post = (Post){.to = to, .kind = kind, .n = n};
    if (n) memcpy(post->word, bytes, n);
    *r->post_end = post;
    r->post_end = &post->next;
}

static bool among(unsigned rank, const unsigned *list, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (list[i] == rank) return true;
    return false;
}

/* Those whose rank has room again; what is for the dead is dropped. A rank that takes nothing must not hold up others,
   and is tried once: a message that is refused has cost as much as one that is sent. */
static void send_posts(DistributedPerft *r) {
    enum { FULL_MOST = 16, PASSED_MOST = 64 };
    unsigned full[FULL_MOST], n = 0, passed = 0;
    Post **at = &r->post;
    while (*at && n < FULL_MOST && passed < PASSED_MOST) {
        Post *post = *at;
        const bool is_full = among(post->to, full, n), living = tabia_cluster_alive(r->cluster, post->to);
        if (living && (is_full || !tabia_cluster_send(r->cluster, post->to, post->kind, post->word, post->n))) {
            if (!is_full) full[n++] = post->to;
            passed++;
            at = &post->next;
            continue;
        }
        *at = post->next;
        if (!post->next) r->post_end = at;
        free(post);
    }
}

static void bury(DistributedPerft *r, const void *bytes, size_t n) {
    uint64_t rank;
    if (n != sizeof rank) return;
    memcpy(&rank, bytes, sizeof rank);
    if (rank < r->ranks && rank != r->rank) tabia_cluster_mark_dead(r->cluster, (unsigned)rank);
}

static void say_last_word(DistributedPerft *r) {
    r->asked_to_part = true; /* even before we have heard that all agree */
    if (r->phase != PHASE_COUNTING) return;
    atomic_store(&r->stop, true);
    r->tally = worker_tally(r);
    r->phase = PHASE_PARTING;
    r->parting_at = ranks_now(r);
    ranks_post(r, 0, WIRE_STATS, &r->tally, sizeof r->tally);
}

static void hear_bye(DistributedPerft *r, const void *bytes, size_t n) {
    uint64_t orderly = 0;
    if (n == sizeof orderly) memcpy(&orderly, bytes, sizeof orderly);
    if (r->phase != PHASE_PARTING) return;
    r->orderly = orderly;
    r->bye = true;
}

static void receive(void *context, unsigned from, unsigned kind, const void *bytes, size_t n) {
    DistributedPerft *r = context;
    if (from == 0) r->heard_of_zero = ranks_now(r);
    switch ((WireKind)kind) {
    case WIRE_UNIT_REQUEST:
        coordinator_wanted(r, from, n > 0);
        return;
    case WIRE_PARTITION:
        if (from == 0) worker_homes(r, bytes, n);
        return;
    case WIRE_RESULTS:
        coordinator_done(r, from, bytes, n);
        return;
    case WIRE_STATS:
        coordinator_parted(r, from, bytes, n);
        return;
    case WIRE_STOP:
        if (r->coordinator) coordinator_stop(r);
        return;
    case WIRE_UNITS:
        if (from == 0) worker_units(r, bytes, n);
        return;
    case WIRE_BATCH:
        families_received(r, from, bytes, n);
        return;
    case WIRE_SUMS:
        families_answered(r, from, bytes, n);
        return;
    case WIRE_RANK_DEAD:
        if (from == 0) bury(r, bytes, n);
        return;
    case WIRE_FINISH:
        if (from == 0 && !r->coordinator) say_last_word(r);
        return;
    case WIRE_SHUTDOWN:
        if (from == 0) hear_bye(r, bytes, n);
        return;
    case WIRE_CHILDREN:
        owners_children(r, from, bytes, n);
        return;
    case WIRE_PLY_SIZE:
        if (r->coordinator) owners_told(r, from, bytes, n);
        return;
    case WIRE_NEXT_PLY:
        if (from == 0) owners_next(r, bytes, n);
        return;
    case WIRE_GATHER:
        if (r->coordinator) owners_harvested(r, from, bytes, n);
        return;
    case WIRE_HEARTBEAT:
        return;
    }
}

/* ---- beginning ---- */

static unsigned threads_of(const DistributedPerft *r) {
    return r->job.job->threads ? r->job.job->threads : 1;
}

/* No more memory than the work can fill. All ranks must come to the same number, so each makes a few plies of the
   frontier for itself; a rank's part may be an eighth larger than the mean. */
static bool table_bytes(const DistributedPerft *r, uint64_t *bytes, Fault *fault) {
    Frontier few;
    const PerftJob *job = r->job.job;
    const FrontierLimits limits = {
        .max_ply = job->depth > 5 ? job->depth - 4 : job->depth > 0, .enough = 1000, .most = 20000, .merge = true};
    if (!frontier_make(&few, &job->root, &r->zobrist, limits, fault)) return false;
    const uint64_t all = units_table_bytes(&(PerftJob){.depth = job->depth, .hash_bytes = UINT64_MAX / 4}, &few);
    const uint64_t part = all / r->ranks + all / r->ranks / 8 + (1 << 16);
    *bytes = part < job->hash_bytes && r->ranks > 1 ? part : all < job->hash_bytes ? all : job->hash_bytes;
    frontier_free(&few);
    return true;
}

static bool make_table(DistributedPerft *r, TabiaTable **table, Fault *fault) {
    const PerftJob *job = r->job.job;
    TabiaOptions options = job->table;
    TabiaReason why;
    options.face = TABIA_COUNTS;
    options.touch = TABIA_TOUCH_LATER;
    options.bytes = 1 << 12; /* where nothing is merged: the cluster needs one all the same */
    options.identity = job->keys_seed;
    if (job->hash_bytes && !table_bytes(r, &options.bytes, fault)) return false;
    r->state->hash_bytes = job->hash_bytes ? options.bytes : 0;
    return tabia_table_create(table, &options, &why) == TABIA_OK || tabia_fault(fault, "%s", why.text);
}

static void trace(void *context, TabiaClusterEvent event, unsigned depth, unsigned owner, double seconds) {
    const DistributedPerft *r = context;
    r->job.trace(r->job.trace_context, event, depth, owner, seconds);
}

static bool make_cluster(DistributedPerft *r, Fault *fault) {
    char setup[600], fen[FEN_MAX];
    const PerftJob *job = r->job.job;
    TabiaReason why;
    fen_write(&job->root, FEN_SHREDDER, fen);
    snprintf(setup, sizeof setup, "%s, perft %d of %s, keys %ju, table %ju, %s, frontier from %zu, %u threads",
             r->job.program, job->depth, fen, (uintmax_t)job->keys_seed, (uintmax_t)job->hash_bytes,
             r->job.private_tables ? "private" : "shared", r->job.distributed_from, threads_of(r));
    const TabiaClusterOptions options = {.configuration = setup,
                                         .probe_depth = 4,
                                         .store_depth = 4,
                                         .timeout = r->job.timeout,
                                         .handshake_timeout = r->job.arrival,
                                         .receive = receive,
                                         .trace = r->job.trace ? trace : NULL,
                                         .context = r};
    return tabia_cluster_create(&r->cluster, r->job.transport, r->table, &options, &why) == TABIA_OK ||
           tabia_fault(fault, "%s", why.text);
}

static bool begin(DistributedPerft *r, Fault *fault) {
    zobrist_init(&r->zobrist, r->job.job->keys_seed);
    FrontierLimits limits = units_limits(r->job.job, r->ranks * threads_of(r));
    if (r->job.target_units) limits.enough = r->job.target_units;
    if (r->job.max_units) limits.most = r->job.max_units;
    if (!owners_begin(r, limits, fault)) return false;
    if (r->rank == 0 && !coordinator_begin(r, limits, fault)) return false;
    if (!make_table(r, &r->table, fault) || !make_cluster(r, fault)) return false;
    r->merges = r->job.job->hash_bytes;
    const CountContext context = {.zobrist = &r->zobrist, .table = r->merges ? r->table : NULL, .stop = &r->stop};
    return families_begin(&r->families, r->ranks, fault) &&
           worker_pool_init(&r->crew, threads_of(r), &context, r->kernel, fault);
}

DistributedPerft *distributed_perft_create(const DistributedPerftJob *job, PerftState *state, Fault *fault) {
    memset(state, 0, sizeof *state);
    state->job = job->job;
    DistributedPerft *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
    if (!r) {
        tabia_fault(fault, "not enough memory to begin");
        return NULL;
    }
    memset(r, 0, sizeof *r);
    r->job = *job, r->state = state;
    if (r->job.timeout <= 0) r->job.timeout = 30;
    r->rank = job->transport->rank, r->ranks = job->transport->ranks;
    r->kernel = job->job->kernel ? job->job->kernel : perft_kernel_at(0);
    r->post_end = &r->post;
    r->orderly = true;
    r->pace = 1;
    state->threads = r->ranks * threads_of(r);
    if (begin(r, fault)) return r;
    distributed_perft_close(r, NULL);
    return NULL;
}

/* ---- steps ---- */

/* All ranks come to know that they differ, and part in an orderly way; rank 0 says why. */
static DistributedPerftStatus refuse(DistributedPerft *r, int code, const TabiaReason *why, Fault *fault) {
    enum { TRIES = 100000 };
    for (unsigned i = 0; i < TRIES && !tabia_cluster_flush(r->cluster); i++) tabia_cluster_poll(r->cluster);
    r->orderly = code == TABIA_ERROR_FOREIGN;
    r->phase = PHASE_OVER;
    if (r->rank == 0 || !r->orderly) tabia_fault(fault, "%s", why->text);
    return DISTRIBUTED_PERFT_FAILED;
}

/* A word to everybody, so that MPI has its connections before one dies: Open MPI ends a process that cannot make one.
   Among very many ranks they would be too many. */
static void meet_all(DistributedPerft *r) {
    enum { MOST = 128 };
    for (unsigned to = r->rank + 1; to < r->ranks && r->ranks <= MOST; to++) ranks_post(r, to, WIRE_HEARTBEAT, NULL, 0);
}

static DistributedPerftStatus greet(DistributedPerft *r, Fault *fault) {
    TabiaReason why;
    tabia_cluster_poll(r->cluster);
    const int ready = tabia_cluster_ready(r->cluster, &why);
    if (ready < 0) return refuse(r, ready, &why, fault);
    if (!ready) return DISTRIBUTED_PERFT_IDLE;
    r->phase = PHASE_COUNTING;
    r->wall_began = r->heard_of_zero = ranks_now(r);
    r->cpu_began = tabia_clock_cpu();
    meet_all(r);
    if (r->asked_to_part) say_last_word(r);
    return DISTRIBUTED_PERFT_BUSY;
}

/* Rank 0 may have died, and then nobody is left to count for. This ends everything, so it takes longer to believe:
   MPI itself is slow for a while when a rank has died. */
static bool lost_rank_zero(DistributedPerft *r) {
    const double patience = 4 * r->job.timeout;
    if (r->rank == 0 || ranks_now(r) - r->heard_of_zero < patience) return false;
    r->orderly = false;
    ranks_fail(r, "rank 0 has been silent for %.3g seconds: start again; with --ledger the count goes on where it was",
               patience);
    return true;
}

/* After its last word a worker waits for rank 0's. */
static DistributedPerftStatus wait_for_bye(DistributedPerft *r) {
    if (ranks_now(r) - r->parting_at > r->job.timeout) r->orderly = false, r->bye = true;
    if (!r->bye) return DISTRIBUTED_PERFT_IDLE;
    r->phase = PHASE_OVER;
    return DISTRIBUTED_PERFT_BUSY;
}

/* Messages that are still here must leave; for the dead they never do. */
static DistributedPerftStatus leave(DistributedPerft *r, Fault *fault) {
    const bool empty = tabia_cluster_flush(r->cluster) && !r->post;
    if (!empty && r->orderly) return DISTRIBUTED_PERFT_IDLE;
    if (!r->failed) return DISTRIBUTED_PERFT_DONE;
    *fault = r->fault;
    return DISTRIBUTED_PERFT_FAILED;
}

/*
 * Some pieces of work, and then the messages and the clock again. A piece of a shallow count is done in microseconds,
 * of which a look would be a twentieth; of a deep one a single piece lasts longer than others should wait. And all of
 * them are laid out first and then counted: what lays out and what counts would drive each other from the caches.
 */
static bool work_some(DistributedPerft *r) {
    enum { PACE_MOST = 16 };
    static const double goal = 200e-6;
    const bool slow = r->now - r->worked_at > goal;
    r->worked_at = r->now;
    r->pace = slow ? (r->pace + 1) / 2 : r->pace < PACE_MOST ? r->pace + 1 : PACE_MOST;
    if (owners_step(r)) return true;
    worker_care(r);
    return worker_step(r, r->pace);
}

static DistributedPerftStatus work(DistributedPerft *r) {
    if (r->rank && !r->asked_to_stop && tabia_stop_requested()) {
        r->asked_to_stop = true;
        ranks_post(r, 0, WIRE_STOP, NULL, 0);
    }
    const double now = ranks_now(r);
    if (now - r->taken_back_at > r->job.timeout / 20) {
        r->taken_back_at = now;
        families_take_back(r);
    }
    r->idle = !work_some(r);
    r->tally.idle_steps += r->idle;
    return r->idle ? DISTRIBUTED_PERFT_IDLE : DISTRIBUTED_PERFT_BUSY;
}

DistributedPerftStatus distributed_perft_step(DistributedPerft *r, Fault *fault) {
    r->now = tabia_cluster_now(r->cluster);
    if (r->phase == PHASE_GREETING) return greet(r, fault);
    if (r->idle)
        tabia_cluster_poll(r->cluster); /* nothing else to do */
    else
        tabia_cluster_serve(r->cluster);
    send_posts(r);
    if (r->phase == PHASE_OVER) return leave(r, fault);
    if (r->coordinator)
        coordinator_step(r);
    else if (r->failed || lost_rank_zero(r)) {
        *fault = r->fault;
        return DISTRIBUTED_PERFT_FAILED;
    }
    if (r->phase == PHASE_PARTING) return r->rank ? wait_for_bye(r) : DISTRIBUTED_PERFT_IDLE;
    return r->phase == PHASE_COUNTING ? work(r) : DISTRIBUTED_PERFT_BUSY;
}

DistributedPerftStats distributed_perft_stats(const DistributedPerft *r) {
    return r->tally;
}

bool distributed_perft_is_orderly(const DistributedPerft *r) {
    return r->orderly && r->phase == PHASE_OVER;
}

static void note_table(const DistributedPerft *r) {
    TabiaInfo info;
    tabia_table_info(r->table, &info);
    r->state->page_bytes = info.page_bytes;
    r->state->table_full = tabia_table_hashfull(r->table);
}

bool distributed_perft_close(DistributedPerft *r, Fault *fault) {
    if (!r) return true;
    atomic_store(&r->stop, true); /* where the beginning failed nobody has said so */
    worker_pool_release(&r->crew);
    const bool good = coordinator_end(r, fault);
    if (r->table && r->job.job->hash_bytes) note_table(r);
    for (unsigned i = 0; i < UNIT_GROUPS; i++) group_free(r->group + i);
    families_free(&r->families);
    owners_end(r);
    tabia_cluster_destroy(r->cluster);
    tabia_table_destroy(r->table);
    for (Post *post = r->post, *next; post; post = next) {
        next = post->next;
        free(post);
    }
    free(r->stock.unit);
    free(r);
    return good;
}
