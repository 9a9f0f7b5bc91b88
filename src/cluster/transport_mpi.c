/* SPDX-License-Identifier: MIT */
/*
 * The transport over MPI, two-sided: receives are posted ahead, a poll tests them all at once, sends use a pool of
 * buffers. The only file that includes mpi.h.
 *
 *     receives   [ posted | posted | arrived | ... ]   MPI_Testsome; an arrived one is delivered and posted again, in
 *                                                      the order of posting, which is mostly that of sending:
 *                                                      Testsome has an order of its own
 *     sends      [ free | in flight | free | ... ]     SENDS_PER_RANK to one rank at most
 *
 * SENDS_PER_RANK is less than SENDS, so that a dead rank, which receives nothing, does not hold all send buffers.
 *
 * Orderly close: each rank tells each other rank how many messages it has sent to it, and receives until as many have
 * arrived. Then no message is in flight to receives that are cancelled, or to a communicator that is freed.
 *
 * Not one-sided: over TCP the one-sided calls of Open MPI 4.1 and MPICH 4.0 are software that progresses only when the
 * target calls MPI, MPICH's over shared memory as well, a read by the system costs more than a key in a message
 * (docs/experiments, one-sided reads), and a Put cannot compare. Errors are returned, not fatal: messages to a dead rank are lost.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/time.h"
#include "cluster/transport.h"

enum {
    RECEIVES = 8, /* MPI fills them in turn, so few of them stay in the caches of a core */
    SENDS = 128,
    SENDS_PER_RANK = 32,
    TAG = 7,
    TAG_CLOSE = 8,
    BUFFER_BYTES = (TRANSPORT_BYTES_MAX + 63) / 64 * 64
};

typedef struct {
    TabiaTransport base; /* first */
    MPI_Request receive[RECEIVES], send[SENDS];
    uint64_t post_number[RECEIVES], next_post_number;
    unsigned char *receive_buffer, *send_buffer; /* RECEIVES and SENDS times BUFFER_BYTES */
    unsigned destination[SENDS];
    unsigned free_send[SENDS], free_sends;
    unsigned *in_flight; /* sends to each rank */
    MPI_Comm comm;
    bool is_duplicate; /* comm is a duplicate, to be freed; else MPI_COMM_WORLD, and MPI ends with the transport */
    uint64_t *total_sent, *total_expected; /* messages to and, when closing, from each rank */
    uint64_t total_received;
} MpiTransport;

static void post_receive(MpiTransport *m, unsigned i) {
    MPI_Irecv(m->receive_buffer + (size_t)i * BUFFER_BYTES, TRANSPORT_BYTES_MAX, MPI_BYTE, MPI_ANY_SOURCE, TAG, m->comm,
              &m->receive[i]);
    m->post_number[i] = m->next_post_number++;
}

/* Releases the buffers of sends that have completed or failed. */
static void complete_sends(MpiTransport *m) {
    int count = 0, index[SENDS];
    MPI_Status status[SENDS]; /* unused, but gcc warns about MPICH's MPI_STATUSES_IGNORE */
    MPI_Testsome(SENDS, m->send, &count, index, status);
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++) {
        assert(m->free_sends < SENDS && m->in_flight[m->destination[index[i]]] > 0);
        m->in_flight[m->destination[index[i]]]--;
        m->send[index[i]] = MPI_REQUEST_NULL; /* also where the send failed */
        m->free_send[m->free_sends++] = (unsigned)index[i];
    }
}

static bool mpi_send(TabiaTransport *t, unsigned destination, const void *bytes, size_t n) {
    MpiTransport *m = (MpiTransport *)t;
    assert(n && n <= TRANSPORT_BYTES_MAX && destination < m->base.ranks);
    if (!m->free_sends || m->in_flight[destination] >= SENDS_PER_RANK) complete_sends(m);
    if (!m->free_sends || m->in_flight[destination] >= SENDS_PER_RANK) return false;
    const unsigned slot = m->free_send[--m->free_sends];
    unsigned char *copy = m->send_buffer + (size_t)slot * BUFFER_BYTES;
    memcpy(copy, bytes, n);
    const int code = MPI_Isend(copy, (int)n, MPI_BYTE, (int)destination, TAG, m->comm, &m->send[slot]);
    int done = 0;
    if (code == MPI_SUCCESS) {
        m->total_sent[destination]++;
        MPI_Test(&m->send[slot], &done, MPI_STATUS_IGNORE);
    }
    if (code != MPI_SUCCESS || done) { /* short messages have mostly completed by now */
        m->send[slot] = MPI_REQUEST_NULL;
        m->free_send[m->free_sends++] = slot;
        return true;
    }
    m->destination[slot] = destination;
    m->in_flight[destination]++;
    return true;
}

/* order[]: places in index[], by the order of posting. Insertion sort: there are few, almost in order. */
static void sort_by_post_number(const MpiTransport *m, const int *index, int n, int order[RECEIVES]) {
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && m->post_number[index[order[at - 1]]] > m->post_number[index[i]]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static unsigned mpi_poll(TabiaTransport *t, TransportReceive *receive, void *context) {
    MpiTransport *m = (MpiTransport *)t;
    int count = 0, index[RECEIVES], order[RECEIVES];
    MPI_Status status[RECEIVES];
    const int code = MPI_Testsome(RECEIVES, m->receive, &count, index, status);
    if (count == MPI_UNDEFINED) count = 0;
    sort_by_post_number(m, index, count, order);
    for (int k = 0; k < count; k++) {
        const int i = order[k];
        int n = 0;
        const bool ok = code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && status[i].MPI_ERROR == MPI_SUCCESS);
        if (ok) MPI_Get_count(&status[i], MPI_BYTE, &n), m->total_received++;
        if (ok && n > 0 && receive)
            receive(context, (unsigned)status[i].MPI_SOURCE, m->receive_buffer + (size_t)index[i] * BUFFER_BYTES,
                    (size_t)n);
        post_receive(m, (unsigned)index[i]);
    }
    return (unsigned)count;
}

static bool mpi_is_empty(TabiaTransport *t) {
    MpiTransport *m = (MpiTransport *)t;
    complete_sends(m);
    assert(m->free_sends <= SENDS);
    return m->free_sends == SENDS;
}

static double mpi_now(TabiaTransport *t) {
    (void)t;
    return tabia_clock_wall();
}

static void transport_free(MpiTransport *m) {
    free(m->receive_buffer);
    free(m->send_buffer);
    free(m->in_flight);
    free(m->total_sent);
    free(m->total_expected);
    free(m);
}

/* One message between each two ranks, each way: not a collective, which finalize_mpi needs. */
static void exchange_totals(MpiTransport *m) {
    const unsigned ranks = m->base.ranks, self = m->base.rank;
    m->total_expected[self] = m->total_sent[self];
    for (unsigned k = 1; k < ranks; k++) {
        const unsigned to = (self + k) % ranks, from = (self + ranks - k) % ranks;
        MPI_Sendrecv(&m->total_sent[to], 1, MPI_UINT64_T, (int)to, TAG_CLOSE, &m->total_expected[from], 1, MPI_UINT64_T,
                     (int)from, TAG_CLOSE, m->comm, MPI_STATUS_IGNORE);
    }
}

/* Receives and drops what is in flight to this rank. */
static void drain(MpiTransport *m) {
    uint64_t expected = 0;
    exchange_totals(m);
    for (unsigned r = 0; r < m->base.ranks; r++) expected += m->total_expected[r];
    while (m->total_received < expected || !mpi_is_empty(&m->base)) mpi_poll(&m->base, NULL, NULL);
}

/* MPICH before 4.2: see finalize_mpi. */
static bool finalize_may_hang(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, major = 0, minor = 0;
    MPI_Get_library_version(text, &length);
    return sscanf(text, "MPICH Version: %d.%d", &major, &minor) == 2 && (major < 4 || (major == 4 && minor < 2));
}

/*
 * In MPI_Finalize of MPICH before 4.2 over UCX, a rank requests an answer from each rank that it has sent to. When it
 * has all answers it waits at the launcher's barrier, where it no longer answers: a rank that requests one later hangs.
 * (The barrier was taken out there, Zhou 2023, commit 08d8105b7b; 15 of 40 runs of four ranks hung.) So none may get
 * its answers before all have sent requests: each two have sent to each other, so each sends requests to all before it
 * polls again. All meet at a barrier, and then none polls for longer than a busy machine takes to release the last rank
 * from the barrier.
 */
static void finalize_mpi(MPI_Comm comm) {
    enum { MILLISECONDS = 100 };
    if (finalize_may_hang()) {
        struct timespec remaining = {.tv_nsec = MILLISECONDS * 1000000L};
        MPI_Barrier(comm);
        while (nanosleep(&remaining, &remaining)) continue;
    }
    MPI_Finalize();
}

/* If not orderly, nothing is freed: MPI may still be writing to the buffers. */
static void mpi_close(TabiaTransport *t, bool orderly) {
    MpiTransport *m = (MpiTransport *)t;
    if (!orderly) return;
    drain(m);
    for (unsigned i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&m->receive[i]);
        MPI_Wait(&m->receive[i], MPI_STATUS_IGNORE);
    }
    if (m->is_duplicate)
        MPI_Comm_free(&m->comm);
    else
        finalize_mpi(m->comm);
    transport_free(m);
}

void tabia_transport_abort(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

static MpiTransport *transport_allocate(MPI_Comm comm, bool is_duplicate) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MpiTransport *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->comm = comm, m->is_duplicate = is_duplicate;
    m->base = (TabiaTransport){(unsigned)rank, (unsigned)ranks, mpi_send, mpi_poll, mpi_is_empty, mpi_now, mpi_close};
    for (unsigned i = 0; i < SENDS; i++) m->send[i] = MPI_REQUEST_NULL, m->free_send[m->free_sends++] = i;
    m->receive_buffer = aligned_alloc(64, (size_t)RECEIVES * BUFFER_BYTES);
    m->send_buffer = aligned_alloc(64, (size_t)SENDS * BUFFER_BYTES);
    m->in_flight = calloc((size_t)ranks, sizeof *m->in_flight);
    m->total_sent = calloc((size_t)ranks, sizeof *m->total_sent);
    m->total_expected = calloc((size_t)ranks, sizeof *m->total_expected);
    if (m->receive_buffer && m->send_buffer && m->in_flight && m->total_sent && m->total_expected) return m;
    transport_free(m);
    return NULL;
}

static int transport_start(TabiaTransport **transport, MpiTransport *m, TabiaError *error) {
    if (!m) return tabia_error_set(error, TABIA_ERROR_MEMORY, "no memory for messages");
    for (unsigned i = 0; i < RECEIVES; i++) post_receive(m, i);
    *transport = &m->base;
    return 0;
}

int tabia_transport_mpi(TabiaTransport **transport, int *argc, char ***argv, TabiaError *error) {
    int given = 0;
    *transport = NULL;
    /* Any thread may call MPI, but never two at a time: the lock of the cluster ensures that. */
    if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
        return tabia_error_set(error, TABIA_ERROR_SYSTEM, "MPI does not start");
    if (given < MPI_THREAD_SERIALIZED)
        return tabia_error_set(error, TABIA_ERROR_SYSTEM, "this MPI was built without threads (MPI_THREAD_SERIALIZED)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return transport_start(transport, transport_allocate(MPI_COMM_WORLD, false), error);
}

static bool mpi_is_running(void) {
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    if (initialized) MPI_Finalized(&finalized);
    return initialized && !finalized;
}

int tabia_transport_from_comm(TabiaTransport **transport, int64_t communicator, TabiaError *error) {
    int is_inter = 0;
    *transport = NULL;
    if (!mpi_is_running())
        return tabia_error_set(error, TABIA_ERROR_SYSTEM,
                               "MPI is not running: call MPI_Init_thread before, MPI_Finalize after");
    const MPI_Comm given = MPI_Comm_f2c((MPI_Fint)communicator);
    if (communicator != (MPI_Fint)communicator || !given || given == MPI_COMM_NULL)
        return tabia_error_set(error, TABIA_ERROR_OPTION, "communicator: invalid; pass MPI_Comm_c2f(comm)");
    MPI_Comm_test_inter(given, &is_inter);
    if (is_inter)
        return tabia_error_set(error, TABIA_ERROR_OPTION,
                               "communicator: is an inter-communicator; merge its groups (MPI_Intercomm_merge)");
    MPI_Comm duplicate;
    if (MPI_Comm_dup(given, &duplicate) != MPI_SUCCESS)
        return tabia_error_set(error, TABIA_ERROR_SYSTEM, "MPI does not duplicate the communicator");
    MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN);
    MpiTransport *m = transport_allocate(duplicate, true);
    return transport_start(transport, m, error); /* without memory the duplicate stays: MPI_Comm_free is collective */
}
