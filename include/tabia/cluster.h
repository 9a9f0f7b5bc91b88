/* SPDX-License-Identifier: MIT */
/*
 * libtabia-cluster: a distributed transposition table. Every rank (a process of an MPI job) contributes the same amount
 * of memory, and each position is owned by one rank.
 *
 * Caveats first.
 * - No progress thread. Messages are received and requests of other ranks are answered only inside
 *   tabia_cluster_poll() and tabia_cluster_serve(). A rank that calls neither answers no request.
 * - A miss is never an error. Requests, replies and stores may be lost on the way. Nothing is sent again.
 * - A rank must not leave while others may still send it requests: end with a barrier in which all ranks poll
 *   (examples/cluster.c).
 * - All ranks have the same byte order, the same table size and the same options. tabia_cluster_ready() verifies all
 *   but the byte order.
 * - A NULL cluster is permitted for tabia_cluster_destroy() only; ranks and tags out of their range are programming errors, which
 *   debug builds assert.
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
 * replacement rules of the table, what stays in its shard; an entry that another rank reads becomes as fresh as a new
 * one. A rank that has died costs its shard, nothing else: its entries are misses.
 *
 * The idea is the global hash table of a distributed chess program (Edward Felten and Steve Otto, "Chess on a
 * hypercube", 1988), with one difference: a probe never waits for the reply.
 *
 * Integrity. Every message carries a checksum over all of its bytes, every entry a check word (key XOR hash of the
 * data, as in the table). A damaged message or entry is dropped and counted.
 *
 * Threads: any number of threads may call every function but create and destroy, as far as the thread level of MPI
 * permits (tabia_transport_from_comm()). One lock protects the messages. Probes and stores of single entries never wait
 * for it: when another thread holds it, the request or the remote store is left out. The local table stays lock-free.
 *
 * Memory ordering: what a reply or a remote store brings is written to the local table by the thread that polls, with
 * the relaxed ordering of every store into a table. The functions that take the lock see what others wrote under it.
 *
 * Errors: a function that returns int returns 0 (TABIA_OK) or a negative TABIA_ERROR_...; the reason, one line of
 * text, is in *error unless that is NULL. Times are in seconds, sizes in bytes.
 *
 * Order of calls: a transport, a table, a cluster over both; tabia_cluster_poll() until tabia_cluster_ready() is 1; the
 * work, with tabia_cluster_serve() every few microseconds; a barrier; then destroy cluster, table and transport in this
 * order. examples/cluster.c is a complete program.
 *
 * Example:
 *
 *     TabiaTransport *transport;
 *     TabiaTable *table;
 *     TabiaCluster *cluster;
 *     int ready;
 *     tabia_transport_mpi(&transport, &argc, &argv, NULL);
 *     tabia_table_create(&table, &table_options, NULL);
 *     tabia_cluster_create(&cluster, transport, table, &cluster_options, NULL);
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

#include "cluster_options.h"
#include "cluster_table.h"
#include "table.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- lifecycle ---- */

/*
 * Distributes a table of entries over the ranks of a transport; without one (NULL) the cluster carries the messages of the
 * program alone. Nothing is sent before the first poll, so the call is not collective. options may be NULL.
 *
 * Ownership: *cluster is the caller's, to be destroyed; on failure it is NULL. Transport and table stay the caller's
 * and must outlive it; *options is copied.
 * Errors: TABIA_ERROR_OPTION (transport is NULL, as after a creation that failed; a table of counts or records, with
 * partitions, user_bits or longer moves cannot be distributed), TABIA_ERROR_MEMORY.
 * Threads: any, one at a time for one transport.
 *
 * Example:
 *
 *     TabiaCluster *own;
 *     const TabiaClusterOptions options = {.configuration = "my program 1.0", .probe_depth = 4, .store_depth = 4};
 *     if (tabia_cluster_create(&own, transport, table, &options, &error)) return puts(error.text), 1;
 *     tabia_cluster_destroy(own);
 */
TABIA_CLUSTER_API int tabia_cluster_create(TabiaCluster **cluster, TabiaTransport *transport, TabiaTable *table,
                                           const TabiaClusterOptions *options, TabiaError *error);

/*
 * Destroys a cluster; messages not yet sent are lost. NULL is permitted.
 *
 * Ownership: transport and table remain, and are closed and destroyed by the caller.
 * Errors: none.
 * Threads: one; no other thread may use the cluster.
 *
 * Example:
 *
 *     TabiaCluster *own;
 *     if (tabia_cluster_create(&own, transport, table, NULL, NULL)) return 1;
 *     tabia_cluster_destroy(own);
 */
TABIA_CLUSTER_API void tabia_cluster_destroy(TabiaCluster *cluster);

/*
 * Returns whether all ranks agree. Each rank sends rank 0 its configuration line and the size and geometry of its table;
 * rank 0 compares them and sends the verdict to all.
 *
 * 1: they agree. 0: not known yet; poll and call again. The verdict does not change later.
 *
 * Errors: TABIA_ERROR_FOREIGN: two ranks differ; *error says which and in what, the same line on all ranks.
 * TABIA_ERROR_SYSTEM: a rank has not arrived within handshake_timeout.
 * Threads: any number at any time. Waits for the lock, not for messages.
 *
 * Example:
 *
 *     int ready;
 *     while ((ready = tabia_cluster_ready(cluster, &error)) == 0) tabia_cluster_poll(cluster);
 *     if (ready < 0) return fprintf(stderr, "%s\n", error.text), 1;
 */
TABIA_CLUSTER_API int tabia_cluster_ready(TabiaCluster *cluster, TabiaError *error);

/*
 * Returns the rank of this process, as the transport's.
 *
 * Errors: none.
 * Threads: any number at any time; constant.
 *
 * Example:
 *
 *     if (tabia_cluster_rank(cluster) == 0) printf("%u ranks\n", tabia_cluster_ranks(cluster));
 */
TABIA_CLUSTER_API unsigned tabia_cluster_rank(const TabiaCluster *cluster);

/*
 * Returns the number of ranks, as the transport's.
 *
 * Errors: none.
 * Threads: any number at any time; constant.
 *
 * Example:
 *
 *     for (unsigned r = 0; r < tabia_cluster_ranks(cluster); r++) printf("rank %u\n", r);
 */
TABIA_CLUSTER_API unsigned tabia_cluster_ranks(const TabiaCluster *cluster);

/*
 * Resizes this rank's table as tabia_table_resize() does. The cluster must have a table. Other ranks may send requests
 * meanwhile. Ranks may differ in size for a while; keys and owners do not depend on it.
 *
 * Errors: those of tabia_table_resize(); the table is then as before.
 * Threads: one; no other thread of this rank may probe or store meanwhile. Other threads may poll: they wait for the
 * lock.
 *
 * Example:
 *
 *     bool kept;
 *     if (tabia_cluster_resize(cluster, 32 << 20, &kept, &error)) fprintf(stderr, "%s\n", error.text);
 */
TABIA_CLUSTER_API int tabia_cluster_resize(TabiaCluster *cluster, uint64_t bytes, bool *kept, TabiaError *error);

/* ---- progress ---- */

/*
 * Receives messages, answers requests, sends messages whose batching delay is over, and gives up requests whose timeout
 * is over. Returns how many messages were received; 0 also where another thread holds the lock.
 *
 * Errors: none.
 * Threads: any number at any time. Never waits.
 *
 * Example:
 *
 *     while (tabia_cluster_poll(cluster)) continue;
 */
TABIA_CLUSTER_API unsigned tabia_cluster_poll(TabiaCluster *cluster);

/*
 * Polls when a poll is due, otherwise reads the time and returns 0 (some ten nanoseconds): to be called every few
 * microseconds by threads that work. With a table a poll is due every 20 microseconds, or less often where
 * an empty poll is expensive: polls take at most a hundredth of the time, and the interval is at most batching_delay.
 * Without a table it is due every 500 to 1000 microseconds, and polls take at most a four hundredth of the time
 * where that interval permits; a rank without work calls tabia_cluster_poll() instead.
 *
 * Errors: none.
 * Threads: any number at any time. Never waits.
 *
 * Example:
 *
 *     for (unsigned node = 0; node < 1000; node++) tabia_cluster_serve(cluster);
 */
TABIA_CLUSTER_API unsigned tabia_cluster_serve(TabiaCluster *cluster);

/*
 * Sends every message that waits to be filled. Returns true when all sends of this rank have completed: their buffers
 * are reusable, which does not say that they were received.
 *
 * Errors: none.
 * Threads: any number at any time. Waits for the lock, not for messages.
 *
 * Example:
 *
 *     while (!tabia_cluster_flush(cluster)) tabia_cluster_poll(cluster);
 */
TABIA_CLUSTER_API bool tabia_cluster_flush(TabiaCluster *cluster);

/*
 * Returns the time of the transport's clock in seconds. Only differences have a meaning; clocks of two ranks are not
 * comparable.
 *
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     const double deadline = tabia_cluster_now(cluster) + 1e-3;
 *     while (tabia_cluster_now(cluster) < deadline) tabia_cluster_poll(cluster);
 */
TABIA_CLUSTER_API double tabia_cluster_now(const TabiaCluster *cluster);

/* ---- ranks that die ---- */

/*
 * Returns whether a rank is believed alive. One that owes a reply and has been silent for the timeout is not, until a
 * message from it arrives. (A failure detector by timeouts may be wrong: Tushar Chandra and Sam Toueg, "Unreliable
 * failure detectors for reliable distributed systems", 1996. Here an error costs hits, never correctness.)
 *
 * Errors: none.
 * Threads: any number at any time; reads one relaxed atomic.
 *
 * Example:
 *
 *     for (unsigned r = 0; r < tabia_cluster_ranks(cluster); r++)
 *         if (!tabia_cluster_alive(cluster, r)) fprintf(stderr, "rank %u does not answer\n", r);
 */
TABIA_CLUSTER_API bool tabia_cluster_alive(const TabiaCluster *cluster, unsigned rank);

/*
 * Returns the seconds since the last message from a rank, or since the cluster was created.
 *
 * Errors: none.
 * Threads: any number at any time. Waits for the lock, not for messages.
 *
 * Example:
 *
 *     if (tabia_cluster_silence(cluster, 0) > 5) fprintf(stderr, "rank 0 has been silent for 5 seconds\n");
 */
TABIA_CLUSTER_API double tabia_cluster_silence(const TabiaCluster *cluster, unsigned rank);

/*
 * Declares a rank dead: its pending requests are given up, and it is sent none until a message from it arrives.
 *
 * Errors: none.
 * Threads: any number at any time. Waits for the lock, not for messages.
 *
 * Example:
 *
 *     if (tabia_cluster_silence(cluster, 0) > 5) tabia_cluster_mark_dead(cluster, 0);
 */
TABIA_CLUSTER_API void tabia_cluster_mark_dead(TabiaCluster *cluster, unsigned rank);

/* ---- messages of the program ---- */

/*
 * Sends a message of n bytes (0 to TABIA_CLUSTER_BYTES_MAX) with a tag (0 to TABIA_CLUSTER_TAGS - 1) to a rank. A
 * message to oneself is received before this returns. Order between messages is not guaranteed.
 *
 * Returns false when there is no room now: poll and try again. True does not say that it will arrive: a message may be
 * lost, so a protocol over it needs acknowledgements.
 *
 * Ownership: bytes are copied.
 * Errors: none.
 * Threads: any number at any time. Waits for the lock, not for messages.
 *
 * Example:
 *
 *     const unsigned next = (tabia_cluster_rank(cluster) + 1) % tabia_cluster_ranks(cluster);
 *     while (!tabia_cluster_send(cluster, next, 7, "hello", sizeof "hello")) tabia_cluster_poll(cluster);
 */
TABIA_CLUSTER_API bool tabia_cluster_send(TabiaCluster *cluster, unsigned destination, unsigned tag, const void *bytes,
                                          size_t n);

/* ---- counters ---- */

/* The counters: member, what is counted. */
#define TABIA_CLUSTER_COUNTERS(X)                                                                                      \
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
    X(received_serving, "of these, by tabia_cluster_serve()")                                                          \
    X(polls, "polls of the transport")                                                                                 \
    X(corrupt_messages, "messages dropped because their checksum was wrong")                                           \
    X(corrupt_entries, "entries dropped because their check word was wrong")                                           \
    X(stale_replies, "replies to requests that were no longer pending")

enum { TABIA_CLUSTER_WAITS = 20 };

/* What happened on this rank since the cluster was created. */
typedef struct TabiaClusterCounters {
#define TABIA_CLUSTER_COUNTER_MEMBER(name, text) uint64_t name;
    TABIA_CLUSTER_COUNTERS(TABIA_CLUSTER_COUNTER_MEMBER)
#undef TABIA_CLUSTER_COUNTER_MEMBER
    /* Messages received, by how long they can have waited here: waits[i] by polls that began less than 2^i microseconds,
       and not less than half of that, after the poll before; the last also by all later ones. A poll over MPI takes up to
       eight messages, so under a burst the ninth has waited longer. */
    uint64_t waits[TABIA_CLUSTER_WAITS];
} TabiaClusterCounters;

/*
 * Copies the counters of this rank, all of one moment.
 *
 * Errors: none.
 * Threads: any number at any time. Waits for the lock, not for messages.
 *
 * Example:
 *
 *     TabiaClusterCounters counted;
 *     tabia_cluster_counters(cluster, &counted);
 *     printf("%llu of %llu remote probes hit\n", (unsigned long long)counted.remote_hits,
 *            (unsigned long long)counted.remote_probes);
 */
TABIA_CLUSTER_API void tabia_cluster_counters(const TabiaCluster *cluster, TabiaClusterCounters *counters);

#ifdef __cplusplus
}
#endif
#endif
