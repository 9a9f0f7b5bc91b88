/* SPDX-License-Identifier: MIT */
/*
 * A table over the ranks of an MPI job: each rank stores what it knows, then asks for everything, and what it does not
 * know itself is asked of the rank that owns it.
 *
 *     mpicc -O2 cluster.c $(pkg-config --cflags --libs tabia-cluster) -o cluster
 *     mpirun -n 2 ./cluster
 *
 * The "positions" are numbers, and what is known of number n is n + 1; a program would store counts of a perft, or,
 * with the calls for entries, what its search found.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <tabia/cluster.h>
#include <threads.h>

enum { POSITIONS = 100000, DEPTH = 3, BATCH = 500 };

/* Two words that look random, as those of Zobrist keys do (the mixer of SplitMix64, Sebastiano Vigna). */
static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
static TabiaKey key_of(uint64_t n) {
    return (TabiaKey){.index = mix(2 * n), .check = mix(2 * n + 1)};
}

/* Ends the job with a word. */
static void end(const char *what, TabiaReason *why) {
    fprintf(stderr, "cluster: %s: %s\n", what, why->text);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* A barrier in which this rank goes on serving the others. */
static void wait_for_all(TabiaCluster *cluster) {
    MPI_Request all;
    int here = 0;
    while (!tabia_cluster_flush(cluster)) tabia_cluster_poll(cluster);
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (!here) {
        tabia_cluster_poll(cluster);
        MPI_Test(&all, &here, MPI_STATUS_IGNORE);
    }
}

/* Each rank works on its part of the positions, and serves the others meanwhile. Stores never wait: what finds no room
   is lost. Real work between them leaves time enough; this program does nothing else, and waits until all has left. */
static void store_mine(TabiaCluster *cluster) {
    const unsigned ranks = tabia_cluster_ranks(cluster);
    for (uint64_t n = tabia_cluster_rank(cluster); n < POSITIONS; n += ranks) {
        tabia_cluster_counts_store(cluster, key_of(n), DEPTH, n + 1);
        tabia_cluster_serve(cluster);
        while (n / ranks % 256 == 0 && !tabia_cluster_flush(cluster)) tabia_cluster_poll(cluster);
    }
}

/* Asks for all positions; how many are known to some rank. A miss is no error: the table is a cache. */
static unsigned ask_for_all(TabiaCluster *cluster, unsigned *wrong) {
    TabiaKey keys[BATCH];
    uint64_t counts[BATCH];
    unsigned found = 0;
    for (uint64_t first = 0; first < POSITIONS; first += BATCH) {
        TabiaClusterBatch batch;
        for (unsigned i = 0; i < BATCH; i++) keys[i] = key_of(first + i);
        tabia_cluster_counts_ask(cluster, &batch, keys, DEPTH, counts, BATCH);
        while (!tabia_cluster_answered(cluster, &batch)) tabia_cluster_poll(cluster); /* or do other work */
        for (unsigned i = 0; i < BATCH; i++) {
            found += counts[i] != 0;
            *wrong += counts[i] != 0 && counts[i] != first + i + 1;
        }
    }
    return found;
}

/* Over TCP MPICH before 4.2 may hang in MPI_Finalize, unless no rank comes to it long before another. */
static void leave_together(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    thrd_sleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    MPI_Finalize();
}

int main(int argc, char **argv) {
    TabiaReason why = {""};
    TabiaTransport *transport;
    TabiaTable *table;
    TabiaCluster *cluster;
    int given, ready;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given); /* this program has one thread */

    if (tabia_transport_over(&transport, MPI_Comm_c2f(MPI_COMM_WORLD), &why)) end("transport", &why);
    const TabiaOptions shape = {.face = TABIA_COUNTS, .bytes = 16 << 20}; /* of each rank */
    if (tabia_table_create(&table, &shape, &why)) end("table", &why);
    const TabiaClusterOptions options = {.setup = "cluster example 1"}; /* must be the same everywhere */
    if (tabia_cluster_create(&cluster, transport, table, &options, &why)) end("cluster", &why);
    while ((ready = tabia_cluster_ready(cluster, &why)) == 0) tabia_cluster_poll(cluster);
    if (ready < 0) end("the ranks", &why);

    unsigned wrong = 0;
    store_mine(cluster);
    wait_for_all(cluster);
    const unsigned found = ask_for_all(cluster, &wrong);
    wait_for_all(cluster); /* others may still be asking */

    TabiaClusterCounters done;
    tabia_cluster_counters(cluster, &done);
    printf("rank %u of %u: of %d positions %u known, %u wrong; %" PRIu64 " asked of other ranks, %" PRIu64
           " found there\n",
           tabia_cluster_rank(cluster), tabia_cluster_ranks(cluster), POSITIONS, found, wrong, done.remote_probes,
           done.remote_hits);
    tabia_cluster_destroy(cluster);
    tabia_table_destroy(table);
    tabia_transport_close(transport, true);
    leave_together();
    return wrong != 0;
}
