/* SPDX-License-Identifier: MIT */
/*
 * One table over many machines: every rank (a process of an MPI job) gives the same amount of memory, and each position
 * has one rank that owns it.
 *
 *     key -> (rank, bucket)      by different bits of the key, for any number of ranks
 *
 *         rank 0                        rank 1                        rank 2
 *     [ its share | copies ]        [ its share | copies ]        [ its share | copies ]
 *            \____ probe: 160 keys in a message ____^  |
 *             ^____ reply: what was found  ____________|           stores travel the same way, without an answer
 *
 * The idea is that of the global hash table of a distributed chess program (Edward Felten and Steve Otto, "Chess on a
 * hypercube", 1988), with one difference: nobody waits. A probe looks into the local table; what is not there and lies
 * deep enough is asked of its owner in a batch, and the reply lands in the local table, in time for the next look or
 * not at all. So the local table holds two things: this rank's share, and copies of what it asked for; they compete by
 * worth, and memory goes to whichever is of use.
 *
 * The owner alone decides by worth what stays in its share (include/tabia/table.h says how), and makes an entry as
 * worthy as a new one when somebody asks for it. An owner that has died or does not answer costs its share: what it
 * held is a miss, nothing else.
 *
 * What is believed. Every message carries a checksum over all of it, and every entry its check word, key XOR hash of
 * the data, as it lies in a table: who receives a damaged one computes a key that is nobody's. Damaged messages are
 * counted and dropped; a dropped probe, reply or store is a miss.
 *
 * Progress is made in tabia_cluster_serve() and _poll() alone, by the threads that search: call serve for every few
 * microseconds of work (it costs a look at a clock), and requests of others are served promptly without a thread of
 * their own.
 *
 * Threads. Any number of threads may call everything but create and destroy, as far as MPI lets them (below). Probes
 * and stores of single entries never wait for another thread: if one is at the messages, a request or a remote store is
 * left out.
 *
 * Order of things: a transport, a table, a cluster over both; polls until tabia_cluster_ready() is 1; the work, with
 * serves between; a farewell of the program's own, so that no rank leaves while others still ask it; then back:
 * cluster, table, transport. examples/cluster.c is all of it on two pages. Programs link libtabia-cluster, which is
 * built for one MPI: mpicc program.c $(pkg-config --cflags --libs tabia-cluster).
 */
#ifndef TABIA_CLUSTER_H
#define TABIA_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts.h"
#include "entry.h"
#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Shown by libtabia-cluster. */
#define TABIA_CLUSTER_API __attribute__((visibility("default")))

typedef struct TabiaCluster TabiaCluster;

/* ---- how messages travel ---- */

/* The way to the other ranks, over MPI. It carries one cluster, must outlive it, and be closed after it. */
typedef struct TabiaTransport TabiaTransport;

/*
 * For a program that uses MPI for nothing else: all ranks of the job that this process was started in. Initialises MPI
 * with MPI_THREAD_SERIALIZED, and ends it when closed. To be called once, first thing in main, with its arguments. On
 * failure *transport is NULL and the result TABIA_ERROR_SYSTEM.
 */
TABIA_CLUSTER_API int tabia_transport_mpi(TabiaTransport **transport, int *argc, char ***argv, TabiaReason *why);

/*
 * For a program that uses MPI itself: the ranks of a communicator, given as MPI_Comm_c2f(comm), which is a number with
 * every MPI, so that this header needs none. All ranks of the communicator call it together, between MPI_Init and
 * MPI_Finalize, and wait there for each other. Messages travel on a duplicate, so that they never meet the program's
 * own; errors of the program's communicator are treated as before. The communicator stays the caller's, and may be
 * freed at once. A program may have several transports, each with a cluster.
 *
 * Threads. With MPI_THREAD_SINGLE or _FUNNELED only the thread that initialised MPI may call the cluster and the
 * transport; with _SERIALIZED any thread, but while one does, none may call MPI itself; with _MULTIPLE any at any time.
 *
 * On failure *transport is NULL, the same on all ranks unless memory is out on some, and the result is
 * TABIA_ERROR_SYSTEM (MPI is not running, or refuses), _OPTION (no communicator, or one between two groups), or
 * _MEMORY.
 */
TABIA_CLUSTER_API int tabia_transport_over(TabiaTransport **transport, int64_t communicator, TabiaReason *why);

/* Which rank this process is, and how many there are: 0 .. ranks - 1. */
TABIA_CLUSTER_API unsigned tabia_transport_rank(const TabiaTransport *transport);
TABIA_CLUSTER_API unsigned tabia_transport_ranks(const TabiaTransport *transport);

/*
 * Gives all back; NULL is fine. all_well says that all ranks come to their end in the same way: they wait for each
 * other until every message that was sent has arrived, and what is not wanted any more is dropped. Without it, as when
 * a rank has died, nobody is waited for and MPI is not called: its buffers are left to it, and the process should leave
 * by _exit or MPI_Abort, without the farewell of MPI_Finalize.
 */
TABIA_CLUSTER_API void tabia_transport_close(TabiaTransport *transport, bool all_well);

/* ---- the cluster ---- */

/* A message of the program: kind and bytes are as they were sent. Called by tabia_cluster_poll and _serve; it may call
   everything but destroy. */
typedef void TabiaClusterReceive(void *context, unsigned from, unsigned kind, const void *bytes, size_t n);

/* What was asked of the table of all ranks, one key each: for recording a trace. Called under the cluster's lock. */
typedef enum TabiaClusterEvent {
    TABIA_CLUSTER_ASK,   /* a probe that the local table did not answer; its owner may be this rank, and then a miss */
    TABIA_CLUSTER_STORE, /* a store deep enough for its owner, which may be this rank */
    TABIA_CLUSTER_WORK,  /* work that the program sent to another rank: of tabia-mpi perft, a position to a home */
} TabiaClusterEvent;
typedef void TabiaClusterTrace(void *context, TabiaClusterEvent event, unsigned depth, unsigned owner, double seconds);

enum { TABIA_CLUSTER_KINDS = 200, TABIA_CLUSTER_BYTES_MAX = 31968, TABIA_CLUSTER_BATCH = 640 };

typedef struct TabiaClusterOptions {
    const char *setup;            /* one line that must be the same on all ranks: version, keys, work. NULL: "" */
    unsigned probe_depth;         /* only probes of this depth and more are asked of their owners */
    unsigned store_depth;         /* only stores of this depth and more are sent to them */
    double patience;              /* seconds after which a silent rank counts as dead. 0: 30 */
    double arrival;               /* seconds for all ranks to come and agree. 0: 60 */
    double linger;                /* seconds that a message may wait to be filled. 0: 0.0002 */
    TabiaClusterReceive *receive; /* of the program's own messages; may be NULL */
    TabiaClusterTrace *trace;     /* may be NULL */
    void *context;                /* of both */
} TabiaClusterOptions;

/*
 * Spreads a table of counts or entries over the ranks. The table is this rank's memory: it and the transport stay the
 * caller's, and must outlive the cluster. On failure *cluster is NULL, and the result TABIA_ERROR_OPTION (a face of
 * records) or _MEMORY. Nothing is sent before the first poll.
 */
TABIA_CLUSTER_API int tabia_cluster_create(TabiaCluster **cluster, TabiaTransport *transport, TabiaTable *table,
                                           const TabiaClusterOptions *options, TabiaReason *why);
/* Gives all back; messages not yet sent are lost. NULL is fine. */
TABIA_CLUSTER_API void tabia_cluster_destroy(TabiaCluster *cluster);

/*
 * Do all ranks agree? Each tells rank 0 its setup, and face, size and widths of its table; rank 0 tells all what came
 * of it. 1: they do; 0: not known yet, poll and ask again; TABIA_ERROR_FOREIGN: two ranks differ, in *why which and
 * how, the same line on all ranks; TABIA_ERROR_SYSTEM: a rank has not come in time.
 */
TABIA_CLUSTER_API int tabia_cluster_ready(TabiaCluster *cluster, TabiaReason *why);

TABIA_CLUSTER_API unsigned tabia_cluster_rank(const TabiaCluster *cluster);
TABIA_CLUSTER_API unsigned tabia_cluster_ranks(const TabiaCluster *cluster);
/* Who owns a position; of counts with the depth, as for the local table. */
TABIA_CLUSTER_API unsigned tabia_cluster_owner(const TabiaCluster *cluster, TabiaKey key);
TABIA_CLUSTER_API unsigned tabia_cluster_counts_owner(const TabiaCluster *cluster, TabiaKey key, unsigned depth);

/* ---- progress ---- */

/* Takes what came, serves it, sends what has waited long enough, gives up what was asked too long ago. How many
   messages came; 0 also where another thread is doing the same. */
TABIA_CLUSTER_API unsigned tabia_cluster_poll(TabiaCluster *cluster);

/* Polls when it is time: every 20 microseconds, or more seldom where a look for messages costs so much that this would
   take more than a hundredth of the time, up to `linger`. With a table of counts every 500 to 1000 microseconds, for a
   four hundredth at most where that will do: who has no work meanwhile polls. */
TABIA_CLUSTER_API unsigned tabia_cluster_serve(TabiaCluster *cluster);

/* Sends what waits to be filled. True when all has left this rank. */
TABIA_CLUSTER_API bool tabia_cluster_flush(TabiaCluster *cluster);

/* Seconds on the transport's clock. */
TABIA_CLUSTER_API double tabia_cluster_now(const TabiaCluster *cluster);

/* Is that rank thought to be there? One that has been asked something and was silent for the patience is not, until
   something comes from it. */
TABIA_CLUSTER_API bool tabia_cluster_alive(const TabiaCluster *cluster, unsigned rank);
/* Seconds since anything came from it, or since the beginning. */
TABIA_CLUSTER_API double tabia_cluster_silence(const TabiaCluster *cluster, unsigned rank);
/* Says that a rank is known to be dead: it is asked nothing any more, until something comes from it. */
TABIA_CLUSTER_API void tabia_cluster_bury(TabiaCluster *cluster, unsigned rank);

/* ---- entries ---- */

/* What the local table knows. Of what it does not, and of depth probe_depth or more, a request is on its way to the
   owner when this returns, or is left out if there is no room for it. */
TABIA_CLUSTER_API TabiaHit tabia_cluster_entry_probe(TabiaCluster *cluster, TabiaKey key, uint64_t path,
                                                     unsigned depth);

/* Only the request, for a position that will be probed soon: if the local table does not know it. */
TABIA_CLUSTER_API void tabia_cluster_entry_ask(TabiaCluster *cluster, TabiaKey key, unsigned depth);

/* The request, whatever the local table knows: of a position of which that is not enough. The reply is copied into the
   local table where it is deeper. */
TABIA_CLUSTER_API void tabia_cluster_entry_request(TabiaCluster *cluster, TabiaKey key, unsigned depth);

/* Stores in the local table, and from depth store_depth on at the owner. */
TABIA_CLUSTER_API void tabia_cluster_entry_store(TabiaCluster *cluster, TabiaKey key, uint64_t path, TabiaEntry entry,
                                                 unsigned depth);

/* Only at the owner, if that is another rank, whatever the depth. */
TABIA_CLUSTER_API void tabia_cluster_entry_send(TabiaCluster *cluster, TabiaKey key, uint64_t path, TabiaEntry entry,
                                                unsigned depth);
/* At all other ranks: for the few entries that all of them will look for. */
TABIA_CLUSTER_API void tabia_cluster_entry_spread(TabiaCluster *cluster, TabiaKey key, uint64_t path, TabiaEntry entry);

/* Resizes this rank's table while others go on asking it (tabia_table_resize); no thread of this rank may use it
   meanwhile. */
TABIA_CLUSTER_API int tabia_cluster_resize(TabiaCluster *cluster, uint64_t bytes, bool *kept, TabiaReason *why);

/* ---- counts ---- */

/* As for entries; 0 is a miss. */
TABIA_CLUSTER_API uint64_t tabia_cluster_counts_probe(TabiaCluster *cluster, TabiaKey key, unsigned depth);
TABIA_CLUSTER_API void tabia_cluster_counts_store(TabiaCluster *cluster, TabiaKey key, unsigned depth, uint64_t count);

/* Many probes whose answers are waited for while other work is done. All members are the cluster's. */
typedef struct TabiaClusterBatch {
    size_t open; /* keys that may still be answered */
    uint64_t *counts;
} TabiaClusterBatch;

/*
 * Probes n keys of one depth. What the local table knows is in counts[] at once; the rest is 0 there and asked of its
 * owners, and comes in later. The batch and counts[] must stay where they are until tabia_cluster_answered() says so.
 */
TABIA_CLUSTER_API void tabia_cluster_counts_ask(TabiaCluster *cluster, TabiaClusterBatch *batch, const TabiaKey *keys,
                                                unsigned depth, uint64_t *counts, size_t n);

/* Has all been answered or given up? Never waits: poll until then. */
TABIA_CLUSTER_API bool tabia_cluster_answered(const TabiaCluster *cluster, const TabiaClusterBatch *batch);

/* ---- messages of the program ---- */

/* Sends a message of kind 0 to TABIA_CLUSTER_KINDS - 1 with n bytes, 0 to TABIA_CLUSTER_BYTES_MAX, to a rank, also to
   oneself: that is received before this returns. False: no room now, try again. It may be lost. */
TABIA_CLUSTER_API bool tabia_cluster_send(TabiaCluster *cluster, unsigned to, unsigned kind, const void *bytes,
                                          size_t n);

/* ---- what happened ---- */

/* name, what is counted */
#define TABIA_CLUSTER_COUNTERS(X)                                                                                      \
    X(probes, "keys in batches")                                                                                       \
    X(local_hits, "of these, answered by the local table")                                                             \
    X(remote_probes, "keys asked of another rank")                                                                     \
    X(remote_hits, "of these, found there")                                                                            \
    X(remote_news, "of these, entries deeper than what the local table knew")                                          \
    X(unasked, "probes that would have been asked for, had there been room")                                           \
    X(given_up, "keys asked for and never answered")                                                                   \
    X(remote_stores, "stores sent to another rank")                                                                    \
    X(lost_stores, "stores that had no room")                                                                          \
    X(served_probes, "keys that others asked for")                                                                     \
    X(served_hits, "of these, found here")                                                                             \
    X(served_stores, "stores that others sent")                                                                        \
    X(messages, "messages sent")                                                                                       \
    X(bytes, "bytes in them")                                                                                          \
    X(received, "messages received")                                                                                   \
    X(polls, "looks for messages")                                                                                     \
    X(damaged, "messages dropped because their checksum was wrong")                                                    \
    X(damaged_entries, "entries dropped because their check word was wrong")                                           \
    X(stale, "replies to what was no longer asked for")

typedef struct TabiaClusterCounters {
#define TABIA_CLUSTER_COUNTER_MEMBER(name, text) uint64_t name;
    TABIA_CLUSTER_COUNTERS(TABIA_CLUSTER_COUNTER_MEMBER)
#undef TABIA_CLUSTER_COUNTER_MEMBER
} TabiaClusterCounters;

/* Of this rank, since the cluster was made. */
TABIA_CLUSTER_API void tabia_cluster_counters(const TabiaCluster *cluster, TabiaClusterCounters *counters);

#ifdef __cplusplus
}
#endif
#endif
