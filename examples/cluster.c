/* SPDX-License-Identifier: MIT */
/*
 * A distributed table over the ranks of an MPI job: each rank stores its share of the positions, then probes all of
 * them. A position that its local table does not know is requested from the rank that owns it.
 *
 *     mpicc -O2 cluster.c $(pkg-config --cflags --libs tabia-cluster) -o cluster
 *     mpirun -n 2 ./cluster
 *
 * The "positions" are numbers, and their scores the last digits.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <tabia/cluster.h>
#include <threads.h>

enum { POSITIONS = 100000, DEPTH = 3, PASSES = 8 };

/* Two pseudo-random words, as Zobrist keys are (the mixer of SplitMix64, Sebastiano Vigna). */
static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
static TabiaKey key_of(uint64_t n) {
    return (TabiaKey){.index = mix(2 * n), .check = mix(2 * n + 1)};
}

static int16_t score_of(uint64_t n) {
    return (int16_t)(n % 1000);
}

/* Ends the job with an error message. */
static void fail(const char *what, TabiaError *error) {
    fprintf(stderr, "cluster: %s: %s\n", what, error->text);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* A barrier in which this rank goes on answering requests of the others. */
static void barrier(TabiaCluster *cluster) {
    MPI_Request request;
    int done = 0;
    while (!tabia_cluster_flush(cluster)) tabia_cluster_poll(cluster);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!done) {
        tabia_cluster_poll(cluster);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Each rank stores its share of the positions, and serves the others meanwhile. Stores never wait: those without room are
   dropped. Real work between them leaves time enough; this program does nothing else, and flushes every 256 stores. */
static void store_share(TabiaCluster *cluster) {
    const unsigned ranks = tabia_cluster_ranks(cluster);
    for (uint64_t n = tabia_cluster_rank(cluster); n < POSITIONS; n += ranks) {
        const TabiaEntry entry = {.move = 1, .score = score_of(n), .draft = DEPTH, .bound = TABIA_BOUND_EXACT};
        tabia_cluster_entry_store(cluster, key_of(n), 0, entry, DEPTH);
        tabia_cluster_serve(cluster);
        while (n / ranks % 256 == 0 && !tabia_cluster_flush(cluster)) tabia_cluster_poll(cluster);
    }
}

/* Probes all positions; returns how many were found. A miss is not an error: the table is a cache. What this rank does
   not know is requested from its owner, and the reply is there for a later probe. */
static unsigned probe_all(TabiaCluster *cluster, unsigned *wrong) {
    unsigned found = 0;
    for (uint64_t n = 0; n < POSITIONS; n++) {
        const TabiaHit hit = tabia_cluster_entry_probe(cluster, key_of(n), 0, DEPTH);
        found += hit.score_ok;
        *wrong += hit.score_ok && hit.entry.score != score_of(n);
        tabia_cluster_serve(cluster);
        while (n % 256 == 0 && !tabia_cluster_flush(cluster)) tabia_cluster_poll(cluster);
    }
    return found;
}

/* MPICH before 4.2 may hang in MPI_Finalize over TCP, unless all ranks enter it at about the same time. */
static void finalize_together(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    thrd_sleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    MPI_Finalize();
}

int main(int argc, char **argv) {
    TabiaError error = {0};
    TabiaTransport *transport;
    TabiaTable *table;
    TabiaCluster *cluster;
    int given, ready;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given); /* this program has one thread */

    if (tabia_transport_from_comm(&transport, MPI_Comm_c2f(MPI_COMM_WORLD), &error)) fail("transport", &error);
    const TabiaOptions table_options = {.bytes = 16 << 20}; /* of each rank */
    if (tabia_table_create(&table, &table_options, &error)) fail("table", &error);
    const TabiaClusterOptions options = {.configuration = "cluster example 1"}; /* must be the same everywhere */
    if (tabia_cluster_create(&cluster, transport, table, &options, &error)) fail("cluster", &error);
    while ((ready = tabia_cluster_ready(cluster, &error)) == 0) tabia_cluster_poll(cluster);
    if (ready < 0) fail("the ranks", &error);

    unsigned wrong = 0;
    store_share(cluster);
    barrier(cluster);
    const unsigned at_once = probe_all(cluster, &wrong);
    barrier(cluster); /* others may still send requests */
    unsigned found = at_once;
    for (int pass = 1; pass < PASSES; pass++) { /* requests without room were dropped: they are sent again */
        found = probe_all(cluster, &wrong);
        barrier(cluster);
    }

    TabiaClusterCounters count;
    tabia_cluster_counters(cluster, &count);
    printf("rank %u of %u: of %d positions %u found at once, %u later, %u wrong; %" PRIu64
           " requested from other ranks, %" PRIu64 " found there\n",
           tabia_cluster_rank(cluster), tabia_cluster_ranks(cluster), POSITIONS, at_once, found, wrong,
           count.remote_probes, count.remote_hits);
    tabia_cluster_destroy(cluster);
    tabia_table_destroy(table);
    tabia_transport_close(transport, true);
    finalize_together();
    return wrong != 0;
}
