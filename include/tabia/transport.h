/* SPDX-License-Identifier: MIT */
/*
 * The transport of a cluster: point-to-point messages between the ranks of an MPI job.
 *
 * Caveats first.
 * - A message arrives whole or not at all; to a rank that has died it is lost. The order of messages is not guaranteed.
 * - A transport carries one cluster at a time, must outlive it, and is closed after it.
 * - Messages move only while a rank polls its cluster: there is no progress thread.
 * - NULL is permitted for close only.
 *
 * Ownership: a transport is the caller's from tabia_transport_mpi() or tabia_transport_from_comm() to
 * tabia_transport_close(). Its message buffers, about 4.3 MB on each rank, are its own.
 * Threads: the cluster calls the transport under its lock, one thread at a time. Which threads may call the cluster
 * depends on the thread level of MPI: see tabia_transport_from_comm().
 * Errors: a function that returns int returns 0 or a negative TABIA_ERROR_..., the reason in *error unless that is
 * NULL.
 *
 * The interface is two-sided, nonblocking MPI (MPI 3.1, chapter 3): receives are posted ahead, sends use a pool of
 * buffers, neither waits.
 *
 * Example:
 *
 *     TabiaTransport *transport;
 *     TabiaError error;
 *     if (tabia_transport_from_comm(&transport, MPI_Comm_c2f(MPI_COMM_WORLD), &error)) fail(error.text);
 *     run(transport);
 *     tabia_transport_close(transport, true);
 */
#ifndef TABIA_TRANSPORT_H
#define TABIA_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exported by libtabia-cluster. */
#define TABIA_CLUSTER_API __attribute__((visibility("default")))

/* The messages of this rank. */
typedef struct TabiaTransport TabiaTransport;

/*
 * Creates a transport over all ranks of the job, for a program that uses MPI for nothing else. Calls MPI_Init_thread
 * with MPI_THREAD_SERIALIZED; tabia_transport_close() calls MPI_Finalize.
 *
 * Ownership: *transport is the caller's, to be closed; on failure it is NULL. argc and argv are main's.
 * Errors: TABIA_ERROR_SYSTEM (MPI does not start, or was built without threads), TABIA_ERROR_MEMORY. MPI may have been
 * initialised by then; the program should exit.
 * Threads: once in a process, by the main thread, before anything else that needs MPI.
 *
 * Example:
 *
 *     TabiaTransport *own;
 *     if (tabia_transport_mpi(&own, &argc, &argv, &error)) return fprintf(stderr, "%s\n", error.text), 1;
 */
TABIA_CLUSTER_API int tabia_transport_mpi(TabiaTransport **transport, int *argc, char ***argv, TabiaError *error);

/*
 * Creates a transport over the ranks of a communicator, for a program that uses MPI itself. The communicator is given
 * as MPI_Comm_c2f(comm), an integer with every MPI, so that this header does not include mpi.h.
 *
 * Collective: all ranks of the communicator call it, between MPI_Init and MPI_Finalize, and wait there for each other.
 * Messages travel on a duplicate, so they never match receives of the program; the error handler of the program's
 * communicator is left alone. A process may have several transports, each with its own cluster.
 *
 * Ownership: *transport is the caller's, to be closed; on failure it is NULL. The communicator stays the caller's and
 * may be freed at once.
 * Errors: TABIA_ERROR_SYSTEM (MPI is not running, or cannot duplicate the communicator), TABIA_ERROR_OPTION (not a
 * communicator, or an inter-communicator), TABIA_ERROR_MEMORY. The result is the same on all ranks, unless memory is
 * short on some.
 * Threads: with MPI_THREAD_SINGLE or _FUNNELED only the thread that initialised MPI may call the cluster and the
 * transport; with _SERIALIZED any thread, but while one does, none may call MPI itself; with _MULTIPLE any at any time.
 *
 * Example:
 *
 *     const int64_t communicator = 0; // MPI_Comm_c2f(MPI_COMM_WORLD)
 *     if (tabia_transport_from_comm(&transport, communicator, &error)) return fprintf(stderr, "%s\n", error.text), 1;
 */
TABIA_CLUSTER_API int tabia_transport_from_comm(TabiaTransport **transport, int64_t communicator, TabiaError *error);

/*
 * Returns the rank of this process, 0 to tabia_transport_ranks() - 1.
 *
 * Errors: none.
 * Threads: any number at any time; constant.
 *
 * Example:
 *
 *     if (tabia_transport_rank(transport) == 0) printf("%u ranks\n", tabia_transport_ranks(transport));
 */
TABIA_CLUSTER_API unsigned tabia_transport_rank(const TabiaTransport *transport);

/*
 * Returns the number of ranks, at least 1.
 *
 * Errors: none.
 * Threads: any number at any time; constant.
 *
 * Example:
 *
 *     const uint64_t bytes = total_bytes / tabia_transport_ranks(transport);
 */
TABIA_CLUSTER_API unsigned tabia_transport_ranks(const TabiaTransport *transport);

/*
 * Closes a transport and frees its memory. NULL is permitted.
 *
 * orderly true: collective. All ranks wait for each other until every message that was sent has arrived; messages that
 * are not needed any more are dropped. Ends MPI if tabia_transport_mpi() began it.
 *
 * orderly false: as when a rank has died. Does not wait and does not call MPI; the message buffers are not freed. The
 * process should then leave by _exit() or MPI_Abort(), because MPI_Finalize may wait for the dead rank.
 *
 * Ownership: the transport no longer exists afterwards.
 * Errors: none.
 * Threads: one, after the cluster was destroyed.
 *
 * Example:
 *
 *     tabia_cluster_destroy(cluster);
 *     tabia_transport_close(transport, true);
 */
TABIA_CLUSTER_API void tabia_transport_close(TabiaTransport *transport, bool orderly);

#ifdef __cplusplus
}
#endif
#endif
