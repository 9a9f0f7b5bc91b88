/* SPDX-License-Identifier: MIT */
/*
 * A message there and back between rank 0 and each other rank, some times: shows that the network between test hosts is
 * as slow as it was asked to be.
 *
 *     mpirun -n P ping_ranks [TIMES]
 *
 * Rank 0 prints a line for each of the others: rank, its host's name, the least time there and back in microseconds.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 65, TIMES = 20 };

/* Seconds for the fastest of so many messages of one name there and back. */
static double ask(int rank, int times, char name[NAME_MAX_BYTES]) {
    double least = 1e9;
    for (int i = 0; i < times; i++) {
        const double start = MPI_Wtime();
        MPI_Send(name, NAME_MAX_BYTES, MPI_CHAR, rank, 0, MPI_COMM_WORLD);
        MPI_Recv(name, NAME_MAX_BYTES, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const double took = MPI_Wtime() - start;
        least = took < least ? took : least;
    }
    return least;
}

/* Sends back its own name. */
static void answer(int times) {
    char name[NAME_MAX_BYTES];
    for (int i = 0; i < times; i++) {
        MPI_Recv(name, NAME_MAX_BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        gethostname(name, sizeof name);
        name[sizeof name - 1] = '\0';
        MPI_Send(name, NAME_MAX_BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
}

/* What MPICH 4.0 needs for its end: end_mpi in transport_mpi.c tells why. */
static void part(int rank, int ranks) {
    for (int k = 1; k < ranks; k++) {
        char byte = 0, other;
        MPI_Sendrecv(&byte, 1, MPI_CHAR, (rank + k) % ranks, 1, &other, 1, MPI_CHAR, (rank + ranks - k) % ranks, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    nanosleep(&(struct timespec){.tv_nsec = 100 * 1000000}, NULL);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int times = argc > 1 ? atoi(argv[1]) : TIMES;
    char name[NAME_MAX_BYTES] = "";
    for (int other = 1; rank == 0 && other < ranks; other++) {
        const double least = ask(other, times, name);
        printf("%d %s %.1f\n", other, name, least * 1e6);
    }
    if (rank) answer(times);
    part(rank, ranks);
    MPI_Finalize();
    return 0;
}
