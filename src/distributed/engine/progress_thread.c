/* SPDX-License-Identifier: MIT */
/* The thread behind the conversation: it sleeps, and looks for messages when nobody else does. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

/* Nanoseconds. After a search the next may come soon, and with a bullet's clock all of it takes 10 ms. */
static const long alert_wait = 200000, idle_wait = 1000000, searching_wait = 10000000;
static const double alert_for = 2;

/* ---- from other threads ---- */

void ensemble_say(Ensemble *r, const char *text, size_t n) {
    pthread_mutex_lock(&r->lock);
    if (r->said_n + n > r->said_room) {
        const size_t room = 2 * (r->said_n + n);
        char *more = realloc(r->said, room);
        if (!more) abort(); /* the others would do something else than this rank */
        r->said = more, r->said_room = room;
    }
    memcpy(r->said + r->said_n, text, n);
    r->said_n += n;
    atomic_store(&r->arrived, false);
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void ensemble_wake(Ensemble *r) {
    pthread_mutex_lock(&r->lock);
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

/* Without memory it is lost, and comes again. */
void ensemble_post(Ensemble *r, unsigned from, unsigned kind, const void *bytes, size_t n) {
    Letter *letter = malloc(sizeof *letter + n);
    if (!letter) return;
    *letter = (Letter){.from = from, .kind = kind, .n = n};
    memcpy(letter->bytes, bytes, n);
    pthread_mutex_lock(&r->lock);
    *r->letters_end = letter;
    r->letters_end = &letter->next;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

/* ---- the thread ---- */

static Letter *take_all(Ensemble *r) {
    Letter *all = r->letters;
    r->letters = NULL, r->letters_end = &r->letters;
    return all;
}

static void read_letters(Ensemble *r) {
    pthread_mutex_lock(&r->lock);
    Letter *letter = take_all(r);
    orders_append(&r->orders, r->said, r->rank ? 0 : r->said_n);
    r->said_n = 0;
    pthread_mutex_unlock(&r->lock);
    for (Letter *next; letter; letter = next) {
        next = letter->next;
        (letter->kind == TALK_ORDER ? orders_received : orders_confirmed)(&r->orders, letter->from, letter->bytes,
                                                                          letter->n);
        free(letter);
    }
}

static bool begins_with(const char *text, size_t n, const char *word) {
    const size_t length = strlen(word);
    return n >= length && memcmp(text, word, length) == 0;
}

/* The last line says in which way to part. */
static void look_for_end(Ensemble *r, const char *text, size_t n) {
    static const char alone[] = "quit alone\n";
    if (n >= sizeof alone - 1 && begins_with(text + n - (sizeof alone - 1), sizeof alone - 1, alone))
        atomic_store(&r->alone, true);
}

/* This rank's engine reads its orders from a pipe; what finds no room there waits. */
static void hand_on(Ensemble *r) {
    size_t n;
    const char *text = orders_unread(&r->orders, &n);
    if (!r->rank || !n || r->quitting) return;
    const ssize_t written = write(r->pipe[1], text, n);
    if (written <= 0) return;
    look_for_end(r, text, (size_t)written);
    orders_have_read(&r->orders, (size_t)written);
}

/* Nobody above any more, or no memory for what is said: this rank has nothing left to do. */
static void watch_above(Ensemble *r) {
    if (!r->rank || r->quitting) return;
    if (!r->orders.failed && tabia_cluster_silence(r->cluster, r->orders.parent) < r->wish.patience) return;
    atomic_store(&r->alone, true);
    if (write(r->pipe[1], "\nquit\n", 6) == 6) r->quitting = true;
}

static long wait_now(const Ensemble *r) {
    if (atomic_load(&r->together)) return searching_wait;
    return tabia_cluster_now(r->cluster) - atomic_load(&r->concluded_at) < alert_for ? alert_wait : idle_wait;
}

static void sleep_a_while(Ensemble *r) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += wait_now(r);
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&r->lock);
    if (!r->letters && !r->said_n && !r->over) pthread_cond_timedwait(&r->changed, &r->lock, &until);
    pthread_mutex_unlock(&r->lock);
}

static bool is_over(Ensemble *r) {
    pthread_mutex_lock(&r->lock);
    const bool over = r->over;
    pthread_mutex_unlock(&r->lock);
    return over;
}

static bool nothing_said(Ensemble *r) {
    pthread_mutex_lock(&r->lock);
    const bool nothing = !r->said_n && !r->letters;
    pthread_mutex_unlock(&r->lock);
    return nothing;
}

static void *pump(void *context) {
    Ensemble *r = context;
    while (!is_over(r)) {
        tabia_cluster_poll(r->cluster);
        read_letters(r);
        orders_care(&r->orders);
        hand_on(r);
        watch_above(r);
        ensemble_adapt(r);
        if (orders_lost(&r->orders) || r->orders.failed) atomic_store(&r->alone, true);
        atomic_store(&r->arrived, nothing_said(r) && orders_arrived(&r->orders));
        sleep_a_while(r);
    }
    return NULL;
}

/* ---- its life ---- */

static void make_condition(pthread_cond_t *c) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(c, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void ensemble_inbox_begin(Ensemble *r) {
    r->letters_end = &r->letters;
    pthread_mutex_init(&r->lock, NULL);
    make_condition(&r->changed);
}

bool ensemble_pump_begin(Ensemble *r, Fault *fault) {
    if (r->rank && pipe(r->pipe)) return tabia_fault(fault, "no pipe: %s", strerror(errno));
    if (r->rank) fcntl(r->pipe[1], F_SETFL, O_NONBLOCK);
    orders_begin(&r->orders, r->cluster, TALK_ORDER, TALK_CONFIRM, r->wish.patience);
    if (pthread_create(&r->pump, NULL, pump, r)) return tabia_fault(fault, "no thread for messages to be had");
    return true;
}

void ensemble_pump_end(Ensemble *r) {
    pthread_mutex_lock(&r->lock);
    r->over = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->pump, NULL);
    for (Letter *letter = take_all(r), *next; letter; letter = next) {
        next = letter->next;
        free(letter);
    }
    if (r->rank) close(r->pipe[1]);
    orders_free(&r->orders);
    free(r->said);
}
