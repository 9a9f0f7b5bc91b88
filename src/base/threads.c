/* SPDX-License-Identifier: MIT */
/*
 * A gate stands before the bodies: it opens when every thread exists. Without it a refused thread would leave some of
 * the workers running, and a body that waits for all of them would wait for ever.
 */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "base/threads.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <windows.h>
#elif defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <unistd.h>
#endif

typedef enum { GATE_SHUT, GATE_OPEN, GATE_CANCELLED } GateState;

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    GateState state;
    void (*body)(void *context, unsigned worker);
    void *context;
} Gate;

typedef struct {
    Gate *gate;
    pthread_t thread;
    unsigned worker;
} ThreadStart;

#if defined(_WIN32)
unsigned tabia_threads_usable(void) {
    DWORD_PTR mine, all;
    const bool known = GetProcessAffinityMask(GetCurrentProcess(), &mine, &all) && mine; /* 0: several groups */
    const unsigned n =
        known ? (unsigned)__builtin_popcountll(mine) : (unsigned)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return n ? n : 1;
}
#elif !defined(__linux__)
unsigned tabia_threads_usable(void) {
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}
#else
/* The affinity mask in a set of that many processors, counted; 0 if the kernel's mask is wider. */
static unsigned count_processors(int processors) {
    cpu_set_t *set = CPU_ALLOC((size_t)processors);
    if (!set) return 1;
    size_t bytes = CPU_ALLOC_SIZE((size_t)processors);
    CPU_ZERO_S(bytes, set);
    unsigned n = sched_getaffinity(0, bytes, set) == 0 ? (unsigned)CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    return n;
}

unsigned tabia_threads_usable(void) {
    for (int processors = 1024; processors <= 1 << 20; processors *= 4) {
        unsigned n = count_processors(processors);
        if (n) return n;
    }
    return 1;
}
#endif

static void gate_set(Gate *gate, GateState state) {
    pthread_mutex_lock(&gate->lock);
    assert(gate->state == GATE_SHUT && state != GATE_SHUT); /* set once */
    gate->state = state;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

static void *worker_main(void *argument) {
    ThreadStart *self = argument;
    Gate *gate = self->gate;
    pthread_mutex_lock(&gate->lock);
    while (gate->state == GATE_SHUT) pthread_cond_wait(&gate->changed, &gate->lock);
    bool go = gate->state == GATE_OPEN;
    pthread_mutex_unlock(&gate->lock);
    if (go) gate->body(gate->context, self->worker);
    return NULL;
}

bool tabia_threads_run(unsigned n, void (*body)(void *context, unsigned worker), void *context, TabiaError *error) {
    if (n == 0) return tabia_fail(error, "no thread to run: the number of threads must be at least 1");
    ThreadStart *workers = calloc(n, sizeof *workers);
    if (!workers) return tabia_fail(error, "no memory for %u threads", n);

    Gate gate = {.state = GATE_SHUT, .body = body, .context = context};
    pthread_mutex_init(&gate.lock, NULL);
    pthread_cond_init(&gate.changed, NULL);
    unsigned started = 1;
    int code = 0;
    while (started < n) {
        workers[started].gate = &gate;
        workers[started].worker = started;
        code = pthread_create(&workers[started].thread, NULL, worker_main, &workers[started]);
        if (code) break;
        started++;
    }
    gate_set(&gate, code ? GATE_CANCELLED : GATE_OPEN);
    if (!code) body(context, 0);
    for (unsigned i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
    pthread_cond_destroy(&gate.changed);
    pthread_mutex_destroy(&gate.lock);
    free(workers);
    if (code) return tabia_fail(error, "cannot start thread %u of %u: %s", started + 1, n, strerror(code));
    return true;
}

#ifdef __linux__
/* As the system call knows it (sched_setattr(2)); C libraries before glibc 2.41 have neither. */
typedef struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period; /* ns; without a deadline the runtime is the slice */
} Attributes;

enum { SHORTEST_SLICE = 100000 /* ns: the kernel takes no less */ };

void tabia_threads_wake_early(void) {
    Attributes a = {0};
    if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) != 0 || a.policy != SCHED_OTHER) return;
    a.size = sizeof a;
    a.runtime = SHORTEST_SLICE;
    (void)syscall(SYS_sched_setattr, 0, &a, 0); /* refused: as it was */
}
#else
void tabia_threads_wake_early(void) {
}
#endif
