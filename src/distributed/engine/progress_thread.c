/* SPDX-License-Identifier: MIT */
/* The progress thread: it sleeps, and polls the cluster when no other thread does. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "distributed_engine_internal.h"

/* Nanoseconds of sleep. After a search the next may come soon: in bullet games a whole move takes 10 ms. */
static const long alert_sleep = 200000, idle_sleep = 1000000, searching_sleep = 10000000;
static const double alert_seconds = 2;

/* ---- any thread ---- */

void progress_broadcast(DistributedEngine *d, const char *text, size_t n) {
    ProgressThread *p = &d->progress;
    assert(!d->rank);
    pthread_mutex_lock(&p->lock);
    if (p->outgoing_n + n > p->outgoing_capacity) {
        const size_t capacity = 2 * (p->outgoing_n + n);
        char *more = realloc(p->outgoing, capacity);
        if (!more) abort(); /* without this command the ranks would search different positions */
        p->outgoing = more, p->outgoing_capacity = capacity;
    }
    memcpy(p->outgoing + p->outgoing_n, text, n);
    p->outgoing_n += n;
    atomic_store(&p->delivered, false);
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void progress_wake(DistributedEngine *d) {
    pthread_mutex_lock(&d->progress.lock);
    pthread_cond_signal(&d->progress.changed);
    pthread_mutex_unlock(&d->progress.lock);
}

void progress_enqueue(DistributedEngine *d, unsigned source, unsigned tag, const void *bytes, size_t n) {
    ProgressThread *p = &d->progress;
    InboxMessage *message = malloc(sizeof *message + n);
    if (!message) return;
    *message = (InboxMessage){.source = source, .tag = tag, .n = n};
    memcpy(message->bytes, bytes, n);
    pthread_mutex_lock(&p->lock);
    *p->inbox_end = message;
    p->inbox_end = &message->next;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

/* ---- the progress thread ---- */

static InboxMessage *take_inbox(ProgressThread *p) {
    InboxMessage *all = p->inbox;
    p->inbox = NULL, p->inbox_end = &p->inbox;
    return all;
}

static void process_inbox(DistributedEngine *d) {
    ProgressThread *p = &d->progress;
    pthread_mutex_lock(&p->lock);
    InboxMessage *message = take_inbox(p);
    broadcast_append(&p->broadcast, p->outgoing, d->rank ? 0 : p->outgoing_n);
    p->outgoing_n = 0;
    pthread_mutex_unlock(&p->lock);
    for (InboxMessage *next; message; message = next) {
        next = message->next;
        assert(message->tag == ENGINE_TAG_COMMAND || message->tag == ENGINE_TAG_ACKNOWLEDGE);
        if (message->tag == ENGINE_TAG_COMMAND)
            broadcast_receive_command(&p->broadcast, message->source, message->bytes, message->n);
        else
            broadcast_receive_acknowledge(&p->broadcast, message->source, message->bytes, message->n);
        free(message);
    }
}

static bool ends_with(const char *text, size_t n, const char *suffix) {
    const size_t length = strlen(suffix);
    return n >= length && memcmp(text + n - length, suffix, length) == 0;
}

/* Writes received commands to the pipe of this rank's UCI loop; what finds no room there waits. The last command says
   whether ranks are missing. */
static void forward_commands(DistributedEngine *d) {
    ProgressThread *p = &d->progress;
    size_t n;
    const char *text = broadcast_unread(&p->broadcast, &n);
    if (!d->rank || !n || p->quit_sent) return;
    const ssize_t written = write(p->pipe[1], text, n);
    if (written <= 0) return;
    if (ends_with(text, (size_t)written, "quit alone\n")) atomic_store(&d->ranks_missing, true);
    broadcast_consume(&p->broadcast, (size_t)written);
}

/* If the parent is dead, or memory too short for commands, this rank ends. The ranks take turns at it, because the first
   one may end the job. */
static void watch_parent(DistributedEngine *d) {
    enum { TURNS = 20 };
    ProgressThread *p = &d->progress;
    if (!d->rank || p->quit_sent) return;
    const double silence = tabia_cluster_silence(d->cluster, p->broadcast.parent);
    const unsigned turn = d->rank - 1 < TURNS ? d->rank - 1 : TURNS;
    if (!p->broadcast.failed && silence < d->options.timeout * (1 + turn / (double)TURNS)) return;
    atomic_store(&d->ranks_missing, true);
    atomic_store(&d->parent_lost, true);
    if (write(p->pipe[1], "\nquit\n", 6) == 6) p->quit_sent = true;
}

static long sleep_time(const DistributedEngine *d) {
    if (atomic_load(&d->search.running)) return searching_sleep;
    const double idle = tabia_cluster_now(d->cluster) - atomic_load(&d->search.ended_at);
    return idle < alert_seconds ? alert_sleep : idle_sleep;
}

static void sleep_or_wake(DistributedEngine *d) {
    ProgressThread *p = &d->progress;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += sleep_time(d);
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&p->lock);
    if (!p->inbox && !p->outgoing_n && !p->stop) pthread_cond_timedwait(&p->changed, &p->lock, &until);
    pthread_mutex_unlock(&p->lock);
}

static bool is_stopped(ProgressThread *p) {
    pthread_mutex_lock(&p->lock);
    const bool stop = p->stop;
    pthread_mutex_unlock(&p->lock);
    return stop;
}

static bool is_queue_empty(ProgressThread *p) {
    pthread_mutex_lock(&p->lock);
    const bool empty = !p->outgoing_n && !p->inbox;
    pthread_mutex_unlock(&p->lock);
    return empty;
}

static void *run_progress(void *context) {
    DistributedEngine *d = context;
    ProgressThread *p = &d->progress;
    while (!is_stopped(p)) {
        tabia_cluster_poll(d->cluster);
        process_inbox(d);
        broadcast_progress(&p->broadcast);
        forward_commands(d);
        watch_parent(d);
        if (broadcast_lost(&p->broadcast) || p->broadcast.failed) atomic_store(&d->ranks_missing, true);
        atomic_store(&p->delivered, is_queue_empty(p) && broadcast_is_delivered(&p->broadcast));
        sleep_or_wake(d);
    }
    return NULL;
}

/* ---- lifecycle ---- */

static void init_monotonic_condition(pthread_cond_t *c) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(c, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void progress_inbox_init(DistributedEngine *d) {
    d->progress.inbox_end = &d->progress.inbox;
    pthread_mutex_init(&d->progress.lock, NULL);
    init_monotonic_condition(&d->progress.changed);
}

bool progress_thread_start(DistributedEngine *d, TabiaError *error) {
    static const BroadcastTags tags = {ENGINE_TAG_COMMAND, ENGINE_TAG_ACKNOWLEDGE};
    ProgressThread *p = &d->progress;
    if (d->rank && pipe(p->pipe)) return tabia_fail(error, "no pipe: %s", strerror(errno));
    if (d->rank) fcntl(p->pipe[1], F_SETFL, O_NONBLOCK);
    broadcast_init(&p->broadcast, d->cluster, tags, d->options.timeout);
    if (pthread_create(&p->thread, NULL, run_progress, d))
        return tabia_fail(error, "cannot create a thread for messages");
    return true;
}

void progress_thread_stop(DistributedEngine *d) {
    ProgressThread *p = &d->progress;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    for (InboxMessage *message = take_inbox(p), *next; message; message = next) {
        next = message->next;
        free(message);
    }
    if (d->rank) close(p->pipe[1]);
    broadcast_release(&p->broadcast);
    free(p->outgoing);
}
