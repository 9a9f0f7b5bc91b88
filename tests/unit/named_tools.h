/* SPDX-License-Identifier: MIT */
/* Tests with named tables and several processes. Children answer with their exit status: 0 is good, else the line that
   failed. */
#pragma once
#include "table_tools.h"

#include <signal.h>
#include <sys/wait.h>

#include "tabia/counts.h"
#include "tabia/entry.h"
#include "tabia/record.h"

#define EXPECT(good)                                                                                                   \
    if (!(good)) return __LINE__ % 250 + 1

/* A name for each test of each run, and where the system keeps it. */
static char the_name[64], the_path[128];

static inline int choose_name(void **state) {
    static unsigned number;
    snprintf(the_name, sizeof the_name, "test-%d-%u", (int)getpid(), number++);
    snprintf(the_path, sizeof the_path, "/dev/shm/tabia-%s", the_name);
    return 0;
}

static inline int look_for_name(void **state) {
    if (access(the_path, F_OK) != 0) return 0;
    print_message("%s was left behind\n", the_path);
    unlink(the_path);
    return 1;
}

static inline TabiaOptions named(TabiaOptions o) {
    o.name = the_name;
    if (!o.bytes) o.bytes = 1 << 20;
    return o;
}

/* ---- children ---- */

typedef int (*Child)(const TabiaOptions *o, unsigned number);

static inline pid_t start(Child child, const TabiaOptions *o, unsigned number) {
    const pid_t id = fork();
    if (id < 0) fail_msg("fork");
    if (id > 0) return id;
    alarm(600); /* kills a child that waits on */
    _exit(child(o, number));
}

static inline void expect_good(pid_t id) {
    int status;
    assert_int_equal(waitpid(id, &status, 0), id);
    if (status) fail_msg("a child ended with status %d, signal %d", WEXITSTATUS(status), WTERMSIG(status));
}

static inline void expect_killed(pid_t id) {
    int status;
    assert_int_equal(waitpid(id, &status, 0), id);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
}

static inline bool joined(const TabiaTable *t) {
    TabiaInfo info;
    tabia_table_info(t, &info);
    return info.joined;
}

/* ---- what they share ---- */

static inline TabiaKey key_of(unsigned number) {
    uint64_t seed = number + 1;
    return random_key(&seed);
}

/* Stores something under key number, by the table's record type, and finds it. */
static inline void put(TabiaTable *t, TabiaRecordType type, unsigned number) {
    const uint64_t words[3] = {number, number + 1, number + 2};
    if (type == TABIA_ENTRIES)
        tabia_entry_store(t, key_of(number), 0, (TabiaEntry){.move = (uint16_t)number, .draft = 3});
    else if (type == TABIA_COUNTS)
        tabia_counts_store(t, key_of(number), 5, number);
    else
        tabia_record_store(t, key_of(number), words);
}

static inline bool there(const TabiaTable *t, TabiaRecordType type, unsigned number) {
    uint64_t words[3] = {0};
    if (type == TABIA_ENTRIES) {
        const TabiaHit hit = tabia_entry_probe(t, key_of(number), 0);
        return hit.move_ok && hit.entry.move == number;
    }
    if (type == TABIA_COUNTS) return tabia_counts_probe(t, key_of(number), 5) == number;
    return tabia_record_probe(t, key_of(number), words) && words[2] == number + 2;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, choose_name, look_for_name)
