/* SPDX-License-Identifier: MIT */
/*
 * How ranks send each other small messages: a narrow interface, so that nothing above it knows MPI, and all of it can
 * be tested in one process.
 *
 *     transport_mpi   ranks of an MPI communicator; the only file that sees mpi.h
 *     transport_lab   ranks in one process, on a clock of their own: messages are late, out of order, doubled, lost and
 *                     damaged, the same ones for the same seed
 *
 * What is promised: a message arrives whole, as one piece, or not at all; what arrives may be damaged. Nothing is said
 * about order; but over MPI few messages overtake others of the same rank. Nothing here waits. A rank that has died is
 * silent, that is all.
 *
 * Threads: one at a time. Bytes travel as they are: all ranks are of one byte order.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "tabia/cluster.h"

/* The longest message. Over TCP Open MPI sends it at once; in shared memory Open MPI asks the receiver first where
   there are more than 4 KB, which is still cheaper than four messages (docs/measuring.md, Letters). */
enum { TRANSPORT_BYTES_MAX = 32000 };

/* Given one message; the bytes are gone when it returns, aligned to 8. It may send. */
typedef void TransportTake(void *context, unsigned from, const void *bytes, size_t n);

struct TabiaTransport {
    unsigned rank, ranks; /* mine, and how many there are: 0 .. ranks - 1 */

    /* Takes a copy of n bytes (1 to TRANSPORT_BYTES_MAX) for another rank. False: there is no room now, because that
       rank has not taken enough of what it was sent; nothing is kept, try again later or do without. */
    bool (*send)(TabiaTransport *t, unsigned to, const void *bytes, size_t n);

    /* Hands over what came since the last call, at most some hundred messages; how many. */
    unsigned (*poll)(TabiaTransport *t, TransportTake *take, void *context);

    /* Have all messages left? Asked before a rank ends. */
    bool (*is_empty)(TabiaTransport *t);

    /* Seconds, of the same clock for one rank: only differences mean anything. */
    double (*now)(TabiaTransport *t);

    /* Gives all back. all_well: every rank does the same now, so that they may part in an orderly way. */
    void (*close)(TabiaTransport *t, bool all_well);
};
