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
static const double alert_seconds = 2, alive_interval = 0.25; /* seconds */

/* ---- any thread ---- */

/* Under the lock. */
static void append(ProgressThread *p, const char *text, size_t n) {
    if (p->text_n + n > p->text_capacity) {
        const size_t capacity = 2 * (p->text_n + n);
        char *more = realloc(p->text, capacity);
        if (!more) abort(); /* without this command the ranks would search different positions */
        p->text = more, p->text_capacity = capacity;
    }
    memcpy(p->text + p->text_n, text, n);
    p->text_n += n;
    pthread_cond_signal(&p->changed);
}

void progress_broadcast(DistributedEngine *d, const char *text, size_t n) {
    ProgressThread *p = &d->progress;
    assert(!d->rank);
    pthread_mutex_lock(&p->lock);
    append(p, text, n);
    atomic_store(&p->delivered, false);
    pthread_mutex_unlock(&p->lock);
}

void progress_wake(DistributedEngine *d) {
    pthread_mutex_lock(&d->progress.lock);
    pthread_cond_signal(&d->progress.changed);
    pthread_mutex_unlock(&d->progress.lock);
}

/* Appends what is next in the stream, and what came before it. */
static void append_in_order(ProgressThread *p) {
    for (EarlySegment **at = &p->early; *at;) {
        EarlySegment *early = *at;
        if (early->segment.offset != p->received) {
            at = &early->next;
            continue;
        }
        append(p, early->segment.text, early->n);
        p->received += early->n;
        *at = early->next;
        free(early);
        at = &p->early;
    }
}

void progress_receive(DistributedEngine *d, const void *bytes, size_t n) {
    ProgressThread *p = &d->progress;
    EarlySegment *early = malloc(sizeof *early);
    if (!early) abort();
    assert(n > sizeof early->segment.offset && n <= sizeof early->segment);
    memcpy(&early->segment, bytes, n);
    early->n = n - sizeof early->segment.offset;
    pthread_mutex_lock(&p->lock);
    early->next = p->early, p->early = early;
    append_in_order(p);
    pthread_mutex_unlock(&p->lock);
}

/* ---- rank 0 ---- */

/* The segment that stands at an offset; its length, 0 at the end. */
static size_t segment_at(ProgressThread *p, uint64_t offset, CommandSegment *segment) {
    pthread_mutex_lock(&p->lock);
    assert(offset >= p->first);
    const size_t at = (size_t)(offset - p->first), left = p->text_n - at;
    const size_t n = left < sizeof segment->text ? left : sizeof segment->text;
    segment->offset = offset;
    memcpy(segment->text, p->text + at, n);
    pthread_mutex_unlock(&p->lock);
    return n;
}

/* Sends a rank what it lacks, as far as there is room. True: it lacks nothing more. */
static bool send_commands(const DistributedEngine *d, ProgressThread *p, unsigned rank) {
    CommandSegment segment;
    size_t n;
    while ((n = segment_at(p, p->sent[rank], &segment))) {
        if (!tabia_cluster_send(d->cluster, rank, ENGINE_TAG_COMMAND, &segment, sizeof segment.offset + n))
            return false;
        p->sent[rank] += n;
    }
    return true;
}

/* Frees what all have been sent that are not lost. */
static void trim(const DistributedEngine *d, ProgressThread *p) {
    pthread_mutex_lock(&p->lock);
    uint64_t needed = p->first + p->text_n;
    for (unsigned rank = 1; rank < d->ranks; rank++)
        if (!p->is_lost[rank] && p->sent[rank] < needed) needed = p->sent[rank];
    p->text_n -= (size_t)(needed - p->first);
    if (p->text_n) memmove(p->text, p->text + (needed - p->first), p->text_n);
    p->first = needed;
    pthread_mutex_unlock(&p->lock);
}

static void broadcast(DistributedEngine *d) {
    ProgressThread *p = &d->progress;
    bool all = true;
    for (unsigned rank = 1; rank < d->ranks; rank++) all &= p->is_lost[rank] || send_commands(d, p, rank);
    trim(d, p);
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->delivered, all && !p->text_n);
    pthread_mutex_unlock(&p->lock);
}

/* A rank that is silent for the timeout is lost, and comes back if it sends again before it has missed a command. */
static void watch_ranks(DistributedEngine *d) {
    ProgressThread *p = &d->progress;
    for (unsigned rank = 1; rank < d->ranks; rank++) {
        p->is_lost[rank] = p->sent[rank] < p->first || tabia_cluster_silence(d->cluster, rank) > d->options.timeout;
        if (p->is_lost[rank])
            atomic_store(&d->ranks_missing, true);
        else
            tabia_cluster_send(d->cluster, rank, ENGINE_TAG_ALIVE, NULL, 0);
    }
}

/* ---- the others ---- */

/* Writes commands to the pipe of this rank's UCI loop; what finds no room there waits. The last command says whether ranks
   are missing. */
static void forward_commands(DistributedEngine *d) {
    static const char alone[] = "quit alone\n";
    enum { ALONE = sizeof alone - 1 };
    ProgressThread *p = &d->progress;
    pthread_mutex_lock(&p->lock);
    const ssize_t written = p->text_n && !p->quit_sent ? write(p->pipe[1], p->text, p->text_n) : 0;
    if (written > 0) {
        if (written >= ALONE && !memcmp(p->text + written - ALONE, alone, ALONE)) atomic_store(&d->ranks_missing, true);
        p->text_n -= (size_t)written;
        memmove(p->text, p->text + written, p->text_n);
    }
    pthread_mutex_unlock(&p->lock);
}

/* If rank 0 is dead, this rank ends, unless its engine has ended before. Ranks take turns, since the first may end the job. */
static void watch_rank_0(DistributedEngine *d) {
    enum { TURNS = 20 };
    ProgressThread *p = &d->progress;
    const unsigned turn = d->rank - 1 < TURNS ? d->rank - 1 : TURNS;
    tabia_cluster_send(d->cluster, 0, ENGINE_TAG_ALIVE, NULL, 0);
    const bool is_silent = tabia_cluster_silence(d->cluster, 0) >= d->options.timeout * (1 + turn / (double)TURNS);
    if (p->quit_sent || !atomic_load(&d->engine) || !is_silent) return;
    atomic_store(&d->ranks_missing, true);
    atomic_store(&d->rank_0_lost, true);
    if (write(p->pipe[1], "\nquit\n", 6) == 6) p->quit_sent = true;
}

/* ---- the progress thread ---- */

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
    if (!p->text_n && !p->stop) pthread_cond_timedwait(&p->changed, &p->lock, &until);
    pthread_mutex_unlock(&p->lock);
}

static bool is_stopped(ProgressThread *p) {
    pthread_mutex_lock(&p->lock);
    const bool stop = p->stop;
    pthread_mutex_unlock(&p->lock);
    return stop;
}

static void *run_progress(void *context) {
    DistributedEngine *d = context;
    double watched_at = 0;
    while (!is_stopped(&d->progress)) {
        tabia_cluster_poll(d->cluster);
        (d->rank ? forward_commands : broadcast)(d);
        const double now = tabia_cluster_now(d->cluster);
        if (now - watched_at > alive_interval) (d->rank ? watch_rank_0 : watch_ranks)(d), watched_at = now;
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

void progress_init(DistributedEngine *d) {
    pthread_mutex_init(&d->progress.lock, NULL);
    init_monotonic_condition(&d->progress.changed);
}

bool progress_thread_start(DistributedEngine *d, TabiaError *error) {
    ProgressThread *p = &d->progress;
    p->sent = calloc(d->ranks, sizeof *p->sent);
    p->is_lost = calloc(d->ranks, sizeof *p->is_lost);
    if (!p->sent || !p->is_lost) return tabia_fail(error, "no memory for %u ranks", d->ranks);
    if (d->rank && pipe(p->pipe)) return tabia_fail(error, "no pipe: %s", strerror(errno));
    if (d->rank) fcntl(p->pipe[1], F_SETFL, O_NONBLOCK);
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
    if (d->rank) close(p->pipe[1]);
}

void progress_release(DistributedEngine *d) {
    ProgressThread *p = &d->progress;
    for (EarlySegment *early = p->early, *next; early; early = next) {
        next = early->next;
        free(early);
    }
    free(p->text);
    free(p->sent);
    free(p->is_lost);
}
