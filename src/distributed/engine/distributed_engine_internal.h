/* SPDX-License-Identifier: MIT */
/*
 * The distributed engine from inside: three kinds of threads, each part of the state owned by one file.
 *
 *     search threads     receive messages when they serve the cluster (remote_ranks.c): what is urgent is done at once,
 *                        commands and acknowledgements go to the inbox
 *     progress thread    mostly asleep (progress_thread.c): the command broadcast, the inbox, and polls while nothing
 *                        is searched
 *     main thread        the UCI loop (distributed_engine.c): rank 0 reads the client, the others read the commands
 *                        through a pipe, so that they are engines like any other
 */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "command_broadcast.h"
#include "distributed_engine.h"
#include "uci/engine.h"

/* Tags of messages. Stop, nodes, iteration and result carry the number of the search that they are about. */
typedef enum {
    ENGINE_TAG_COMMAND,
    ENGINE_TAG_ACKNOWLEDGE,
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
    _Atomic uint64_t nodes;         /* of it and the ranks below it in the tree */
    _Atomic uint32_t result_number; /* of the search that the result is about */
    RemoteResult *result;           /* on rank 0 */
    atomic_bool late;               /* no result in time for the last search, and none since */
} RemoteRank;

/* A message for the progress thread. */
typedef struct InboxMessage {
    struct InboxMessage *next;
    unsigned source, tag;
    size_t n;
    _Alignas(8) char bytes[];
} InboxMessage;

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

/* The inbox and the progress thread: progress_thread.c. */
typedef struct {
    pthread_t thread;
    pthread_mutex_t lock; /* of the members up to `stop` */
    pthread_cond_t changed;
    InboxMessage *inbox, **inbox_end;
    char *outgoing; /* commands of rank 0 that are not yet in the broadcast */
    size_t outgoing_n, outgoing_capacity;
    bool stop;

    CommandBroadcast broadcast; /* the progress thread's, as the rest */
    int pipe[2];                /* to this rank's UCI loop; not on rank 0 */
    bool quit_sent;
    atomic_bool delivered; /* all commands have been acknowledged */
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
    atomic_bool parent_lost;
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
void progress_inbox_init(DistributedEngine *d);
/* False with an error. */
bool progress_thread_start(DistributedEngine *d, TabiaError *error);
void progress_thread_stop(DistributedEngine *d);
/* Rank 0: queues text for all others. Any thread. */
void progress_broadcast(DistributedEngine *d, const char *text, size_t n);
/* Wakes the progress thread, which then computes anew how long it may sleep. Any thread. */
void progress_wake(DistributedEngine *d);
/* Queues a message for the progress thread. Any thread. If memory is short it is lost, and sent again. */
void progress_enqueue(DistributedEngine *d, unsigned source, unsigned tag, const void *bytes, size_t n);
