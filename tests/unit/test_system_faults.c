/* SPDX-License-Identifier: MIT */
/*
 * What the system refuses or interrupts: functions of this program stand before the system's own, and a processor without
 * atomic 16-byte accesses is played. Not for builds with sanitizers, which stand there too.
 */
#define _GNU_SOURCE
#include "data/transfer.h"
#include "notation/fen.h"
#include "perft/ledger.h"
#include "perft/run.h"
#include "search/worker.h"
#include "search_tools.h"
#include "tabia/counts.h"
#include "table_tools.h"
#include "unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

/* What is to happen to the next calls. */
static struct {
    unsigned interrupted_reads, interrupted_writes, empty_writes; /* so many */
    unsigned synced;                                              /* calls of fsync and fdatasync */
    unsigned joined;                                              /* threads */
    int threads_left;                                             /* then they are refused; below 0: never */
    size_t largest;                                               /* of what calloc was asked for */
    unsigned grown;                                               /* calls of realloc */
    bool streams_refused;                                         /* by fdopen */
    _Atomic int locks;                                            /* taken, and not given back */
    int64_t last_now, waited; /* nanoseconds: CLOCK_REALTIME; how long to wait from then */
    time_t ahead;             /* seconds, of every clock */
} faults = {.threads_left = -1};

static ssize_t interrupted(void) {
    errno = EINTR;
    return -1;
}

ssize_t pread(int file, void *to, size_t bytes, off_t at) {
    if (faults.interrupted_reads) return faults.interrupted_reads--, interrupted();
    return syscall(SYS_pread64, file, to, bytes, at);
}

ssize_t pwrite(int file, const void *from, size_t bytes, off_t at) {
    if (faults.interrupted_writes) return faults.interrupted_writes--, interrupted();
    if (faults.empty_writes) return faults.empty_writes--, interrupted() + 1;
    return syscall(SYS_pwrite64, file, from, bytes, at);
}

int fdatasync(int file) {
    faults.synced++;
    return (int)syscall(SYS_fdatasync, file);
}

int fsync(int file) {
    faults.synced++;
    return (int)syscall(SYS_fsync, file);
}

int clock_gettime(clockid_t id, struct timespec *now) {
    const int status = (int)syscall(SYS_clock_gettime, id, now);
    now->tv_sec += faults.ahead;
    if (id == CLOCK_REALTIME) faults.last_now = now->tv_sec * INT64_C(1000000000) + now->tv_nsec;
    return status;
}

void *__libc_calloc(size_t n, size_t bytes); /* glibc's name */
void *calloc(size_t n, size_t bytes) {
    if (n * bytes > faults.largest) faults.largest = n * bytes;
    return __libc_calloc(n, bytes);
}

void *__libc_realloc(void *at, size_t bytes);
void *realloc(void *at, size_t bytes) {
    faults.grown++;
    return __libc_realloc(at, bytes);
}

typedef FILE *OpenStream(int, const char *);
FILE *fdopen(int stream, const char *mode) {
    union {
        void *found;
        OpenStream *open;
    } next = {dlsym(RTLD_NEXT, "fdopen")};
    if (faults.streams_refused) errno = ENOMEM;
    return faults.streams_refused ? NULL : next.open(stream, mode);
}

typedef int UseMutex(pthread_mutex_t *);
static int use_next(const char *name, pthread_mutex_t *mutex) {
    union {
        void *found;
        UseMutex *use;
    } next = {dlsym(RTLD_NEXT, name)};
    return next.use(mutex);
}
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    faults.locks++;
    return use_next("pthread_mutex_lock", mutex);
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    faults.locks--;
    return use_next("pthread_mutex_unlock", mutex);
}

typedef int Wait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *mutex, const struct timespec *until) {
    union {
        void *found;
        Wait *wait;
    } next = {dlsym(RTLD_NEXT, "pthread_cond_timedwait")};
    faults.waited = until->tv_sec * INT64_C(1000000000) + until->tv_nsec - faults.last_now;
    return next.wait(changed, mutex, until);
}

typedef int ThreadCreate(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    union {
        void *found;
        ThreadCreate *create;
    } next = {dlsym(RTLD_NEXT, "pthread_create")};
    if (!faults.threads_left) return EAGAIN;
    if (faults.threads_left > 0) faults.threads_left--;
    return next.create(thread, attributes, run, argument);
}

typedef int ThreadJoin(pthread_t, void **);
int pthread_join(pthread_t thread, void **result) {
    union {
        void *found;
        ThreadJoin *join;
    } next = {dlsym(RTLD_NEXT, "pthread_join")};
    faults.joined++;
    return next.join(thread, result);
}

static char folder[] = "/tmp/tabia-test-XXXXXX", file[64];

static int begin(void **state) {
    if (!mkdtemp(folder)) return -1;
    snprintf(file, sizeof file, "%s/file", folder);
    return 0;
}

static int finish(void **state) {
    unlink(file);
    return rmdir(folder);
}

static void tables_are_saved_and_loaded_between_signals(void **state) {
    TabiaError error = {0};
    TabiaTable *t = new_table((TabiaOptions){.bytes = 1 << 16, .type = TABIA_COUNTS});
    const TabiaKey key = {3, 5};
    tabia_counts_store(t, key, 4, 77);
    faults.interrupted_writes = 2, faults.synced = 0;
    assert_int_equal(tabia_table_save(t, file, NULL, &error), 0);
    assert_int_equal(faults.synced, 2); /* the file and its folder: test_crash has another base/file_calls.c */
    tabia_table_clear(t);
    faults.interrupted_reads = 2;
    assert_int_equal(tabia_table_load(t, file, NULL, &error), 0);
    assert_int_equal(faults.interrupted_reads + faults.interrupted_writes, 0);
    assert_int_equal(tabia_counts_probe(t, key, 4), 77);
    faults.empty_writes = 1; /* not a byte, and no error: errno is what it was before */
    assert_int_equal(tabia_table_save(t, file, NULL, &error), TABIA_ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "No space left"));
    tabia_table_destroy(t);
}

static void pass(void *context, uint64_t unit, U128 n) {
    (void)context, (void)unit, (void)n;
}

/* At most once a second, and at the end. */
static void ledgers_are_brought_to_the_disk(void **state) {
    TabiaError error = {0};
    unlink(file);
    Ledger *l = ledger_open(file, "a run", pass, NULL, NULL, &error);
    assert_non_null(l);
    faults.synced = 0;
    assert_true(ledger_append(l, 1, 10, &error));
    assert_int_equal(faults.synced, 0);
    faults.ahead = 2;
    assert_true(ledger_append(l, 2, 20, &error));
    assert_int_equal(faults.synced, 1);
    assert_true(ledger_append(l, 3, 30, &error));
    assert_int_equal(faults.synced, 1);
    assert_true(ledger_close(l, &error));
    assert_int_equal(faults.synced, 2);
    faults.ahead = 0;
}

/* What holds no stream is closed again. */
static void shuffles_leave_no_file_open(void **state) {
    TabiaError error;
    const char *path = file;
    const int next = dup(0);
    close(next);
    close(open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666));
    assert_int_equal(truncate(file, 1 << 20), 0); /* more than the memory for it */
    DataSource s = {.paths = &path, .path_count = 1, .format = &data_format_bin};
    faults.streams_refused = true;
    const DataShuffleOptions options = {.memory = 50000, .temp_prefix = file};
    assert_int_equal(data_shuffle(&s, NULL, &options, &error), DATA_SYSTEM_ERROR);
    faults.streams_refused = false;
    data_source_close(&s);
    assert_non_null(strstr(error.text, "cannot be created"));
    const int now = dup(0);
    assert_int_equal(now, next);
    close(now);
}

/* Duplicates are found among 1000 records: a set of 2048 keys is the smallest that they half fill. */
static void dedupe_takes_the_memory_that_it_needs(void **state) {
    TabiaError error;
    uint64_t duplicates;
    const char *path = file;
    close(open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666));
    assert_int_equal(truncate(file, 40 * 1000), 0);
    DataSource s = {.paths = &path, .path_count = 1, .format = &data_format_bin};
    faults.largest = 0;
    const DataDedupeOptions options = {.memory = 1 << 20};
    assert_int_equal(data_dedupe(&s, NULL, &options, &duplicates, &error), DATA_BAD_INPUT); /* no kings in zeros */
    data_source_close(&s);
    assert_int_equal(faults.largest, 2048 * 16);
}

static void buffers_grow_seldom(void **state) {
    DataBuffer b = {0};
    faults.grown = 0;
    for (unsigned i = 0; i < 100; i++) data_buffer_append(&b, &(char[40]){0}, 40);
    assert_int_equal(faults.grown, 1);
    for (unsigned i = 0; i < 10000; i++) data_buffer_append(&b, &(char[40]){0}, 40);
    assert_in_range(faults.grown, 2, 14);
    data_buffer_free(&b);
}

/* By workers, and by the thread that looks at them 25 times a second: a short count may end before its first look. */
static void locks_are_given_back_as_often_as_taken(void **state) {
    static const uint64_t nodes[] = {[5] = 4865609, [6] = 119060324, [7] = 3195901860, [8] = 84998978956};
    TabiaError error = {0};
    PerftJob job = {.keys_seed = 1, .threads = 3, .hash_bytes = 1 << 20};
    assert_true(fen_parse(&job.root, fen_start, NULL));
    faults.locks = 0, faults.waited = 0;
    for (job.depth = 5; job.depth <= 8 && !faults.waited; job.depth++) {
        PerftState counted;
        assert_true(perft_run(&job, &counted, &error));
        assert_true(counted.nodes == nodes[job.depth]);
        assert_int_equal(faults.locks, 0);
        perft_state_free(&counted);
    }
    assert_int_equal(faults.waited, 40000000);
}

/* With the threads that there are. */
static void searches_go_on_without_a_thread(void **state) {
    Search *s = new_search((SearchSettings){.threads = 4, .path_key = PATH_KEY_FIFTY_COUNT});
    search_from(s, fen_start);
    faults.threads_left = 2; /* the search itself, and one of the three others */
    faults.joined = 0;
    search_start(s, &(SearchLimits){.depth = 5}, &(SearchListener){0});
    search_wait(s);
    assert_int_equal(faults.threads_left, 0);
    assert_int_equal(faults.joined, 2);
    faults.threads_left = -1;
    assert_int_equal(search_result(s, 0).depth, 5);
    search_destroy(s);
}

#define RUN(tests) cmocka_run_group_tests(tests, begin, finish)
#include "test_system_faults_list.h"
