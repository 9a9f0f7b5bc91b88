/* SPDX-License-Identifier: MIT */
/*
 * The distributed engine from inside: three kinds of threads, each part of the state owned by one file.
 *
 *     search threads     receive messages when they serve the cluster (remote_ranks.c): what is urgent is done at once,
 *                        commands wait for the progress thread
 *     progress thread    mostly asleep (progress_thread.c): sends commands, or passes them on to the UCI loop, and polls
 *                        while nothing is searched
 *     main thread        the UCI loop (distributed_engine.c): rank 0 reads the client, the others read the commands
 *                        through a pipe, so that they are engines like any other
 */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "distributed_engine.h"
#include "uci/engine.h"

/* Tags of messages. Stop, nodes, iteration and result carry the number of the search that they are about. */
typedef enum {
    ENGINE_TAG_COMMAND,
    ENGINE_TAG_ALIVE, /* empty, a few times a second, between rank 0 and each other one */
    ENGINE_TAG_STOP,
    ENGINE_TAG_NODES,
    ENGINE_TAG_ITERATION,
    ENGINE_TAG_RESULT
} EngineMessageTag;

enum { THREADS_REPORTED = 8 }; /* of each rank: so many tell the others which iteration they search */

/* What a rank sends to rank 0 at the end of a search. */
typedef struct {
    uint32_t search_number;
    SearchOutcome outcome;
    uint64_t nodes;
    TabiaClusterCounters counters;
} RemoteResult;

/* What is known of another rank. Written under the lock of the cluster, read by any thread. */
typedef struct {
    _Atomic uint32_t search_number; /* of the search that the rest is about */
    _Atomic int iteration[THREADS_REPORTED];
    _Atomic uint64_t nodes;
    _Atomic uint32_t result_number; /* of the search that the result is about */
    RemoteResult *result;           /* on rank 0 */
} RemoteRank;

/* A message of commands: a part of the text that rank 0 sends to all others, and where it stands in the whole text. MPI
   loses none and doubles none, but one may overtake another. Short enough for MPI to send it at once. */
typedef struct {
    uint64_t offset;
    char text[3900];
} CommandSegment;

_Static_assert(sizeof(CommandSegment) <= TABIA_CLUSTER_BYTES_MAX, "a segment is a message");

/* A segment that waits for those before it. */
typedef struct EarlySegment {
    struct EarlySegment *next;
    size_t n; /* bytes of text */
    CommandSegment segment;
} EarlySegment;

/* The search on all ranks: remote_ranks.c. Its hooks are called by one engine thread at a time. */
typedef struct {
    _Atomic uint32_t number;             /* of the search that runs or ran last */
    atomic_bool running;                 /* on all ranks */
    _Atomic double ended_at;             /* when the last search ended here, on the cluster's clock */
    _Atomic uint64_t final_nodes;        /* of the others, once they have sent results */
    unsigned serves;                     /* by the first thread */
    TabiaClusterCounters counters_start; /* of this rank, at the beginning of the search */
    TabiaClusterCounters counters_sum;   /* of all ranks, over the search */
    uint64_t served_min, served_max;     /* keys that a rank answered */
    unsigned results;                    /* of the last search; 0: no summary */
    RemoteRank *remote;                  /* one for each rank */
} DistributedSearch;

typedef struct DistributedEngine DistributedEngine;

/* Commands and the progress thread: progress_thread.c. */
typedef struct {
    pthread_t thread;
    pthread_mutex_t lock; /* of the members up to `stop` */
    pthread_cond_t changed;
    char *
        text; /* commands: on rank 0 those that have not been sent to all, on the others those that are not in the pipe */
    size_t text_n, text_capacity;
    uint64_t first, received; /* offsets: on rank 0 of that text; on the others of what came in order */
    EarlySegment *early;
    bool stop;

    uint64_t *sent; /* the progress thread's, as the rest: offsets, on rank 0 for each rank */
    bool *is_lost;
    int pipe[2]; /* to this rank's UCI loop; not on rank 0 */
    bool quit_sent;
    atomic_bool delivered; /* all commands have been sent */
} ProgressThread;

struct DistributedEngine {
    DistributedEngineOptions options;
    unsigned rank, ranks;
    TabiaTable *table;
    TabiaCluster *cluster;
    _Atomic(Engine *) engine;
    SearchPeers peers;
    EngineHooks hooks;
    atomic_bool ranks_missing; /* an orderly end is impossible */
    atomic_bool rank_0_lost;
    DistributedSearch search;
    ProgressThread progress;
};

/* Calls point one way: distributed_engine.c calls the other two, and remote_ranks.c calls progress_thread.c. */

/* ---- remote_ranks.c ---- */

/* Sets d->peers. */
void remote_ranks_init(DistributedEngine *d);
bool remote_ranks_allocate(DistributedEngine *d, TabiaError *error);
void remote_ranks_release(DistributedEngine *d);
/* A search begins on all ranks. */
void remote_ranks_search_begins(DistributedEngine *d);
/* The receive callback of the cluster; context is the DistributedEngine. */
void remote_ranks_receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n);
/* The engine's hook: one line about the last search. */
void remote_ranks_summary(void *context, char *text, size_t size);

/* ---- progress_thread.c ---- */

/* Before anything is received: rank 0 may have begun while this rank still waits for the verdict. */
void progress_init(DistributedEngine *d);
void progress_release(DistributedEngine *d);
/* False with an error. */
bool progress_thread_start(DistributedEngine *d, TabiaError *error);
void progress_thread_stop(DistributedEngine *d);
/* Rank 0: queues text for all others. Any thread. */
void progress_broadcast(DistributedEngine *d, const char *text, size_t n);
/* Wakes the progress thread, which then computes anew how long it may sleep. Any thread. */
void progress_wake(DistributedEngine *d);
/* A CommandSegment has come. Any thread. */
void progress_receive(DistributedEngine *d, const void *bytes, size_t n);
