/* SPDX-License-Identifier: MIT */
/*
 * The options of a cluster, for tabia_cluster_create(). 0 is the default of every member, so {0} is a cluster that
 * sends every probe and every store to its owner.
 *
 * Caveats first.
 * - `configuration`, `probe_depth` and `store_depth` are those of each rank; only the first is compared between ranks.
 * - Depths decide what the network carries: shallow positions are many and cheap to search again. Choose them by
 *   measurement.
 * - `receive` runs with the lock of the cluster held: other threads get no reply meanwhile.
 *
 * Ownership: an options struct is the caller's; create copies it and the configuration line. `context` is passed on as
 * it is and must live as long as the cluster.
 * Units: times are in seconds, depths in plies.
 *
 * Example:
 *
 *     const TabiaClusterOptions options = {.configuration = "my program 1.0", .probe_depth = 4, .store_depth = 4};
 */
#ifndef TABIA_CLUSTER_OPTIONS_H
#define TABIA_CLUSTER_OPTIONS_H

#include <stddef.h>

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * This rank's part of the distributed table: pending requests, stores on their way, and what is known of the other
 * ranks. Made by tabia_cluster_create(), destroyed by tabia_cluster_destroy(). The table itself stays the caller's.
 */
typedef struct TabiaCluster TabiaCluster;

/*
 * Receives a message of the program: source, tag and bytes as they were sent. bytes is aligned to 8 and valid until the
 * function returns. Called by tabia_cluster_poll() and tabia_cluster_serve() in the thread that called them, with the
 * lock held, and by tabia_cluster_send() for messages to oneself. It may call every function but destroy.
 */
typedef void TabiaClusterReceive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n);

/* Limits of messages. */
enum {
    /*
     * Tags of the program's messages are 0 to TABIA_CLUSTER_TAGS - 1.
     */
    TABIA_CLUSTER_TAGS = 200,
    /* The most bytes of a message of the program. */
    TABIA_CLUSTER_BYTES_MAX = 31968,
    /* The most keys of one probe message. */
    TABIA_CLUSTER_KEYS_MAX = 640
};

/* How tabia_cluster_create() sets up a cluster. */
typedef struct TabiaClusterOptions {
    /*
     * One line that must be the same on all ranks: version, key seed, job. At most 1000 bytes count. NULL: "".
     */
    const char *configuration;
    /*
     * Probes of less depth stay in the local table; they never become messages. 0: all are sent.
     */
    unsigned probe_depth;
    /* The same for stores. */
    unsigned store_depth;
    /*
     * Seconds without a message after which a rank that owes a reply counts as dead. 0: 30. Too short, and ranks that
     * are merely busy are not asked for a while; too long, and requests go on to one that is dead.
     */
    double timeout;
    /*
     * Seconds for all ranks to arrive and agree, from create on. 0: 60.
     */
    double handshake_timeout;
    /*
     * Seconds that a message that is not full may wait for more keys or stores. 0: 0.0002. Longer: fewer, larger
     * messages, and later replies.
     */
    double batching_delay;
    /*
     * Receives the program's own messages (tabia_cluster_send()). NULL: they are dropped.
     */
    TabiaClusterReceive *receive;
    /*
     * First argument of receive.
     */
    void *context;
} TabiaClusterOptions;

#ifdef __cplusplus
}
#endif
#endif
