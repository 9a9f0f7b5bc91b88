/* SPDX-License-Identifier: MIT */
/*
 * What it costs a rank to read lines of another rank's memory by itself, with the one-sided calls of MPI, and whether
 * such reads arrive while the other computes and does not call MPI:
 *
 *     mpicc -O2 bench/one_sided.c -o one_sided && mpirun -n 2 --bind-to none ./one_sided
 *
 * Three ways to come by memory that others may read: one's own, in huge pages (created); MPI's (allocated); MPI's,
 * shared by the ranks of a machine (shared). For each: does a read arrive meanwhile, processor time of the reader for a
 * line at random, alone and in batches, and what a probe of one's own memory costs then. Best of seven; in the end the
 * processor time is of rank 0 only.
 */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, BATCH_MOST = 160, READS = 20000, LOADS = 200000, ROUNDS = 7 };
static const size_t bytes = (size_t)512 << 20, huge = (size_t)2 << 20;
static const double silence = 0.05;

typedef struct {
    char *base;
    MPI_Win window;
    int rank;
    uint64_t random;
} Reader;

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Xorshift (George Marsaglia, 2003). */
static size_t random_line(Reader *r) {
    r->random ^= r->random << 13, r->random ^= r->random >> 7, r->random ^= r->random << 17;
    return r->random % (bytes / LINE) * LINE;
}

/* "created", "allocated" or "shared". */
static void get_memory(Reader *r, const char *way) {
    if (way[0] == 'c') {
        r->base = aligned_alloc(huge, bytes);
        madvise(r->base, bytes, MADV_HUGEPAGE);
        MPI_Win_create(r->base, (MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &r->window);
    } else if (way[0] == 'a') {
        MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &r->base, &r->window);
    } else {
        MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &r->base, &r->window);
    }
    memset(r->base, 1, bytes);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, r->window);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Seconds until the first read arrives, while rank 1 is silent. */
static double first_read(Reader *r) {
    char line[LINE];
    const double began = MPI_Wtime();
    if (r->rank)
        while (MPI_Wtime() - began < silence) continue;
    else
        MPI_Get(line, LINE, MPI_BYTE, 1, 0, LINE, MPI_BYTE, r->window), MPI_Win_flush(1, r->window);
    const double took = MPI_Wtime() - began;
    MPI_Barrier(MPI_COMM_WORLD);
    return took;
}

/* Microseconds a line; rank 1 waits in MPI, and serves where it must. */
static double cost_of_reads(Reader *r, int batch) {
    static char line[BATCH_MOST][LINE];
    double best = 1e9;
    for (int round = 0; round < ROUNDS && r->rank == 0; round++) {
        const double began = cpu_seconds();
        for (int done = 0; done < READS; done += batch) {
            for (int i = 0; i < batch; i++)
                MPI_Get(line[i], LINE, MPI_BYTE, 1, (MPI_Aint)random_line(r), LINE, MPI_BYTE, r->window);
            MPI_Win_flush(1, r->window);
        }
        const double took = (cpu_seconds() - began) / READS * 1e6;
        best = took < best ? took : best;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return best;
}

/* Microseconds for a line of one's own, each place depending on what was found before. */
static double cost_of_loads(Reader *r) {
    volatile uint64_t sink = 0;
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        const double began = cpu_seconds();
        for (int i = 0; i < LOADS; i++) {
            uint64_t word;
            memcpy(&word, r->base + random_line(r), sizeof word);
            r->random += word & 1, sink = sink + word;
        }
        const double took = (cpu_seconds() - began) / LOADS * 1e6;
        best = took < best ? took : best;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return best;
}

static void measure(int rank, const char *way) {
    Reader r = {.rank = rank, .random = 88172645463325252u};
    get_memory(&r, way);
    const double first = first_read(&r);
    const double alone = cost_of_reads(&r, 1), some = cost_of_reads(&r, BATCH_MOST / 10),
                 many = cost_of_reads(&r, BATCH_MOST);
    const double own = cost_of_loads(&r);
    if (!rank)
        printf("%-9s %s (%.0f us), a line %.2f us, of 16 %.2f, of 160 %.2f; a load of one's own %.3f us\n", way,
               first < silence / 2 ? "arrives while the other computes" : "waits for the other", first * 1e6, alone,
               some, many, own);
    MPI_Win_unlock_all(r.window);
    MPI_Win_free(&r.window);
    if (way[0] == 'c') free(r.base);
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2) {
        if (!rank) fprintf(stderr, "one_sided: start it on two ranks: mpirun -n 2 ./one_sided\n");
    } else {
        measure(rank, "created"), measure(rank, "allocated"), measure(rank, "shared");
    }
    MPI_Finalize();
    return ranks != 2;
}
