/* SPDX-License-Identifier: MIT */
/*
 * The mutable globals of the project. A signal handler is called by the system, which hands it a number and nothing
 * else: there is no other way to lead it to a state. Signals belong to the whole process, and so do these. They
 * are lock-free atomics, which both a handler and other threads may touch.
 */
#define _GNU_SOURCE /* ppoll */
#include "base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STOP_WORDS ": stopping; the same signal again ends it at once\n"
enum { NAME_MAX_BYTES = 32, MAPS_LINE_MAX = 1024, EXIT_STATUS_CUT = 3 };

/* For a terminal, with what clears its line first, and without. */
static char stop_words[4 + NAME_MAX_BYTES + sizeof STOP_WORDS] = "\r\033[Ktabia" STOP_WORDS;
enum { CLEARS_LINE = 4 };

static const int stop_signals[] = {SIGINT, SIGTERM};
static atomic_bool stop_requested;
static atomic_bool memory_lost;
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

/* The next line of a file, without what there is no room for; false at the end. By single bytes: it is read once. */
static bool read_line(int file, char line[MAPS_LINE_MAX]) {
    size_t n = 0;
    for (char c; read(file, &c, 1) == 1 && c != '\n';)
        if (n + 1 < MAPS_LINE_MAX) line[n++] = c;
    line[n] = '\0';
    return n > 0;
}

static const char *read_hexadecimal(const char *at, uintptr_t *n) {
    static const char digits[] = "0123456789abcdef";
    *n = 0;
    for (const char *digit; *at && (digit = strchr(digits, *at)); at++) *n = *n << 4 | (uintptr_t)(digit - digits);
    return at;
}

/* The name of the file that is mapped at an address, in `line`; NULL: none. */
static const char *mapped_file(uintptr_t address, char line[MAPS_LINE_MAX]) {
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (maps >= 0 && read_line(maps, line)) {
        uintptr_t from, to;
        const char *dash = read_hexadecimal(line, &from);
        if (*dash == '-') read_hexadecimal(dash + 1, &to);
        if (*dash == '-' && from <= address && address < to) return strchr(line, '/');
    }
    return NULL;
}

/* By what a handler may call. Threads that come to the gap as well wait for the first, which ends them all. */
static void on_cut_file(int number, siginfo_t *info, void *context) {
    char line[MAPS_LINE_MAX];
    const char *file = mapped_file((uintptr_t)info->si_addr, line);
    (void)context;
    if (!file) {
        signal(number, SIG_DFL); /* which the signal, raised again, comes to when this returns */
        raise(number);
        return;
    }
    while (atomic_exchange_explicit(&memory_lost, true, memory_order_relaxed)) pause();
    stop_words[strcspn(stop_words, ":")] = '\0';
    write_text(stop_words + CLEARS_LINE);
    write_text(": ");
    write_text(file);
    write_text(": another process has cut it short while it was in use\n");
    _exit(EXIT_STATUS_CUT);
}

void tabia_stop_at_cut_files(void) {
    struct sigaction action = {.sa_sigaction = on_cut_file, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
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

bool tabia_stop_wait(int file) {
    struct pollfd input = {.fd = file, .events = POLLIN};
    return tabia_stop_poll(&input, 1, INT_MAX) > 0;
}

bool tabia_stop_watch(void *unused, uint64_t bytes_done, uint64_t bytes_all) {
    (void)unused, (void)bytes_done, (void)bytes_all;
    return tabia_stop_requested();
}

const atomic_bool *tabia_stop_flag(void) {
    return &stop_requested;
}
