/* SPDX-License-Identifier: MIT */
/*
 * The transport interface: small messages between ranks. Nothing above it sees MPI, and all of it can be tested in one
 * process.
 *
 *     transport_mpi         ranks of an MPI communicator; the only file that includes mpi.h
 *     transport_simulated   ranks in one process, on a simulated clock: messages are delayed, reordered, duplicated,
 *                           lost and damaged, the same ones for the same seed
 *
 * Guarantees: a message arrives whole or not at all; what arrives may be damaged. Order is not guaranteed, but over MPI
 * few messages overtake others of the same rank. No function waits. A rank that has died is silent, nothing more.
 *
 * Threads: one at a time. Bytes are sent as they are: all ranks have one byte order.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tabia/cluster.h"

/* The longest message. Over TCP Open MPI sends it eagerly; in shared memory Open MPI uses a rendezvous beyond 4 KB,
   which is still cheaper than four messages (docs/experiments, messages between ranks). */
enum { TRANSPORT_BYTES_MAX = 32000 };

/* Receives one message. bytes is aligned to 8 and valid until the function returns. It may send. */
typedef void TransportReceive(void *context, unsigned source, const void *bytes, size_t n);

struct TabiaTransport {
    unsigned rank, ranks; /* of this process, 0 .. ranks - 1; and how many there are */

    /* Copies n bytes (1 to TRANSPORT_BYTES_MAX) and sends them to another rank. False: no room now, because that rank
       has not received enough of what was sent to it; nothing is kept. */
    bool (*send)(TabiaTransport *t, unsigned destination, const void *bytes, size_t n);

    /* Delivers what arrived since the last call, some hundred messages at most; returns how many. */
    unsigned (*poll)(TabiaTransport *t, TransportReceive *receive, void *context);

    /* Have all sends completed? Checked before a rank ends. */
    bool (*is_empty)(TabiaTransport *t);

    /* Seconds. Differences between values of one rank have a meaning, nothing else. */
    double (*now)(TabiaTransport *t);

    /* Frees the transport. orderly: all ranks close at the same time, so that they can drain their messages. */
    void (*close)(TabiaTransport *t, bool orderly);
};

/* transport_mpi.c: ends all processes of the job, also those that are stopped; the job's exit status is this one. Under
   --enable-recovery Open MPI ends this process alone. */
_Noreturn void tabia_transport_abort(int status);
