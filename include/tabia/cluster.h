/* SPDX-License-Identifier: MIT */
/*
 * A distributed transposition table: every rank (a process of an MPI job) contributes the same amount of memory, and
 * each position is owned by one rank.
 *
 * Caveats first.
 * - No progress thread. Messages are received and requests of other ranks are answered only inside
 *   tabia_cluster_poll() and tabia_cluster_serve(). A rank that calls neither answers no request.
 * - A miss is never an error. Requests, replies and stores may be lost on the way; each loss is a miss and is counted
 *   (TabiaClusterCounters). Nothing is sent again.
 * - A rank must not leave while others may still send it requests: end with a barrier in which all ranks poll
 *   (examples/cluster.c).
 * - All ranks have the same byte order, the same table size and the same options. tabia_cluster_ready() verifies it.
 *
 * How it works.
 *
 *     key -> (rank, bucket)      by different bits of the key, for any number of ranks
 *
 *         rank 0                        rank 1                        rank 2
 *     [ its shard | copies ]        [ its shard | copies ]        [ its shard | copies ]
 *            \____ probe: up to 640 keys in a message ___^  |
 *             ^____ reply: the entries found  ______________|       stores travel the same way, without an answer
 *
 * A probe reads the local table first. A key that is not there and is deep enough is sent to its owner in a batch; the
 * reply is stored in the local table, where the next probe finds it. So the local table holds two sets: this rank's
 * shard, and copies of what it requested. Both compete by replacement priority. The owner alone decides, by the
 * replacement rules of include/tabia/table.h, what stays in its shard; an entry that another rank reads becomes as
 * fresh as a new one. A rank that has died costs its shard, nothing else: its entries are misses.
 *
 * The idea is the global hash table of a distributed chess program (Edward Felten and Steve Otto, "Chess on a
 * hypercube", 1988), with one difference: a probe never waits for the reply.
 *
 * Integrity. Every message carries a checksum over all of its bytes, every entry a check word (key XOR hash of the
 * data, as in the table). A damaged message or entry is dropped and counted.
 *
 * Threads. Any number of threads may call every function but create and destroy, as far as the thread level of MPI
 * permits (tabia_transport_from_comm). One lock protects the messages. Probes and stores of single entries never wait
 * for it: when another thread holds it, the request or the remote store is left out. The local table stays lock-free.
 *
 * Memory ordering. What a reply or a remote store brings is written to the local table by the thread that polls, with
 * the ordering of tabia_counts_store() or tabia_entry_store(). The counts of a batch are written under the lock, and
 * tabia_cluster_batch_done() takes it: after it returned true the caller sees them all.
 *
 * Errors. A function that returns int returns 0 (TABIA_OK) or a negative TABIA_ERROR_...; the reason, one line of
 * text, is in *error unless why is NULL. Times are in seconds, sizes in bytes.
 *
 * Order of calls: a transport, a table, a cluster over both; tabia_cluster_poll() until tabia_cluster_ready() is 1; the
 * work, with tabia_cluster_serve() every few microseconds; a barrier; then destroy cluster, table and transport in this
 * order. examples/cluster.c is a complete program. In short:
 *
 *     TabiaTransport *transport;
 *     TabiaTable *table;
 *     TabiaCluster *cluster;
 *     int ready;
 *     tabia_transport_mpi(&transport, &argc, &argv, NULL);
 *     tabia_table_create(&table, &table_options, NULL);
 *     tabia_cluster_create(&cluster, transport, table, &options, NULL);
 *     while ((ready = tabia_cluster_ready(cluster, NULL)) == 0) tabia_cluster_poll(cluster);
 *
 * Programs link libtabia-cluster, which is built for one MPI:
 * mpicc program.c $(pkg-config --cflags --libs tabia-cluster).
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

/* Exported by libtabia-cluster. */
#define TABIA_CLUSTER_API __attribute__((visibility("default")))

/* This rank's part of the distributed table. Made by tabia_cluster_create(). */
typedef struct TabiaCluster TabiaCluster;

/* ---- transport ---- */

/*
 * Point-to-point messages between the ranks, over MPI. A transport carries one cluster, must outlive it, and is closed
 * after it. A message arrives whole or not at all.
 */
typedef struct TabiaTransport TabiaTransport;

/*
 * Creates a transport over all ranks of the job, for a program that uses MPI for nothing else. Calls MPI_Init_thread
 * with MPI_THREAD_SERIALIZED; tabia_transport_close() calls MPI_Finalize. To be called once in a process, first thing
 * in main, with pointers to main's arguments.
 *
 * Returns 0, or TABIA_ERROR_SYSTEM (MPI does not start, or was built without threads) or TABIA_ERROR_MEMORY; then
 * *transport is NULL. The caller owns *transport: tabia_transport_close() it.
 *
 *     int main(int argc, char **argv) {
 *         TabiaError why;
 *         TabiaTransport *transport;
 *         if (tabia_transport_mpi(&transport, &argc, &argv, &why)) return fprintf(stderr, "%s\n", why.text), 1;
 */
TABIA_CLUSTER_API int tabia_transport_mpi(TabiaTransport **transport, int *argc, char ***argv, TabiaError *error);

/*
 * Creates a transport over the ranks of a communicator, for a program that uses MPI itself. The communicator is given
 * as MPI_Comm_c2f(comm), an integer with every MPI, so that this header does not include mpi.h.
 *
 * Collective: all ranks of the communicator call it, between MPI_Init and MPI_Finalize, and wait there for each other.
 * Messages travel on a duplicate, so they never match receives of the program; the error handler of the program's
 * communicator is left alone. The communicator stays the caller's and may be freed at once. A process may have several
 * transports, each with its own cluster.
 *
 * Threads. With MPI_THREAD_SINGLE or _FUNNELED only the thread that initialised MPI may call the cluster and the
 * transport; with _SERIALIZED any thread, but while one does, none may call MPI itself; with _MULTIPLE any at any time.
 *
 * Returns 0, or TABIA_ERROR_SYSTEM (MPI is not running, or cannot duplicate the communicator), TABIA_ERROR_OPTION (not
 * a communicator, or an inter-communicator) or TABIA_ERROR_MEMORY; then *transport is NULL. The result is the same on
 * all ranks, unless memory is short on some.
 *
 *     tabia_transport_from_comm(&transport, MPI_Comm_c2f(MPI_COMM_WORLD), &why);
 */
TABIA_CLUSTER_API int tabia_transport_from_comm(TabiaTransport **transport, int64_t communicator, TabiaError *error);

/* The rank of this process, 0 to tabia_transport_ranks() - 1. Constant; any thread. */
TABIA_CLUSTER_API unsigned tabia_transport_rank(const TabiaTransport *transport);
/* The number of ranks, at least 1. Constant; any thread. */
TABIA_CLUSTER_API unsigned tabia_transport_ranks(const TabiaTransport *transport);

/*
 * Closes a transport and frees its memory. NULL is permitted. One thread, after the cluster was destroyed.
 *
 * orderly true: collective. All ranks wait for each other until every message that was sent has arrived; messages that
 * are not needed any more are dropped. Ends MPI if tabia_transport_mpi() began it.
 *
 * orderly false: as when a rank has died. Does not wait and does not call MPI; the message buffers are not freed. The
 * process should then leave by _exit() or MPI_Abort(), because MPI_Finalize may wait for the dead rank.
 */
TABIA_CLUSTER_API void tabia_transport_close(TabiaTransport *transport, bool orderly);

/* ---- options ---- */

/*
 * Receives a message of the program: source, tag and bytes as they were sent. bytes is aligned to 8 and valid until the
 * function returns. Called by tabia_cluster_poll() and tabia_cluster_serve() in the thread that called them, with the
 * lock held, and by tabia_cluster_send() for messages to oneself. It may call every function but destroy.
 */
typedef void TabiaClusterReceive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n);

/* An access to the table of all ranks, one key each, for recording traces. */
typedef enum TabiaClusterEvent {
    /* A probe that the local table did not answer. The owner may be this rank; then it is a miss. */
    TABIA_CLUSTER_EVENT_PROBE,
    /* A store deep enough for its owner, which may be this rank. */
    TABIA_CLUSTER_EVENT_STORE,
    /* Work that the program sent to another rank: in tabia-mpi perft, a position of a sibling batch. */
    TABIA_CLUSTER_EVENT_WORK,
} TabiaClusterEvent;

/* Called for each event with the lock held. seconds is tabia_cluster_now(). Must not call the cluster. */
typedef void TabiaClusterTrace(void *context, TabiaClusterEvent event, unsigned depth, unsigned owner, double seconds);

enum {
    /* Tags of the program's messages are 0 to TABIA_CLUSTER_TAGS - 1. */
    TABIA_CLUSTER_TAGS = 200,
    /* The most bytes of a message of the program. */
    TABIA_CLUSTER_BYTES_MAX = 31968,
    /* The most keys of one probe message. Batches may be of any length. */
    TABIA_CLUSTER_KEYS_MAX = 640
};

/* How tabia_cluster_create() sets up a cluster. {0} is permitted: every member has a default. */
typedef struct TabiaClusterOptions {
    /* One line that must be the same on all ranks: version, key seed, job. At most 1000 bytes count. NULL: "". */
    const char *configuration;
    /* Probes and stores of less depth stay in the local table; they never become messages. Default 0: all are sent. */
    unsigned probe_depth;
    unsigned store_depth;
    /* Seconds without a message after which a rank that owes a reply counts as dead. 0: 30. */
    double timeout;
    /* Seconds for all ranks to arrive and agree. 0: 60. */
    double handshake_timeout;
    /* Seconds that a message that is not full may wait for more entries. 0: 0.0002. Longer: fewer, larger messages. */
    double batching_delay;
    /* Receives the program's own messages. NULL: they are dropped. */
    TabiaClusterReceive *receive;
    /* Records accesses. NULL: none are recorded. */
    TabiaClusterTrace *trace;
    /* First argument of receive and trace. */
    void *context;
} TabiaClusterOptions;

/* ---- lifecycle ---- */

/*
 * Distributes a table of counts or entries over the ranks of a transport. Transport and table stay the caller's and
 * must outlive the cluster; *options is copied. Nothing is sent before the first poll, so the call is not collective.
 *
 * Returns 0, or TABIA_ERROR_OPTION (transport or table is NULL, as after a creation that failed; a table of records
 * cannot be distributed) or TABIA_ERROR_MEMORY; then *cluster is NULL. The caller owns *cluster:
 * tabia_cluster_destroy() it.
 *
 *     const TabiaClusterOptions options = {.configuration = "my program 1.0", .probe_depth = 4, .store_depth = 4};
 *     int code = tabia_cluster_create(&cluster, transport, table, &options, &why);
 */
TABIA_CLUSTER_API int tabia_cluster_create(TabiaCluster **cluster, TabiaTransport *transport, TabiaTable *table,
                                           const TabiaClusterOptions *options, TabiaError *error);

/* Destroys a cluster; messages not yet sent are lost. NULL is permitted. No other thread may use the cluster. */
TABIA_CLUSTER_API void tabia_cluster_destroy(TabiaCluster *cluster);

/*
 * Do all ranks agree? Each rank sends rank 0 its configuration line and the record type, size and geometry of its
 * table; rank 0 compares them and sends the verdict to all.
 *
 * Returns 1: they agree. 0: not known yet; poll and call again. TABIA_ERROR_FOREIGN: two ranks differ; *error says which
 * and in what, the same line on all ranks. TABIA_ERROR_SYSTEM: a rank has not arrived within handshake_timeout.
 */
TABIA_CLUSTER_API int tabia_cluster_ready(TabiaCluster *cluster, TabiaError *error);

/* The rank of this process and the number of ranks, as the transport's. */
TABIA_CLUSTER_API unsigned tabia_cluster_rank(const TabiaCluster *cluster);
TABIA_CLUSTER_API unsigned tabia_cluster_ranks(const TabiaCluster *cluster);

/* The rank that owns a position, from the key alone: the same on all ranks, for the life of the cluster. */
TABIA_CLUSTER_API unsigned tabia_cluster_owner(const TabiaCluster *cluster, TabiaKey key);
/* The same for a table of counts, where the depth is part of the key. */
TABIA_CLUSTER_API unsigned tabia_cluster_counts_owner(const TabiaCluster *cluster, TabiaKey key, unsigned depth);

/*
 * Resizes this rank's table to `bytes` (tabia_table_resize) while other ranks go on asking it. No thread of this rank
 * may use the table meanwhile. *kept, unless NULL: whether the entries were kept. Ranks may differ in size for a while;
 * keys and owners do not depend on it. Returns what tabia_table_resize() returns.
 */
TABIA_CLUSTER_API int tabia_cluster_resize(TabiaCluster *cluster, uint64_t bytes, bool *kept, TabiaError *error);

/* ---- progress ---- */

/*
 * Receives messages, answers requests, sends messages whose batching delay is over, and gives up requests whose timeout
 * is over. Does not wait. Returns how many messages were received; 0 also where another thread is doing the same.
 */
TABIA_CLUSTER_API unsigned tabia_cluster_poll(TabiaCluster *cluster);

/*
 * Polls when a poll is due, otherwise reads the time and returns 0 (some ten nanoseconds): to be called every few
 * microseconds by threads that work. With a table of entries a poll is due every 20 microseconds, or less often where
 * an empty poll is expensive: polls take at most a hundredth of the time, and the interval is at most batching_delay.
 * With a table of counts it is due every 500 to 1000 microseconds, and polls take at most a four hundredth of the time
 * where that interval permits; a rank without work calls tabia_cluster_poll() instead.
 */
TABIA_CLUSTER_API unsigned tabia_cluster_serve(TabiaCluster *cluster);

/*
 * Sends every message that waits to be filled. Returns true when all sends of this rank have completed: their buffers
 * are reusable, which does not say that they were received. Waits for the lock, not for messages.
 *
 *     while (!tabia_cluster_flush(cluster)) tabia_cluster_poll(cluster);
 */
TABIA_CLUSTER_API bool tabia_cluster_flush(TabiaCluster *cluster);

/* Seconds on the transport's clock. Differences alone have a meaning; clocks of two ranks are not comparable. */
TABIA_CLUSTER_API double tabia_cluster_now(const TabiaCluster *cluster);

/* Is that rank believed alive? A rank that owes a reply and has been silent for the timeout is not, until a message
   from it arrives. Reads one atomic flag (relaxed). */
TABIA_CLUSTER_API bool tabia_cluster_alive(const TabiaCluster *cluster, unsigned rank);
/* Seconds since the last message from that rank, or since the cluster was created. */
TABIA_CLUSTER_API double tabia_cluster_silence(const TabiaCluster *cluster, unsigned rank);
/* Declares a rank dead: its pending requests are given up, and it is sent none until a message from it arrives. */
TABIA_CLUSTER_API void tabia_cluster_mark_dead(TabiaCluster *cluster, unsigned rank);

/* ---- entries ---- */

/*
 * Probes the local table. On a miss at depth probe_depth or more, a request to the owner has been queued when this
 * returns, or was dropped for lack of room; the reply is stored in the local table. Never waits.
 *
 * Keys, path and depth as for tabia_entry_probe(); a TabiaHit says what was found and whether its score holds for this
 * path. The table must be one of entries.
 *
 *     TabiaHit hit = tabia_cluster_entry_probe(cluster, key, path, depth);
 *     if (hit.move_ok) try_first(hit.entry.move);
 */
TABIA_CLUSTER_API TabiaHit tabia_cluster_entry_probe(TabiaCluster *cluster, TabiaKey key, uint64_t path,
                                                     unsigned depth);

/* Requests a position that will be probed soon, unless the local table knows it. */
TABIA_CLUSTER_API void tabia_cluster_entry_prefetch(TabiaCluster *cluster, TabiaKey key, unsigned depth);

/* Requests a position whatever the local table knows, where that is not deep enough. The reply is stored in the local
   table if it is deeper than the entry there. */
TABIA_CLUSTER_API void tabia_cluster_entry_request(TabiaCluster *cluster, TabiaKey key, unsigned depth);

/* Stores in the local table, and from depth store_depth on also at the owner. A remote store may be lost. */
TABIA_CLUSTER_API void tabia_cluster_entry_store(TabiaCluster *cluster, TabiaKey key, uint64_t path, TabiaEntry entry,
                                                 unsigned depth);

/* Stores at the owner only, if that is another rank, whatever the depth. */
TABIA_CLUSTER_API void tabia_cluster_entry_store_remote(TabiaCluster *cluster, TabiaKey key, uint64_t path,
                                                        TabiaEntry entry, unsigned depth);

/* Stores at all other ranks: for the few entries that all of them will probe, as those near the root. */
TABIA_CLUSTER_API void tabia_cluster_entry_broadcast(TabiaCluster *cluster, TabiaKey key, uint64_t path,
                                                     TabiaEntry entry);

/* ---- counts ---- */

/* Probes the local table of counts; 0 is a miss. Requests a missing count as tabia_cluster_entry_probe() does. */
TABIA_CLUSTER_API uint64_t tabia_cluster_counts_probe(TabiaCluster *cluster, TabiaKey key, unsigned depth);
/* Stores a count of 1 or more in the local table, and from depth store_depth on also at the owner. 0 is not sent. */
TABIA_CLUSTER_API void tabia_cluster_counts_store(TabiaCluster *cluster, TabiaKey key, unsigned depth, uint64_t count);

/* A batch of probes under way. The members are the cluster's; both may be read while no thread polls. */
typedef struct TabiaClusterBatch {
    size_t pending;   /* keys that may still be answered */
    uint64_t *counts; /* the caller's results, one for each key */
} TabiaClusterBatch;

/*
 * Probes n keys of one depth. counts[i] is what the local table knows of keys[i], at once; the others are 0 there, are
 * requested from their owners if depth is probe_depth or more, and arrive during later polls. A key that stays 0 is a
 * miss. n may be 0.
 *
 * *batch and counts[0 .. n-1] are the caller's and must stay in place until tabia_cluster_batch_done() returns true.
 * Waits for the lock.
 *
 *     TabiaClusterBatch batch;
 *     tabia_cluster_counts_probe_batch(cluster, &batch, keys, depth, counts, n);
 *     while (!tabia_cluster_batch_done(cluster, &batch)) tabia_cluster_poll(cluster);      // or do other work
 */
TABIA_CLUSTER_API void tabia_cluster_counts_probe_batch(TabiaCluster *cluster, TabiaClusterBatch *batch,
                                                        const TabiaKey *keys, unsigned depth, uint64_t *counts,
                                                        size_t n);

/* Has every key of the batch been answered or given up? Does not poll: call tabia_cluster_poll() until it is true. */
TABIA_CLUSTER_API bool tabia_cluster_batch_done(const TabiaCluster *cluster, const TabiaClusterBatch *batch);

/* ---- messages of the program ---- */

/*
 * Sends a message of n bytes (0 to TABIA_CLUSTER_BYTES_MAX) with a tag (0 to TABIA_CLUSTER_TAGS - 1) to a rank; bytes
 * are copied. A message to oneself is received before this returns. Order between messages is not guaranteed.
 *
 * Returns false when there is no room now: poll and try again. True does not say that it will arrive: a message may be
 * lost, so a protocol over it needs acknowledgements.
 */
TABIA_CLUSTER_API bool tabia_cluster_send(TabiaCluster *cluster, unsigned destination, unsigned tag, const void *bytes,
                                          size_t n);

/* ---- counters ---- */

/* member, what is counted */
#define TABIA_CLUSTER_COUNTERS(X)                                                                                      \
    X(probes, "keys in batches")                                                                                       \
    X(local_hits, "of these, answered by the local table")                                                             \
    X(remote_probes, "keys requested from another rank")                                                               \
    X(remote_hits, "of these, found there")                                                                            \
    X(remote_deeper, "of these, entries deeper than what the local table knew")                                        \
    X(dropped_probes, "probes not requested for lack of room")                                                         \
    X(timed_out_probes, "keys requested and never answered")                                                           \
    X(remote_stores, "stores sent to another rank")                                                                    \
    X(dropped_stores, "stores not sent for lack of room")                                                              \
    X(served_probes, "keys that other ranks requested")                                                                \
    X(served_hits, "of these, found here")                                                                             \
    X(served_stores, "stores that other ranks sent")                                                                   \
    X(messages, "messages sent")                                                                                       \
    X(bytes, "bytes in them")                                                                                          \
    X(received, "messages received")                                                                                   \
    X(polls, "polls of the transport")                                                                                 \
    X(corrupt_messages, "messages dropped because their checksum was wrong")                                           \
    X(corrupt_entries, "entries dropped because their check word was wrong")                                           \
    X(stale_replies, "replies to requests that were no longer pending")

/* What happened on this rank since the cluster was created. */
typedef struct TabiaClusterCounters {
#define TABIA_CLUSTER_COUNTER_MEMBER(name, text) uint64_t name;
    TABIA_CLUSTER_COUNTERS(TABIA_CLUSTER_COUNTER_MEMBER)
#undef TABIA_CLUSTER_COUNTER_MEMBER
} TabiaClusterCounters;

/* Copies the counters of this rank, all of one moment. */
TABIA_CLUSTER_API void tabia_cluster_counters(const TabiaCluster *cluster, TabiaClusterCounters *counters);

#ifdef __cplusplus
}
#endif
#endif
