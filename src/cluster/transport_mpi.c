/* SPDX-License-Identifier: MIT */
/*
 * Messages over MPI, two-sided: receives are posted ahead, a poll tests them all at once, sends go out of a pool of
 * copies. The only file that sees mpi.h.
 *
 *     receives   [ posted | posted | arrived | ... ]   Testsome; an arrived one is handed over and posted again. In the
 *                                                      order of posting, mostly that of sending: Testsome has its own
 *     sends      [ free | on its way | free | ... ]   SENDS_A_RANK to one rank at most
 *
 * A dead rank, which takes nothing, must not hold all of the sends.
 *
 * Parting: each rank tells each other how many messages it has sent to it, and takes messages until as many have come.
 * Then none is on its way to receives that are cancelled, or to a communicator that is freed.
 *
 * Not one-sided: over TCP the one-sided calls of Open MPI 4.1 and MPICH 4.0 are software that progresses only when the
 * target calls MPI, MPICH's over shared memory as well, a read by the system costs more than a key in a message
 * (bench/one_sided.c), and a Put cannot compare. Errors are returned, not fatal: what was sent to a dead rank is lost.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/time.h"
#include "cluster/transport.h"

enum {
    RECEIVES = 8, /* MPI fills them in turn: their memory stays in a core's caches */
    SENDS = 128,
    SENDS_A_RANK = 32,
    TAG = 7,
    TAG_PARTING = 8,
    CELL = (TRANSPORT_BYTES_MAX + 63) / 64 * 64
};

typedef struct {
    TabiaTransport base; /* first */
    MPI_Request receive[RECEIVES], send[SENDS];
    uint64_t posted[RECEIVES], posts;        /* each receive's number among all, and the next */
    unsigned char *receive_cell, *send_cell; /* CELL bytes each */
    unsigned sent_to[SENDS];
    unsigned free_send[SENDS], frees;
    unsigned *under_way; /* to each rank */
    MPI_Comm comm;
    bool is_own; /* comm is a duplicate, to be freed; else all ranks, and MPI ends with the transport */
    uint64_t *sent_in_all, *due_in_all; /* to and, when parting, from each rank */
    uint64_t taken;
} MpiTransport;

static void post_receive(MpiTransport *m, unsigned i) {
    MPI_Irecv(m->receive_cell + (size_t)i * CELL, TRANSPORT_BYTES_MAX, MPI_BYTE, MPI_ANY_SOURCE, TAG, m->comm,
              &m->receive[i]);
    m->posted[i] = m->posts++;
}

/* Takes back the cells whose messages have left, or failed. */
static void reap_sends(MpiTransport *m) {
    int count = 0, index[SENDS];
    MPI_Status status[SENDS]; /* unused, but gcc does not believe in MPI_STATUSES_IGNORE of MPICH */
    MPI_Testsome(SENDS, m->send, &count, index, status);
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++) {
        m->under_way[m->sent_to[index[i]]]--;
        m->send[index[i]] = MPI_REQUEST_NULL; /* where the send failed, too */
        m->free_send[m->frees++] = (unsigned)index[i];
    }
}

static bool mpi_send(TabiaTransport *t, unsigned to, const void *bytes, size_t n) {
    MpiTransport *m = (MpiTransport *)t;
    if (!m->frees || m->under_way[to] >= SENDS_A_RANK) reap_sends(m);
    if (!m->frees || m->under_way[to] >= SENDS_A_RANK) return false;
    const unsigned cell = m->free_send[--m->frees];
    unsigned char *copy = m->send_cell + (size_t)cell * CELL;
    memcpy(copy, bytes, n);
    const int code = MPI_Isend(copy, (int)n, MPI_BYTE, (int)to, TAG, m->comm, &m->send[cell]);
    int done = 0;
    if (code == MPI_SUCCESS) {
        m->sent_in_all[to]++;
        MPI_Test(&m->send[cell], &done, MPI_STATUS_IGNORE);
    }
    if (code != MPI_SUCCESS || done) { /* short messages have mostly left by now */
        m->send[cell] = MPI_REQUEST_NULL;
        m->free_send[m->frees++] = cell;
        return true;
    }
    m->sent_to[cell] = to;
    m->under_way[to]++;
    return true;
}

/* Where the arrived ones stand in index[], the one posted first before the others: few, and almost in order. */
static void sort_by_post(const MpiTransport *m, const int *index, int n, int order[RECEIVES]) {
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && m->posted[index[order[at - 1]]] > m->posted[index[i]]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

static unsigned mpi_poll(TabiaTransport *t, TransportTake *take, void *context) {
    MpiTransport *m = (MpiTransport *)t;
    int count = 0, index[RECEIVES], order[RECEIVES];
    MPI_Status status[RECEIVES];
    const int code = MPI_Testsome(RECEIVES, m->receive, &count, index, status);
    if (count == MPI_UNDEFINED) count = 0;
    sort_by_post(m, index, count, order);
    for (int k = 0; k < count; k++) {
        const int i = order[k];
        int n = 0;
        const bool good = code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && status[i].MPI_ERROR == MPI_SUCCESS);
        if (good) MPI_Get_count(&status[i], MPI_BYTE, &n), m->taken++;
        if (good && n > 0 && take)
            take(context, (unsigned)status[i].MPI_SOURCE, m->receive_cell + (size_t)index[i] * CELL, (size_t)n);
        post_receive(m, (unsigned)index[i]);
    }
    return (unsigned)count;
}

static bool mpi_is_empty(TabiaTransport *t) {
    MpiTransport *m = (MpiTransport *)t;
    reap_sends(m);
    return m->frees == SENDS;
}

static double mpi_now(TabiaTransport *t) {
    (void)t;
    return tabia_clock_wall();
}

static void free_all(MpiTransport *m) {
    free(m->receive_cell);
    free(m->send_cell);
    free(m->under_way);
    free(m->sent_in_all);
    free(m->due_in_all);
    free(m);
}

/* One message between each two ranks, each way: not a collective, for the sake of end_mpi. */
static void tell_how_many(MpiTransport *m) {
    const unsigned ranks = m->base.ranks, own = m->base.rank;
    m->due_in_all[own] = m->sent_in_all[own];
    for (unsigned k = 1; k < ranks; k++) {
        const unsigned to = (own + k) % ranks, from = (own + ranks - k) % ranks;
        MPI_Sendrecv(&m->sent_in_all[to], 1, MPI_UINT64_T, (int)to, TAG_PARTING, &m->due_in_all[from], 1, MPI_UINT64_T,
                     (int)from, TAG_PARTING, m->comm, MPI_STATUS_IGNORE);
    }
}

/* Takes and drops what is on its way to this rank. */
static void take_the_rest(MpiTransport *m) {
    uint64_t due = 0;
    tell_how_many(m);
    for (unsigned r = 0; r < m->base.ranks; r++) due += m->due_in_all[r];
    while (m->taken < due || !mpi_is_empty(&m->base)) mpi_poll(&m->base, NULL, NULL);
}

/* MPICH before 4.2: see end_mpi. */
static bool ends_in_two_steps(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, major = 0, minor = 0;
    MPI_Get_library_version(text, &length);
    return sscanf(text, "MPICH Version: %d.%d", &major, &minor) == 2 && (major < 4 || (major == 4 && minor < 2));
}

/*
 * In MPI_Finalize of MPICH before 4.2 over UCX, a rank asks each rank that it has sent to for an answer. When it has
 * all its answers it waits at the launcher's barrier, where it no longer answers: one that asks it later waits forever.
 * (The barrier was taken out there, Zhou 2023, commit 08d8105b7b; 15 of 40 runs of four ranks hung.) So none may get
 * its answers before all have asked: each two have sent to each other, so each asks all, before it looks at messages
 * again. All come together, and then none looks for longer than a busy machine takes to tell the last that all came.
 */
static void end_mpi(MPI_Comm comm) {
    enum { MILLISECONDS = 100 };
    if (ends_in_two_steps()) {
        struct timespec left = {.tv_nsec = MILLISECONDS * 1000000L};
        MPI_Barrier(comm);
        while (nanosleep(&left, &left)) continue;
    }
    MPI_Finalize();
}

/* Without a farewell nothing is given back: MPI may still be writing to the cells. */
static void mpi_close(TabiaTransport *t, bool all_well) {
    MpiTransport *m = (MpiTransport *)t;
    if (!all_well) return;
    take_the_rest(m);
    for (unsigned i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&m->receive[i]);
        MPI_Wait(&m->receive[i], MPI_STATUS_IGNORE);
    }
    if (m->is_own)
        MPI_Comm_free(&m->comm);
    else
        end_mpi(m->comm);
    free_all(m);
}

static int refuse(TabiaReason *why, int code, const char *text) {
    if (why) {
        strncpy(why->text, text, sizeof why->text - 1);
        why->text[sizeof why->text - 1] = '\0';
    }
    return code;
}

static MpiTransport *new_transport(MPI_Comm comm, bool is_own) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MpiTransport *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->comm = comm, m->is_own = is_own;
    m->base = (TabiaTransport){(unsigned)rank, (unsigned)ranks, mpi_send, mpi_poll, mpi_is_empty, mpi_now, mpi_close};
    for (unsigned i = 0; i < SENDS; i++) m->send[i] = MPI_REQUEST_NULL, m->free_send[m->frees++] = i;
    m->receive_cell = aligned_alloc(64, (size_t)RECEIVES * CELL);
    m->send_cell = aligned_alloc(64, (size_t)SENDS * CELL);
    m->under_way = calloc((size_t)ranks, sizeof *m->under_way);
    m->sent_in_all = calloc((size_t)ranks, sizeof *m->sent_in_all);
    m->due_in_all = calloc((size_t)ranks, sizeof *m->due_in_all);
    if (m->receive_cell && m->send_cell && m->under_way && m->sent_in_all && m->due_in_all) return m;
    free_all(m);
    return NULL;
}

static int begin(TabiaTransport **transport, MpiTransport *m, TabiaReason *why) {
    if (!m) return refuse(why, TABIA_ERROR_MEMORY, "no memory for messages");
    for (unsigned i = 0; i < RECEIVES; i++) post_receive(m, i);
    *transport = &m->base;
    return 0;
}

int tabia_transport_mpi(TabiaTransport **transport, int *argc, char ***argv, TabiaReason *why) {
    int given = 0;
    *transport = NULL;
    /* Any thread may be at the messages, but never two at a time: the cluster sees to that. */
    if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
        return refuse(why, TABIA_ERROR_SYSTEM, "MPI does not start");
    if (given < MPI_THREAD_SERIALIZED)
        return refuse(why, TABIA_ERROR_SYSTEM, "this MPI was built without threads (MPI_THREAD_SERIALIZED)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return begin(transport, new_transport(MPI_COMM_WORLD, false), why);
}

static bool is_running(void) {
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    if (begun) MPI_Finalized(&ended);
    return begun && !ended;
}

int tabia_transport_over(TabiaTransport **transport, int64_t communicator, TabiaReason *why) {
    int between_groups = 0;
    *transport = NULL;
    if (!is_running())
        return refuse(why, TABIA_ERROR_SYSTEM, "MPI is not running: call MPI_Init_thread before, MPI_Finalize after");
    const MPI_Comm given = MPI_Comm_f2c((MPI_Fint)communicator);
    if (communicator != (MPI_Fint)communicator || !given || given == MPI_COMM_NULL)
        return refuse(why, TABIA_ERROR_OPTION, "communicator: not one; give MPI_Comm_c2f(comm)");
    MPI_Comm_test_inter(given, &between_groups);
    if (between_groups)
        return refuse(why, TABIA_ERROR_OPTION, "communicator: is between two groups; merge them (MPI_Intercomm_merge)");
    MPI_Comm own;
    if (MPI_Comm_dup(given, &own) != MPI_SUCCESS)
        return refuse(why, TABIA_ERROR_SYSTEM, "MPI does not duplicate the communicator");
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MpiTransport *m = new_transport(own, true);
    return begin(transport, m, why); /* without memory the duplicate stays: freeing it would take all ranks */
}
