/* SPDX-License-Identifier: MIT */
/*
 * The threads of all ranks as coroutines of one thread, on a simulated clock. The program is linked with --wrap for the
 * calls at the end of this file, so that the code of a rank waits, sleeps and reads pipes here. Each thread has a clock, and
 * the one whose clock is behind all others runs until it waits, or another is behind: the same at each run. Ranks die, or stop
 * for a while. One simulation in a process.
 */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIMULATED_RANKS = 8, CLIENT = SIMULATED_RANKS /* as a rank of its own, to which nothing happens */ };
enum {
    THREADS_MAX = 512,
    PIPES_MAX = 2 * SIMULATED_RANKS,
    FIRST_END = 1000,
    PIPE_BYTES = 1 << 18,
    STACK_BYTES = 1 << 20
};
#define EPOCH 1000.0 /* of the clock */

typedef struct {
    ucontext_t context;
    void *(*start)(void *);
    void *argument, *stack;
    unsigned rank;
    double now, until;     /* until: when a wait ends by itself */
    const void *waits_for; /* NULL: it can run */
    bool is_over, is_joined;
} Thread;

/* A pipe, and what a pthread_mutex_t holds here: all are recursive. */
typedef struct {
    char bytes[PIPE_BYTES];
    size_t read, written;
} Pipe;
typedef struct {
    const Thread *owner;
    int depth;
} Mutex;

static struct {
    Thread thread[THREADS_MAX], *running;
    unsigned threads, pipes;
    ucontext_t end;
    double limit;                           /* on the clock: then the run is given up */
    double fault_at[SIMULATED_RANKS + 1];   /* 0: none */
    double fault_ends[SIMULATED_RANKS + 1]; /* INFINITY: a death */
    Pipe pipe[PIPES_MAX];
} sim;

/* ---- the scheduler ---- */

/* When a thread can go on. */
static double due(const Thread *t) {
    if (t->is_over) return INFINITY;
    const double when = t->waits_for ? t->until : t->now, at = sim.fault_at[t->rank], ends = sim.fault_ends[t->rank];
    return at && when >= at && when < ends ? ends : when;
}

static Thread *next_thread(void) {
    Thread *first = sim.running ? sim.running : sim.thread;
    double least = due(first);
    for (unsigned i = 0; i < sim.threads; i++)
        if (due(sim.thread + i) < least) first = sim.thread + i, least = due(first);
    return least < sim.limit ? first : NULL;
}

static void give_way(void) {
    Thread *from = sim.running, *to = next_thread();
    if (to) to->now = due(to), to->waits_for = NULL, sim.running = to;
    if (to != from) swapcontext(&from->context, to ? &to->context : &sim.end);
}

static double now(void) {
    return sim.running->now;
}

/* The running thread's clock goes on. */
static void pass(double seconds) {
    sim.running->now += seconds;
    give_way();
}

static void wake(const void *what) {
    for (Thread *t = sim.thread; t < sim.thread + sim.threads; t++)
        if (t->waits_for == what) t->waits_for = NULL, t->now = fmax(t->now, now());
}

static void wait_for(const void *what, double until) {
    sim.running->waits_for = what, sim.running->until = until;
    give_way();
}

static void run_thread(unsigned number) {
    Thread *t = sim.thread + number;
    t->start(t->argument);
    t->is_over = true;
    wake(t);
    give_way();
}

static Thread *start_thread(unsigned rank, double at, void *(*start)(void *), void *argument) {
    Thread *t = sim.thread;
    while (t < sim.thread + sim.threads && !t->is_joined) t++;
    assert(t < sim.thread + THREADS_MAX);
    if (t == sim.thread + sim.threads) {
        sim.threads++;
        t->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    *t = (Thread){.start = start, .argument = argument, .stack = t->stack, .rank = rank, .now = at};
    getcontext(&t->context);
    t->context.uc_stack.ss_sp = t->stack, t->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&t->context, (void (*)(void))run_thread, 1, (unsigned)(t - sim.thread));
    return t;
}

static bool is_dead(unsigned rank) {
    return sim.fault_at[rank] && sim.fault_ends[rank] == INFINITY;
}

/* Until all threads of ranks that live have ended. False: they wait for each other, or the time is over. */
static bool run_threads(double limit) {
    sim.limit = EPOCH + limit;
    Thread *first = next_thread();
    sim.running = first;
    swapcontext(&sim.end, &first->context);
    bool all = true;
    for (const Thread *t = sim.thread; t < sim.thread + sim.threads; t++) all &= t->is_over || is_dead(t->rank);
    return all;
}

/* ---- pipes ---- */

static ssize_t read_pipe(void *cookie, char *bytes, size_t n) {
    Pipe *p = cookie;
    while (p->read == p->written) wait_for(p, INFINITY);
    if (n > p->written - p->read) n = p->written - p->read;
    memcpy(bytes, p->bytes + p->read, n);
    p->read += n;
    return (ssize_t)n;
}

static FILE *pipe_reader(Pipe *p) {
    return fopencookie(p, "r", (cookie_io_functions_t){.read = read_pipe});
}

static ssize_t write_pipe(void *cookie, const char *bytes, size_t n) {
    Pipe *p = cookie;
    assert(p->written + n <= PIPE_BYTES);
    memcpy(p->bytes + p->written, bytes, n);
    p->written += n;
    wake(p);
    return (ssize_t)n;
}

/* ---- the calls of the system ---- */

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __real_fcntl(int file, int command, ...);
ssize_t __real_write(int file, const void *bytes, size_t n);
int __real_close(int file);
FILE *__real_fdopen(int file, const char *mode);

int __wrap_clock_gettime(clockid_t id, struct timespec *t) {
    if (!sim.running) return __real_clock_gettime(id, t);
    pass(1e-7);
    t->tv_sec = (time_t)now(), t->tv_nsec = (long)((now() - (double)t->tv_sec) * 1e9);
    return 0;
}

int __wrap_nanosleep(const struct timespec *t, struct timespec *left) {
    (void)left;
    pass((double)t->tv_sec + (double)t->tv_nsec * 1e-9);
    return 0;
}

int __wrap_sched_yield(void) {
    pass(1e-6);
    return 0;
}

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    (void)attributes;
    *t = (pthread_t)start_thread(sim.running->rank, now() + 20e-6, start, argument);
    return 0;
}

int __wrap_pthread_join(pthread_t other, void **result) {
    Thread *t = (Thread *)other;
    (void)result;
    while (!t->is_over) wait_for(t, INFINITY);
    t->is_joined = true;
    return 0;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *lock) {
    Mutex *m = (Mutex *)lock;
    if (m->owner && m->owner != sim.running) return EBUSY;
    m->owner = sim.running, m->depth++;
    return 0;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock) {
    pass(1e-7);
    while (__wrap_pthread_mutex_trylock(lock)) wait_for(lock, INFINITY);
    return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock) {
    Mutex *m = (Mutex *)lock;
    assert(m->owner == sim.running && m->depth > 0);
    if (--m->depth == 0) m->owner = NULL, wake(lock);
    return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *lock, const struct timespec *until) {
    __wrap_pthread_mutex_unlock(lock);
    wait_for(c, until ? (double)until->tv_sec + (double)until->tv_nsec * 1e-9 : INFINITY);
    return __wrap_pthread_mutex_lock(lock);
}

int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock) {
    return __wrap_pthread_cond_timedwait(c, lock, NULL);
}

int __wrap_pthread_cond_signal(pthread_cond_t *c) {
    wake(c);
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *c) {
    return __wrap_pthread_cond_signal(c);
}

int __wrap_pipe(int ends[2]) {
    assert(sim.pipes < PIPES_MAX);
    ends[0] = ends[1] = FIRST_END + (int)sim.pipes++;
    return 0;
}

int __wrap_fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return file >= FIRST_END ? 0 : __real_fcntl(file, command, argument);
}

ssize_t __wrap_write(int file, const void *bytes, size_t n) {
    return file >= FIRST_END ? write_pipe(sim.pipe + file - FIRST_END, bytes, n) : __real_write(file, bytes, n);
}

int __wrap_close(int file) {
    return file >= FIRST_END ? 0 : __real_close(file);
}

FILE *__wrap_fdopen(int file, const char *mode) {
    return file >= FIRST_END ? pipe_reader(sim.pipe + file - FIRST_END) : __real_fdopen(file, mode);
}
