/* SPDX-License-Identifier: MIT */
/*
 * Probes and stores of a distributed table.
 *
 * Caveats first.
 * - A miss is never an error. Requests, replies and stores may be lost on the way; nothing is sent again, and each
 *   loss is counted where it is noticed (TabiaClusterCounters).
 * - A reply arrives during a later poll: the first probe of a remote position misses, the next one may hit.
 * - None waits for the lock: the request or the remote store is left out when another thread holds it, which no counter
 *   shows.
 * - All of them need a cluster with a table.
 *
 * Which depth. probe_depth and store_depth of the options are compared with the `depth` of the call, in plies. What is
 * shallower stays in the local table.
 *
 * Ownership: keys and entries are copied.
 * Threads: any number at any time, as far as the thread level of MPI permits (tabia_transport_from_comm()).
 * Memory ordering: what a reply brings is written to the local table by the thread that polls, with the relaxed
 * ordering of tabia_entry_store().
 * Errors: none of these functions can fail.
 *
 * The idea is the global hash table of a distributed chess program (Edward Felten and Steve Otto, "Chess on a
 * hypercube", 1988), with one difference: a probe never waits for the reply.
 *
 * Example:
 *
 *     TabiaHit hit = tabia_cluster_entry_probe(cluster, key, path, depth);
 *     tabia_cluster_entry_store(cluster, key, path, entry, depth);
 *     tabia_cluster_serve(cluster);
 */
#ifndef TABIA_CLUSTER_TABLE_H
#define TABIA_CLUSTER_TABLE_H

#include "cluster_options.h"
#include "entry.h"
#include "transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- owners ---- */

/*
 * Returns the rank that owns a position, from the key alone: the same on all ranks, for the life of the cluster.
 *
 * Errors: none.
 * Threads: any number at any time; constant.
 *
 * Example:
 *
 *     if (tabia_cluster_owner(cluster, key) == tabia_cluster_rank(cluster)) printf("it lies here\n");
 */
TABIA_CLUSTER_API unsigned tabia_cluster_owner(const TabiaCluster *cluster, TabiaKey key);

/* ---- entries ---- */

/*
 * Probes the local table. On a miss at depth probe_depth or more, a request to the owner has been queued when this
 * returns, or was left out for lack of room; the reply is stored in the local table. Never waits. Keys, path and result
 * are those of tabia_entry_probe().
 *
 * Errors: none.
 * Threads: any number at any time.
 *
 * Example:
 *
 *     hit = tabia_cluster_entry_probe(cluster, key, path, depth);
 *     if (hit.score_ok && hit.entry.draft >= depth && hit.entry.bound == TABIA_BOUND_EXACT) score = hit.entry.score;
 */
TABIA_CLUSTER_API TabiaHit tabia_cluster_entry_probe(TabiaCluster *cluster, TabiaKey key, uint64_t path,
                                                     unsigned depth);

/*
 * Requests a position whatever the local table knows of it, where that is not deep enough for the caller and depth is
 * probe_depth or more. The reply is stored unless the local table has the same path at the same or a greater draft.
 *
 * Errors: none.
 * Threads: any number at any time. Never waits.
 *
 * Example:
 *
 *     hit = tabia_cluster_entry_probe(cluster, key, path, depth);
 *     if (hit.move_ok && hit.entry.draft < depth) tabia_cluster_entry_request(cluster, key, depth);
 */
TABIA_CLUSTER_API void tabia_cluster_entry_request(TabiaCluster *cluster, TabiaKey key, unsigned depth);

/*
 * Stores in the local table, and from depth store_depth on also at the owner, which decides by the replacement rule of
 * entry.h what stays there. The remote store may be lost. Of a path key the low 32 bits are sent.
 *
 * Errors: none.
 * Threads: any number at any time. Never waits.
 *
 * Example:
 *
 *     const TabiaEntry entry = {.move = 0x31c, .score = 25, .draft = (uint8_t)depth, .bound = TABIA_BOUND_LOWER};
 *     tabia_cluster_entry_store(cluster, key, path, entry, depth);
 */
TABIA_CLUSTER_API void tabia_cluster_entry_store(TabiaCluster *cluster, TabiaKey key, uint64_t path, TabiaEntry entry,
                                                 unsigned depth);

/*
 * Stores at the owner only, if that is another rank, whatever the depth.
 *
 * Errors: none.
 * Threads: any number at any time. Never waits.
 *
 * Example:
 *
 *     tabia_cluster_entry_store_remote(cluster, key, path, entry);
 */
TABIA_CLUSTER_API void tabia_cluster_entry_store_remote(TabiaCluster *cluster, TabiaKey key, uint64_t path,
                                                        TabiaEntry entry);

#ifdef __cplusplus
}
#endif
#endif
