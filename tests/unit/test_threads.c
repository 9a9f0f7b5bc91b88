/* SPDX-License-Identifier: MIT */
#include "base/threads.h"
#include "unit.h"

#include "base/time.h"
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

enum { THREADS_MAX = 64 };

typedef struct {
    unsigned calls[THREADS_MAX];
    pthread_t threads[THREADS_MAX];
    pthread_barrier_t all;
} Seen;

static void see(void *context, unsigned worker) {
    Seen *seen = context;
    seen->calls[worker]++;
    seen->threads[worker] = pthread_self();
    pthread_barrier_wait(&seen->all); /* ends only if all workers run at once */
}

static void every_worker_once(void **state) {
    for (unsigned n = 1; n <= THREADS_MAX; n++) {
        Seen seen;
        memset(&seen, 0, sizeof seen);
        pthread_barrier_init(&seen.all, NULL, n);
        TabiaError error;
        if (!tabia_threads_run(n, see, &seen, &error)) fail_msg("%s", error.text);
        assert_true(pthread_equal(seen.threads[0], pthread_self()));
        for (unsigned i = 0; i < THREADS_MAX; i++) assert_int_equal(seen.calls[i], i < n);
        for (unsigned i = 1; i < n; i++) assert_false(pthread_equal(seen.threads[i], seen.threads[0]));
        pthread_barrier_destroy(&seen.all);
    }
}

static void must_not_run(void *context, unsigned worker) {
    (void)worker;
    __atomic_fetch_add((int *)context, 1, __ATOMIC_RELAXED);
}

static void none_is_a_fault(void **state) {
    int ran = 0;
    TabiaError error = {0};
    assert_false(tabia_threads_run(0, must_not_run, &ran, &error));
    assert_non_null(strstr(error.text, "thread"));
    assert_int_equal(ran, 0);
}

/* With little address space left the system refuses a thread's stack somewhere on the way. */
static void refused_thread_runs_nothing(void **state) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SANITIZED)
    skip(); /* a sanitizer's own address space is far above the limit */
#endif
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    tight = before;
    tight.rlim_cur = 512 << 20;
    if (setrlimit(RLIMIT_AS, &tight) != 0) skip();
    int ran = 0;
    TabiaError error = {0};
    bool done = tabia_threads_run(2000, must_not_run, &ran, &error);
    setrlimit(RLIMIT_AS, &before);
    assert_false(done);
    assert_int_equal(ran, 0);
    assert_non_null(strstr(error.text, "cannot start thread"));
}

/* What the kernel says of the calling thread: sched_setattr(2). */
typedef struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice, deadline, period; /* slice: ns, 0 before Linux 6.12 */
} Scheduling;

static Scheduling scheduling(void) {
    Scheduling s = {0};
    assert_int_equal(syscall(SYS_sched_getattr, 0, &s, sizeof s, 0), 0);
    return s;
}

static void *wakes_early(void *context) {
    Scheduling *seen = context;
    seen[0] = scheduling();
    tabia_threads_wake_early();
    tabia_threads_wake_early();
    seen[1] = scheduling();
    return NULL;
}

/* A thread of its own, since what it asks for stays. A shorter slice, and the same share of the processors. */
static void waking_early_keeps_the_share(void **state) {
    if (sched_getscheduler(0) != SCHED_OTHER) skip();
    pthread_t thread;
    Scheduling seen[2];
    assert_int_equal(pthread_create(&thread, NULL, wakes_early, seen), 0);
    pthread_join(thread, NULL);
    assert_int_equal(seen[1].nice, seen[0].nice);
    assert_int_equal(seen[1].policy, SCHED_OTHER);
    if (seen[0].slice > 100000) assert_int_equal(seen[1].slice, 100000);
}

static void some_processor_is_usable(void **state) {
    unsigned n = tabia_threads_usable();
    assert_true(n >= 1 && n < 1 << 20);
}

/* ---- time ---- */

static void never_goes_back(void **state) {
    double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    for (int i = 0; i < 10000; i++) {
        double later_wall = tabia_clock_wall(), later_cpu = tabia_clock_cpu();
        assert_true(later_wall >= wall && later_cpu >= cpu);
        wall = later_wall;
        cpu = later_cpu;
    }
}

/* Ends because both clocks run while this loop does. */
static void both_run(void **state) {
    double wall = tabia_clock_wall(), cpu = tabia_clock_cpu();
    assert_true(cpu > 0);
    while (tabia_clock_wall() == wall || tabia_clock_cpu() == cpu) continue;
}

#include "test_threads_list.h"
