/* SPDX-License-Identifier: MIT */
/* The spin lock of a bucket that the laboratory measures (src/lab/table/bench_modes.c). */
#include "lab/table/bench_modes.c"

#include "programs.h"

static struct {
    TabiaTable table;
    SpinLock lock;
    unsigned counted;
} all;

static void begin(void) {
    all.table.buckets = 1, all.lock.taken = all.counted = 0;
    model_name(&all.lock, "taken"), model_name(&all.counted, "what a lock guards");
}

static void count(void) {
    SpinLock *lock = take_lock(&(Mix){.table = &all.table, .locks = &all.lock}, (TabiaKey){0}, 1);
    all.counted++;
    give_lock(lock);
}

static void end(void) {
    model_require(all.counted == 3, "a lock that two have");
}

const ModelProgram model_lock = {"lock", begin, {count, count, count}, end, &all.counted, sizeof all.counted};
