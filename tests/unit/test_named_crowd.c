/* SPDX-License-Identifier: MIT */
/* Tables that processes share: many processes that come and go at once. (Every order of two: tests/model/named.c.) */
#define _GNU_SOURCE
#include "named_tools.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

typedef struct {
    _Atomic unsigned arrived, makers;
} Meeting;

static Meeting *meeting; /* in memory that parent and children share */

static void meet(unsigned all) {
    atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) < all) sched_yield();
}

enum { CROWD = 32, ROUNDS = 5, VISITS = 50 };

static int start_together(const TabiaOptions *o, unsigned number) {
    unsigned gate = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        TabiaTable *t;
        meet(gate += CROWD);
        EXPECT(tabia_table_create(&t, o, NULL) == 0);
        if (!joined(t)) atomic_fetch_add(&meeting->makers, 1);
        put(t, TABIA_ENTRIES, 1 + number + CROWD * round);
        meet(gate += CROWD);
        EXPECT(atomic_load(&meeting->makers) == round + 1);
        for (unsigned i = 0; i < CROWD; i++) EXPECT(there(t, TABIA_ENTRIES, 1 + i + CROWD * round));
        EXPECT(round == 0 || !there(t, TABIA_ENTRIES, 1 + number + CROWD * (round - 1)));
        meet(gate += CROWD);
        tabia_table_destroy(t);
    }
    return 0;
}

/* How often a child called itself a maker. */
static unsigned run_crowd(Child child, const TabiaOptions *o) {
    pid_t id[CROWD];
    meeting = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(meeting != MAP_FAILED);
    for (unsigned i = 0; i < CROWD; i++) id[i] = start(child, o, i);
    for (unsigned i = 0; i < CROWD; i++) expect_good(id[i]);
    const unsigned makers = atomic_load(&meeting->makers);
    munmap(meeting, sizeof *meeting);
    return makers;
}

static void all_start_together(void **state) {
    const TabiaOptions o = named((TabiaOptions){0});
    assert_int_equal(run_crowd(start_together, &o), ROUNDS);
}

/* Comes and goes without waiting for anybody; every other one would like another shape. */
static int come_and_go(const TabiaOptions *o, unsigned number) {
    TabiaOptions mine = *o;
    if (number % 2) mine.bytes *= 2;
    unsigned got = 0;
    for (unsigned round = 0; round < VISITS; round++) {
        TabiaTable *t;
        const int code = tabia_table_create(&t, &mine, NULL);
        EXPECT(code == 0 || code == TABIA_ERROR_FOREIGN);
        if (code) continue;
        TabiaInfo info;
        tabia_table_info(t, &info);
        EXPECT(info.bytes == mine.bytes);
        put(t, TABIA_ENTRIES, number + 1);
        EXPECT(there(t, TABIA_ENTRIES, number + 1));
        EXPECT(access(the_path, F_OK) == 0); /* who holds a table holds the one of that name */
        tabia_table_destroy(t);
        got++;
    }
    atomic_fetch_add(&meeting->makers, got);
    return 0;
}

static void names_come_and_go(void **state) {
    const TabiaOptions o = named((TabiaOptions){.bytes = 64 << 10});
    assert_true(run_crowd(come_and_go, &o) > 0);
}

/* Somebody else has removed the file, and there is another by that name: it is not ours to remove. */
static void only_the_own_name_is_removed(void **state) {
    TabiaTable *t = new_table(named((TabiaOptions){0}));
    unlink(the_path);
    close(open(the_path, O_RDWR | O_CREAT | O_EXCL, 0600));
    tabia_table_destroy(t);
    assert_int_equal(access(the_path, F_OK), 0);
    unlink(the_path);
}

#include "test_named_crowd_list.h"
