/* SPDX-License-Identifier: MIT */
/*
 * A program that uses MPI itself beside the installed libtabia-cluster, in C and in C++:
 *
 *     mpirun -n P cluster_use        P even; each rank prints "well", or ends the job and prints a line of this file
 *
 * Wrong communicators are refused; two clusters exist on halves of the job; their messages never match receives of the
 * program; messages not received when a transport is closed are dropped, and MPI is left as it was.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tabia/cluster.h>

enum { PROGRAM_TAG = 7, UNRECEIVED = 20, CLUSTER_TAG = 9 };

static void check(bool good, int line) {
    if (good) return;
    fprintf(stderr, "cluster_use.c:%d: failed\n", line);
    exit(EXIT_FAILURE);
}

static unsigned received;

static void receive(void *context, unsigned source, unsigned tag, const void *bytes, size_t n) {
    check(*(int *)context == (int)source && tag == CLUSTER_TAG && n == 5 && memcmp(bytes, "hello", n) == 0, __LINE__);
    received++;
}

static void is_refused(int64_t communicator, int code, const char *word) {
    TabiaTransport *transport;
    TabiaError error;
    check(tabia_transport_from_comm(&transport, communicator, &error) == code, __LINE__);
    check(!transport && strstr(error.text, word), __LINE__);
}

/* A cluster on the ranks of a communicator, a message to the next rank, and some that are not received. */
static void use(MPI_Comm comm, bool is_freed_early) {
    TabiaTransport *transport;
    TabiaTable *table;
    TabiaCluster *cluster;
    TabiaError error;
    int rank, ranks, ready = 0, theirs = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    check(tabia_transport_from_comm(&transport, MPI_Comm_c2f(comm), &error) == 0, __LINE__);
    check(tabia_transport_rank(transport) == (unsigned)rank && tabia_transport_ranks(transport) == (unsigned)ranks,
          __LINE__);
    received = 0;
    MPI_Request sent;
    MPI_Isend(&rank, 1, MPI_INT, next, PROGRAM_TAG, comm, &sent);
    check(tabia_table_create(&table, NULL, &error) == 0, __LINE__);
    TabiaClusterOptions options;
    memset(&options, 0, sizeof options);
    options.receive = receive, options.context = &before;
    check(tabia_cluster_create(&cluster, transport, table, &options, &error) == 0, __LINE__);
    while (!ready) tabia_cluster_poll(cluster), ready = tabia_cluster_ready(cluster, &error);
    check(ready == 1, __LINE__);
    check(tabia_cluster_send(cluster, (unsigned)next, CLUSTER_TAG, "hello", 5), __LINE__);
    while (!received) tabia_cluster_poll(cluster);
    for (int i = 0; i < UNRECEIVED; i++) tabia_cluster_send(cluster, (unsigned)next, CLUSTER_TAG, "hello", 5);
    MPI_Recv(&theirs, 1, MPI_INT, before, PROGRAM_TAG, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    check(theirs == before, __LINE__);
    if (is_freed_early) MPI_Comm_free(&comm);
    tabia_cluster_destroy(cluster);
    tabia_table_destroy(table);
    tabia_transport_close(transport, true);
}

static bool errors_are_fatal(void) {
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler_free(&handler);
    return fatal;
}

int main(int argc, char **argv) {
    int given, rank, ranks, sum;
    MPI_Comm half, between;
    is_refused(0, TABIA_ERROR_SYSTEM, "MPI is not running");
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    is_refused(MPI_Comm_c2f(MPI_COMM_NULL), TABIA_ERROR_OPTION, "MPI_Comm_c2f");
    is_refused((int64_t)1 << 40, TABIA_ERROR_OPTION, "MPI_Comm_c2f");
    const int first = rank < ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, first, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, first ? ranks / 2 : 0, 1, &between);
    is_refused(MPI_Comm_c2f(between), TABIA_ERROR_OPTION, "inter-communicator");
    MPI_Comm_free(&between);
    use(half, true);
    for (int round = 0; round < 3; round++) use(MPI_COMM_WORLD, false);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(sum == ranks * (ranks - 1) / 2 && errors_are_fatal(), __LINE__);
    tabia_transport_close(NULL, true);
    MPI_Finalize();
    is_refused(0, TABIA_ERROR_SYSTEM, "MPI is not running");
    puts("well");
    return 0;
}
