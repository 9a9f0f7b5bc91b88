/* SPDX-License-Identifier: MIT */
/* Several threads write one ledger, and a process is killed while it writes. */
#include "base/random.h"
#include "base/threads.h"
#include "perft/ledger.h"
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>

static const char run_name[] = "a run for tests";
static const U128 big = ((U128)0x0123456789abcdef << 64) | 0xfedcba9876543210;

/* The state is the path of an empty file. */
static int enter(void **state) {
    static char path[64];
    int fd = temporary_file(path);
    *state = path;
    return fd < 0 ? -1 : close(fd);
}

static int leave(void **state) {
    return unlink(*state);
}

enum { THREADS = 4, EACH_THREAD = 500 };

static void append_many(void *context, unsigned worker) {
    for (unsigned i = 0; i < EACH_THREAD; i++) {
        uint64_t unit = (uint64_t)worker * EACH_THREAD + i;
        if (!ledger_append(context, unit, (U128)unit * unit * big, NULL)) abort();
    }
}

static void check_many(void *context, uint64_t unit, U128 n) {
    unsigned char *seen = context;
    assert_true(unit < THREADS * EACH_THREAD && n == (U128)unit * unit * big);
    seen[unit]++;
}

static void many_threads(void **state) {
    unsigned char seen[THREADS * EACH_THREAD] = {0};
    Ledger *l = ledger_open(*state, run_name, check_many, seen, NULL, NULL);
    assert_true(tabia_threads_run(THREADS, append_many, l, NULL));
    assert_true(ledger_close(l, NULL));
    uint64_t cut = 1;
    assert_true(ledger_close(ledger_open(*state, run_name, check_many, seen, &cut, NULL), NULL));
    assert_int_equal(cut, 0);
    for (int i = 0; i < THREADS * EACH_THREAD; i++) assert_int_equal(seen[i], 1);
}

enum { KILLED_UNITS = 1 << 20 };

static void check_killed(void *context, uint64_t unit, U128 n) {
    unsigned char *seen = context;
    assert_true(unit < KILLED_UNITS && n == (U128)unit * big);
    seen[unit] = 1;
}

/* A process is killed while it appends without a pause; what had been reported to it as safe must be there. */
static void killed_while_writing(void **state) {
    uint64_t next = 0, seed = 9;
    for (int round = 0; round < 20; round++) {
        int reported[2];
        assert_int_equal(pipe(reported), 0);
        pid_t child = fork();
        if (child == 0) {
            static unsigned char seen[KILLED_UNITS];
            Ledger *l = ledger_open(*state, run_name, check_killed, seen, NULL, NULL);
            for (uint64_t unit = next; l; unit++)
                if (!ledger_append(l, unit, (U128)unit * big, NULL) || write(reported[1], &unit, sizeof unit) < 0)
                    break;
            _exit(1);
        }
        close(reported[1]);
        uint64_t safe = 0, wanted = next + random_below(&seed, 300);
        while (read(reported[0], &safe, sizeof safe) == sizeof safe && safe < wanted) continue;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        while (read(reported[0], &safe, sizeof safe) == sizeof safe) continue;
        close(reported[0]);
        assert_true(safe >= wanted);
        next = safe + 1;
    }
    static unsigned char seen[KILLED_UNITS];
    assert_true(ledger_close(ledger_open(*state, run_name, check_killed, seen, NULL, NULL), NULL));
    assert_true(next < KILLED_UNITS);
    for (uint64_t unit = 0; unit < next; unit++) assert_true(seen[unit]);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
#include "test_ledger_writers_list.h"
