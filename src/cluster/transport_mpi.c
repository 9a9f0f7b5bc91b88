/* SPDX-License-Identifier: MIT */
/*
 * Messages over MPI, two-sided: receives are posted ahead, a poll tests them all at once, sends go out of a pool of
 * copies. The only file that sees mpi.h.
 *
 *     receives   [ posted | posted | arrived | ... ]   Testsome; an arrived one is handed over and posted again
 *     sends      [ free | on its way | free | ... ]   SENDS_A_RANK to one rank at most
 *
 * A dead rank, which takes nothing, must not hold all of the sends.
 *
 * Not one-sided: over TCP the one-sided calls of Open MPI 4.1 and MPICH 4.0 are software that progresses only when the
 * target calls MPI, and a Put cannot compare. Errors are returned, not fatal: what was sent to a dead rank is lost.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/transport.h"

enum { RECEIVES = 32, SENDS = 128, SENDS_A_RANK = 32, TAG = 7, CELL = (TRANSPORT_BYTES_MAX + 63) / 64 * 64 };

typedef struct {
    TabiaTransport base; /* first */
    MPI_Request receive[RECEIVES], send[SENDS];
    unsigned char *receive_cell, *send_cell; /* CELL bytes each */
    unsigned sent_to[SENDS];
    unsigned free_send[SENDS], frees;
    unsigned *under_way; /* to each rank */
} MpiTransport;

static void post_receive(MpiTransport *m, unsigned i) {
    MPI_Irecv(m->receive_cell + (size_t)i * CELL, TRANSPORT_BYTES_MAX, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD,
              &m->receive[i]);
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
    const int code = MPI_Isend(copy, (int)n, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD, &m->send[cell]);
    int done = 0;
    if (code == MPI_SUCCESS) MPI_Test(&m->send[cell], &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS || done) { /* short messages have mostly left by now */
        m->send[cell] = MPI_REQUEST_NULL;
        m->free_send[m->frees++] = cell;
        return true;
    }
    m->sent_to[cell] = to;
    m->under_way[to]++;
    return true;
}

static unsigned mpi_poll(TabiaTransport *t, TransportTake *take, void *context) {
    MpiTransport *m = (MpiTransport *)t;
    int count = 0, index[RECEIVES];
    MPI_Status status[RECEIVES];
    const int code = MPI_Testsome(RECEIVES, m->receive, &count, index, status);
    if (count == MPI_UNDEFINED) count = 0;
    for (int i = 0; i < count; i++) {
        int n = 0;
        const bool good = code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && status[i].MPI_ERROR == MPI_SUCCESS);
        if (good) MPI_Get_count(&status[i], MPI_BYTE, &n);
        if (good && n > 0)
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
    free(m);
}

/* Without a farewell nothing is given back: MPI may still be writing to the cells. */
static void mpi_close(TabiaTransport *t, bool all_well) {
    MpiTransport *m = (MpiTransport *)t;
    if (!all_well) return;
    for (unsigned i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&m->receive[i]);
        MPI_Wait(&m->receive[i], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    free_all(m);
}

static int refuse(TabiaReason *why, const char *text) {
    if (why) {
        strncpy(why->text, text, sizeof why->text - 1);
        why->text[sizeof why->text - 1] = '\0';
    }
    return TABIA_ERROR_SYSTEM;
}

static MpiTransport *new_transport(int ranks) {
    MpiTransport *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->receive_cell = aligned_alloc(64, (size_t)RECEIVES * CELL);
    m->send_cell = aligned_alloc(64, (size_t)SENDS * CELL);
    m->under_way = calloc((size_t)ranks, sizeof *m->under_way);
    if (m->receive_cell && m->send_cell && m->under_way) return m;
    free_all(m);
    return NULL;
}

int tabia_transport_mpi(TabiaTransport **transport, int *argc, char ***argv, TabiaReason *why) {
    int given = 0, rank = 0, ranks = 1;
    *transport = NULL;
    /* Any thread may be at the messages, but never two at a time: the cluster sees to that. */
    if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
        return refuse(why, "MPI does not start");
    if (given < MPI_THREAD_SERIALIZED) return refuse(why, "this MPI was built without threads (MPI_THREAD_SERIALIZED)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MpiTransport *m = new_transport(ranks);
    if (!m) return refuse(why, "no memory for messages");
    m->base = (TabiaTransport){(unsigned)rank, (unsigned)ranks, mpi_send, mpi_poll, mpi_is_empty, mpi_now, mpi_close};
    for (unsigned i = 0; i < SENDS; i++) m->send[i] = MPI_REQUEST_NULL, m->free_send[m->frees++] = i;
    for (unsigned i = 0; i < RECEIVES; i++) post_receive(m, i);
    *transport = &m->base;
    return 0;
}
