/* SPDX-License-Identifier: MIT */
/*
 * The mutable globals of the project. A signal handler is called by the system, which hands it a number and nothing
 * else: there is no other way to lead it to a state. Signals belong to the whole process, and so do these. They
 * are lock-free atomics, which both a handler and other threads may touch.
 */
#define _GNU_SOURCE /* ppoll */
#include "base/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STOP_WORDS ": stopping; the same signal again ends it at once\n"
enum { NAME_MAX_BYTES = 32 };

/* For a terminal, with what clears its line first, and without. */
static char stop_words[4 + NAME_MAX_BYTES + sizeof STOP_WORDS] = "\r\033[Ktabia" STOP_WORDS;
enum { CLEARS_LINE = 4 };

static const int stop_signals[] = {SIGINT, SIGTERM};
static atomic_bool stop_requested;
static atomic_uint status_requests;

_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2,
               "a signal handler may only touch atomics without locks");

/* True for the first. */
static bool note(int number) {
    if (!atomic_exchange_explicit(&stop_requested, true, memory_order_relaxed)) return true;
    /* Delivered when this handler returns: until then the signal is held back. */
    signal(number, SIG_DFL);
    raise(number);
    return false;
}

static void on_signal(int number) {
    note(number);
}

static void on_status(int number) {
    (void)number;
    atomic_fetch_add_explicit(&status_requests, 1, memory_order_relaxed);
}

/* write is what a handler may do. That it fails is nobody's loss. */
static void write_text(const char *words) {
    const int before = errno;
    if (write(STDERR_FILENO, words, strlen(words)) < 0) errno = before;
    errno = before;
}

static void on_signal_write(int number) {
    if (note(number)) write_text(stop_words + CLEARS_LINE);
}

/* Over the line of progress and the terminal's own ^C. */
static void on_signal_write_to_terminal(int number) {
    if (note(number)) write_text(stop_words);
}

void tabia_stop_name(const char *program) {
    snprintf(stop_words, sizeof stop_words, "\r\033[K%.*s" STOP_WORDS, NAME_MAX_BYTES, program);
}

void tabia_stop_not_by_file_size(void) {
    signal(SIGXFSZ, SIG_IGN);
}

void tabia_stop_install(bool says) {
    void (*const handler)(int) = !says                   ? on_signal
                                 : isatty(STDERR_FILENO) ? on_signal_write_to_terminal
                                                         : on_signal_write;
    for (unsigned i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++) {
        struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        if (sigaction(stop_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(stop_signals[i], &action, NULL);
    }
    struct sigaction action = {.sa_handler = on_status, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
}

unsigned tabia_status_requests(void) {
    return atomic_load_explicit(&status_requests, memory_order_relaxed);
}

bool tabia_stop_requested(void) {
    return atomic_load_explicit(&stop_requested, memory_order_relaxed);
}

/* The signals are held back from the question to the wait, which lets them in. */
int tabia_stop_poll(struct pollfd *files, unsigned n, int milliseconds) {
    const struct timespec max = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    sigset_t held, before;
    sigemptyset(&held);
    for (unsigned i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++) sigaddset(&held, stop_signals[i]);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    const int ready = tabia_stop_requested() ? 0 : ppoll(files, n, &max, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ready;
}

bool tabia_stop_watch(void *unused, uint64_t bytes_done, uint64_t bytes_all) {
    (void)unused, (void)bytes_done, (void)bytes_all;
    return tabia_stop_requested();
}

const atomic_bool *tabia_stop_flag(void) {
    return &stop_requested;
}
